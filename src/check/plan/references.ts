import { addressText, addressedBy } from '../../contract/infer/address-members.ts';
import { rewriteAddress } from '../../contract/infer/read-address.ts';
import { namedByObject } from '../../contract/infer/object-references.ts';
import type {
  Contract,
  FlatSchema,
  ForeignKey,
  LocatedNode,
  Resource,
} from '../../contract/model.ts';
import { contractTexts, factIn } from '../../contract/words/facts.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { defined, isJsonArray, isJsonObject, membersWhere, objectOf } from '../../json/value.ts';
import { keysIn } from '../reading/identifiers.ts';
import { namedResource } from '../reading/path-names.ts';
import { fullBody } from './full-body.ts';
import type { Fill, Source } from '../model/request-template.ts';
import type { Draft } from './draft.ts';
import type { PlanContext } from './plan-context.ts';

/** A member of a body, or of a part of it, that names records of a resource. */
export interface Reference {
  /** The member at the top of the body that has it. */
  readonly field: string;
  readonly place: LocatedNode;
  readonly resource: Resource;
  /** Where it stands, in the first item of each list: `/category/0`, `/rows/0/accountId`. */
  readonly at: Pointer;
  /** An address as it writes it (`depots/x`), if it names them so. */
  readonly address?: string;
  /** The member of an object that holds the identifier: `id` of `category: { "id": … }`. */
  readonly inner?: string;
  /** What a full body has in its field. */
  readonly usual: JsonObject;
}

/** How deep references are looked for: `items[].product.id` stands at the third level. */
const deepest = 4;

/** The references that a body may have: by identifiers, addresses, or objects. */
export function referencesOf(
  { contract }: PlanContext,
  own: Resource,
  { body }: Pick<Draft, 'body'>,
): Reference[] {
  if (body?.schema === undefined) return [];
  const { schema } = body;
  const full = fullBody(body);
  const within = (inside: LocatedNode, above: Pointer): Reference[] =>
    [...schema.flatten(inside).properties].flatMap(([name, place]): Reference[] => {
      const flat = schema.flatten(place);
      const member = joinPointer(above, name);
      if (flat.node.readOnly === true || member === joinPointer('', own.identifier.field))
        return [];
      const { items } = flat;
      const isList = items !== undefined && flat.types.includes('array');
      const view = isList ? schema.flatten(items) : flat;
      const [path, at] = [splitPointer(member), isList ? joinPointer(member, '0') : member];
      const [field = ''] = path;
      const told = targetOf(contract, own, { name, member, view });
      const usual: JsonObject = field in full ? { [field]: full[field] ?? null } : {};
      if (told !== undefined) return [{ field, place, at, usual, ...told }];
      return path.length < deepest ? within(isList ? items : place, at) : [];
    });
  return within(schema, '');
}

/** The references to single records that a body may have at its top. */
export function keysOf(resource: Resource, { body }: Pick<Draft, 'body'>): ForeignKey[] {
  const { schema, value } = body ?? {};
  const properties = schema?.flatten().properties;
  return keysIn(resource, properties?.keys() ?? []).filter(({ field, many }, at, all) => {
    if (all.findIndex((one) => one.field === field) !== at) return false;
    if (many || field.includes('.') || schema === undefined) return false;
    const place = properties?.get(field);
    const node = place && schema.flatten(place).node;
    // An address is no identifier: it gets that of a record which is there.
    if (node !== undefined && (node.readOnly === true || addressText(node) !== undefined))
      return false;
    return place !== undefined || (isJsonObject(value) && field in value);
  });
}

/** Whether the contract refuses references to no record, in whatever body they stand. */
export function refusesUnknown(contract: Contract): boolean {
  return factIn(contractTexts(contract), 'refuses-unknown-references') !== undefined;
}

interface Named {
  readonly name: string;
  readonly member: Pointer;
  readonly view: FlatSchema;
}

/** The records that a member of a body names, and how. */
function targetOf(
  contract: Contract,
  own: Resource,
  { name, member, view }: Named,
): Pick<Reference, 'resource' | 'address' | 'inner'> | undefined {
  const addressed = addressedBy(view.node, contract.resources);
  const isTop = member === joinPointer('', name);
  if (addressed !== undefined) {
    const { resource, text: address } = addressed;
    // An address within an object may be a link that nothing looks up.
    const isSought = isTop || refusesUnknown(contract);
    return resource.parents.length > 0 || !isSought ? undefined : { resource, address };
  }
  const key = keysIn(own, isTop ? [name] : []).find(
    ({ field }) => joinPointer('', field) === member,
  );
  if (key !== undefined) return { resource: key.resource };
  const resource =
    view.properties.size > 0
      ? namedByObject(name, view, contract.resources)
      : namedResource(contract, name);
  if (resource === undefined || resource === own) return undefined;
  if (view.properties.size > 0) return { resource, inner: resource.identifier.field };
  return isTop ? undefined : { resource };
}

/** A body, and what an answer fills in. */
export interface ReferringBody {
  readonly value: JsonObject;
  readonly fills: readonly Fill[];
}

/** The member of a body in which a reference stands, with a name in its place. */
export function naming(reference: Reference, name: JsonValue, source: Source): ReferringBody {
  const { at, inner, usual } = reference;
  const leaf = inner === undefined ? name : { [inner]: name };
  const value = placed(usual, splitPointer(at), leaf);
  const place = inner === undefined ? at : joinPointer(at, inner);
  return { value: objectOf(value), fills: [{ at: place, source }] };
}

/** A value with another one at a path, and with what it lacks on the way there. */
function placed(value: JsonValue, [key, ...rest]: readonly string[], leaf: JsonValue): JsonValue {
  if (key === undefined) return leaf;
  const inner = (isJsonObject(value) ? value[key] : isJsonArray(value) ? value[0] : null) ?? null;
  const part = placed(inner, rest, leaf);
  if (isJsonArray(value)) return [part, ...value.slice(1)];
  if (isJsonObject(value)) return { ...value, [key]: part };
  return key === '0' ? [part] : { [key]: part };
}

/**
 * A body whose reference names a record that does not exist, in the form of those that were seen;
 * undefined if no identifier that the run can make up is valid there.
 */
export function namingNothing(
  { body, role }: Draft,
  reference: Reference,
  create: Draft | undefined,
): ReferringBody | undefined {
  const schema = body?.schema;
  const plain = isJsonObject(body?.value) ? body.value : create?.body?.value;
  if (schema === undefined || !isJsonObject(plain)) return undefined;
  const { required } = schema.flatten();
  const { resource, address } = reference;
  const kept =
    role?.action === 'update' ? membersWhere(plain, (name) => required.has(name)) : plain;
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
    const source: Source = { kind: 'value', value, like: resource.name, ...defined({ address }) };
    const { value: member, fills } = naming(reference, written, source);
    const whole = { ...kept, ...member };
    if (schema.accepts(whole, 'request')) return { value: whole, fills };
  }
  return undefined;
}
