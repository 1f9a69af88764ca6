import type { Resource } from '../../../contract/model.ts';
import { readNames } from '../../../contract/protocols/names.ts';
import { maskParameter, wholeMask } from '../../../contract/protocols/update-mask.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import { type Fault, makeFault } from '../../model/fault.ts';
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
  const isNamed = (name: string): boolean => mask.includes(wholeMask) || names.includes(name);
  const removed = [...fields.values()].filter(
    ({ name, required, readOnly }) =>
      isNamed(name) &&
      !required &&
      !readOnly &&
      name !== resource.identifier.field &&
      !Object.hasOwn(given, name),
  );
  return {
    kind: 'masked',
    given: Object.fromEntries(Object.entries(given).filter(([name]) => isNamed(name))),
    removed: removed.map(({ name }) => name),
  };
}
