import { addressedBy } from '../../contract/infer/address-members.ts';
import { rewriteAddress } from '../../contract/infer/read-address.ts';
import { namedByObject } from '../../contract/infer/object-references.ts';
import type { LocatedNode, Resource } from '../../contract/model.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Fill, Source } from '../model/request-template.ts';
import type { Draft } from './draft.ts';
import type { PlanContext } from './plan-context.ts';

/** A member of a body that names records of a resource. */
export interface Reference {
  readonly field: string;
  readonly place: LocatedNode;
  readonly resource: Resource;
  /** Whether it is a list of them. */
  readonly many: boolean;
  /** An address as it writes it (`depots/x`), if it names them so. */
  readonly address?: string;
  /** The member of an object that holds the identifier: `id` of `category: { "id": … }`. */
  readonly inner?: string;
}

/** The references that a body may have at its top: by identifiers, addresses, or objects. */
export function referencesOf(
  { contract: { resources } }: PlanContext,
  own: Resource,
  { body }: Pick<Draft, 'body'>,
): Reference[] {
  const { foreignKeys, identifier } = own;
  const schema = body?.schema;
  if (schema === undefined) return [];
  return [...schema.flatten().properties].flatMap(([field, place]): Reference[] => {
    const flat = schema.flatten(place);
    if (flat.node.readOnly === true || field === identifier.field) return [];
    const { items } = flat;
    const many = items !== undefined && flat.types.includes('array');
    const view = many ? schema.flatten(items) : flat;
    const addressed = addressedBy(view.node, resources);
    const key = foreignKeys.find((one) => one.field === field);
    if (addressed === undefined && key !== undefined)
      return [{ field, place, resource: key.resource, many: key.many }];
    const named = addressed === undefined ? namedByObject(field, view, resources) : undefined;
    if (named !== undefined && named !== own)
      return [{ field, place, resource: named, many, inner: named.identifier.field }];
    if (addressed === undefined || addressed.resource.parents.length > 0) return [];
    const { resource, text: address } = addressed;
    return [{ field, place, resource, many, address }];
  });
}

/** A body, and what an answer fills in. */
export interface ReferringBody {
  readonly value: JsonObject;
  readonly fills: readonly Fill[];
}

/**
 * A body whose reference names a record that does not exist, in the form of those that were seen;
 * undefined if no identifier that the run can make up is valid there.
 */
export function namingNothing(
  { body, role }: Draft,
  reference: Omit<Reference, 'place'>,
  create: Draft | undefined,
): ReferringBody | undefined {
  const schema = body?.schema;
  const plain = isJsonObject(body?.value) ? body.value : create?.body?.value;
  if (schema === undefined || !isJsonObject(plain)) return undefined;
  const { required } = schema.flatten();
  const { field, resource, many, address, inner } = reference;
  const kept =
    role?.action === 'update'
      ? Object.fromEntries(Object.entries(plain).filter(([name]) => required.has(name)))
      : plain;
  const texts = ['missing-918273', 'missing', '5f0c9f3e-7d1b-4c55-a1d2-9b0e6f3a8c47'];
  // A form may state as a number what answers show as a text.
  const unknown: readonly JsonValue[] = [
    ...(resource.identifier.type === 'integer' ? [] : texts),
    1_987_654_321,
    '1987654321',
  ];
  for (const value of unknown) {
    const written =
      address === undefined ? value : rewriteAddress(resource.itemPath ?? '', address, () => value);
    if (written === undefined) continue;
    const named = inner === undefined ? written : { [inner]: written };
    const whole = { ...kept, [field]: many ? [named] : named };
    if (!schema.accepts(whole, 'request')) continue;
    const source: Source = {
      kind: 'value',
      value,
      like: resource.name,
      ...(address === undefined ? {} : { address }),
    };
    return { value: whole, fills: [{ at: placeOf(reference), source }] };
  }
  return undefined;
}

/** Where a body names the first record of a reference. */
function placeOf({ field, many, inner }: Omit<Reference, 'place'>): Pointer {
  const list = many ? joinPointer('', field, '0') : joinPointer('', field);
  return inner === undefined ? list : joinPointer(list, inner);
}
