import { addressedBy } from '../../contract/infer/address-members.ts';
import { rewriteAddress } from '../../contract/infer/read-address.ts';
import { namedByObject } from '../../contract/infer/object-references.ts';
import type { LocatedNode, Resource } from '../../contract/model.ts';
import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { plainName, singularOf } from '../../contract/infer/infer-names.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { DraftBody } from './draft-body.ts';
import { fullBody } from './full-body.ts';
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

/** A place in a body that names a record: `/category/0/id`, `/rows/0/accountNumber`. */
export interface NamedPlace {
  readonly at: Pointer;
  readonly resource: Resource;
  /** Where the contract describes it. */
  readonly place: LocatedNode;
  /** The member at the top of the body, with what a full one has there. */
  readonly value: JsonObject;
}

/** The places in a full body that name records of other resources, in the first item of a list. */
export function placesNaming(
  { contract: { resources } }: PlanContext,
  own: Resource,
  body: DraftBody,
): NamedPlace[] {
  const { schema } = body;
  if (schema === undefined) return [];
  const full = fullBody(body);
  const found = (value: JsonValue, place: LocatedNode, at: Pointer, name: string): NamedPlace[] => {
    const flat = schema.flatten(place);
    if (isJsonArray(value)) {
      const [first] = value;
      const isFull = first !== undefined && flat.items !== undefined;
      return isFull ? found(first, flat.items, joinPointer(at, '0'), name) : [];
    }
    const isObject = isJsonObject(value);
    const resource = isObject
      ? namedByObject(name, flat, resources)
      : namedByKey(name, value, resources);
    const key = resource?.identifier.field ?? '';
    const [top = ''] = splitPointer(at);
    const told = { place, value: { [top]: full[top] ?? null } };
    if (resource !== undefined && resource !== own && (!isObject || Object.hasOwn(value, key)))
      return [{ at: isObject ? joinPointer(at, key) : at, resource, ...told }];
    return Object.entries(isObject ? value : {}).flatMap(([member, inner]) => {
      const part = flat.properties.get(member);
      return part === undefined ? [] : found(inner, part, joinPointer(at, member), member);
    });
  };
  return found(full, schema, '', '');
}

/** The resource whose records a member names: `accountNumber` of the `number` of `accounts`. */
function namedByKey(
  name: string,
  value: JsonValue,
  resources: readonly Resource[],
): Resource | undefined {
  const plain = plainName(name);
  const [found, ...more] = resources.filter(({ kind, parents, collectionPath, identifier }) => {
    if (kind !== 'collection' || parents.length > 0) return false;
    const [noun, key] = [singularOf(lastWord(collectionPath)), plainName(identifier.field)];
    // A number is no name in words.
    const isNumber = identifier.type === 'integer' && typeof value === 'number';
    return plain === noun ? isNumber : plain === (key.startsWith(noun) ? key : `${noun}${key}`);
  });
  return more.length === 0 ? found : undefined;
}

/**
 * A member that makes a new record one in a state: `{ "active": "0" }`. Undefined if its create has
 * no such member.
 */
export function memberInState(
  { body }: Pick<Draft, 'body'>,
  field: string,
  state: string,
): JsonObject | undefined {
  const plain = isJsonObject(body?.value) ? body.value : {};
  return [state, state === 'true', Number(state)]
    .map((value): JsonObject => ({ [field]: value }))
    .find(
      (member) =>
        body?.schema?.flatten().properties.has(field) === true &&
        String(member[field]) === state &&
        body.schema.accepts({ ...plain, ...member }, 'request'),
    );
}
