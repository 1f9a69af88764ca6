import type { Resource } from '../../../contract/model.ts';
import { readNames } from '../../../contract/protocols/names.ts';
import { maskParameter, wholeMask } from '../../../contract/protocols/update-mask.ts';
import { objectOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { ValidRequest } from '../../model/request.ts';
import { type Fault, makeFault } from '../../model/reply.ts';
import { parameterKey } from '../../request/read-request.ts';
import { shapeOf } from '../record-fields.ts';

/** What an update changes: the members that it sets, and those that it removes. */
export interface Masked {
  readonly kind: 'masked';
  readonly given: JsonObject;
  readonly removed: readonly string[];
}

/**
 * The members of an update that its mask names (AIP-134); a field that the mask names and the body
 * lacks is removed, where records need not have it. All members if the request has no mask.
 */
export function applyMask(
  given: JsonObject,
  { plan, parameters }: ValidRequest,
  resource: Resource,
): Masked | Fault {
  const parameter = maskParameter(plan.operation);
  const mask = parameter === undefined ? [] : readNames(parameters.get(parameterKey(parameter)));
  if (parameter === undefined || mask.length === 0) return { kind: 'masked', given, removed: [] };
  const { fields } = shapeOf(resource);
  const names = mask.map((path) => path.split('.', 1)[0] ?? '');
  const unknown = mask.find((path, at) => path !== wholeMask && !fields.has(names[at] ?? ''));
  if (unknown !== undefined)
    return makeFault(
      'parameter-value',
      'invalid_value',
      `The ${parameter.name} names ${unknown}, which no record of ${resource.name} has.`,
    );
  const isWhole = (name: string): boolean => mask.includes(wholeMask) || mask.includes(name);
  // A field with a default gets it back.
  const removed = [...fields.values()].filter(
    ({ name, required, readOnly, flat }) =>
      isWhole(name) &&
      (!required || flat.node.default !== undefined) &&
      !readOnly &&
      name !== resource.identifier.field &&
      !Object.hasOwn(given, name),
  );
  const whole = Object.entries(given).filter(([name]) => isWhole(name));
  const parts = names
    .filter((name) => !isWhole(name))
    .map((name) => [name, maskedPart(name, given[name], mask)] as const);
  return {
    kind: 'masked',
    given: Object.fromEntries([...whole, ...parts]),
    removed: removed.map(({ name }) => name),
  };
}

/** The members of a field that a mask names, such as `address.city`. */
function maskedPart(
  name: string,
  value: JsonValue | undefined,
  mask: readonly string[],
): JsonValue {
  const members = mask
    .map((path) => path.split('.'))
    .flatMap(([field, member]) => (field === name && member !== undefined ? [member] : []));
  const given: JsonObject = objectOf(value);
  // A member that the mask names and the body lacks is removed: null, in a merge (RFC 7396).
  return Object.fromEntries(members.map((member) => [member, given[member] ?? null]));
}
