import { singularOf } from '../../../contract/infer/infer-names.ts';
import { addressedBy, type AddressedResource } from '../../../contract/infer/address-members.ts';
import { readAddress, rewriteAddress } from '../../../contract/infer/read-address.ts';
import { lastWord, plainPath } from '../../../contract/infer/conventions/path-styles.ts';
import type {
  Contract,
  ForeignKey,
  LocatedNode,
  Resource,
  Schema,
} from '../../../contract/model.ts';
import { isWithin, joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { type Case, mediaOf } from '../../model/case.ts';
import type { RecordName } from '../../model/record.ts';
import { roleOf } from '../../model/step.ts';

/** What is known of the records to which a request may refer. */
export interface KnownRecords {
  readonly contract: Contract;
  /** The records that exist as far as the run knows, its own first. */
  namesOf(resource: Resource): readonly RecordName[];
  /** The record of the run that a path of the resource gets now, if there is one. */
  ownFor(resource: Resource): RecordName | undefined;
}

/**
 * A case whose body refers to records that exist: a value that the plan made up, or took from an
 * example, is one that the service refuses. Unchanged where no such record is known, and where the
 * reference is what the case tests.
 */
export function withKnownReferences(testCase: Case, known: KnownRecords): Case {
  const { operation, request, intent } = testCase;
  const { body } = request;
  const isPlain = intent.kind === 'valid' || intent.kind === 'invalid';
  if (!isPlain || body === undefined || body.kind === 'bytes') return testCase;
  const role = roleOf(known.contract, operation);
  const schema = mediaOf(testCase)?.schema;
  const properties = schema?.flatten().properties;
  const isTested = ({ field }: ForeignKey): boolean => {
    const place = properties?.get(field);
    return intent.kind === 'invalid' && place !== undefined && isWithin(intent.at, place.pointer);
  };
  const filled = new Set(body.fills?.map(({ at }) => at.split('/')[1]));
  const keys = (role?.resource.foreignKeys ?? []).filter(
    (key) => !filled.has(key.field) && !isTested(key),
  );
  const named = keys.reduce((value, key) => withKey(value, key, known), body.value);
  const linked = intent.kind === 'valid' ? withLinkage(named, known, role?.resource) : named;
  const tested = intent.kind === 'invalid' ? intent.at : undefined;
  const value = schema === undefined ? linked : withAddresses(linked, schema, { known, tested });
  return value === body.value
    ? testCase
    : { ...testCase, request: { ...request, body: { ...body, value } } };
}

function withKey(body: JsonValue, { field, resource }: ForeignKey, known: KnownRecords): JsonValue {
  const before = isJsonObject(body) && Object.hasOwn(body, field) ? body[field] : undefined;
  if (before === undefined || before === null || !isJsonObject(body)) return body;
  const after = existing(before, resource, known);
  return after === before ? body : { ...body, [field]: after };
}

/** A reference, or each of a list, as one to a record that exists. */
function existing(before: JsonValue, resource: Resource, known: KnownRecords): JsonValue {
  const identifiers = known
    .namesOf(resource)
    .map(({ identifier }) => identifier)
    .filter((identifier) => isJsonArray(before) || typeof identifier === typeof before);
  const isKnown = (value: JsonValue): boolean =>
    identifiers.some((identifier) => String(identifier) === String(value));
  const [first] = identifiers;
  if (first === undefined) return before;
  if (!isJsonArray(before)) return isKnown(before) ? before : first;
  return before.every(isKnown) ? before : identifiers.slice(0, before.length);
}

/**
 * A body in which every `{ "type": …, "id": … }` names a record that exists, if the type is that of
 * another resource than its own.
 */
function withLinkage(value: JsonValue, known: KnownRecords, own: Resource | undefined): JsonValue {
  const { type, id } = isJsonObject(value) ? value : {};
  const resource = typeof type === 'string' ? ofType(known.contract, type) : undefined;
  if (isJsonObject(value) && resource !== undefined && resource !== own && typeof id === 'string')
    return { ...value, id: existing(id, resource, known) };
  return editParts(value, (part) => withLinkage(part, known, own));
}

/** A value with its items or members edited; the same value if none of them changes. */
function editParts(
  value: JsonValue,
  edit: (part: JsonValue, name: string) => JsonValue,
): JsonValue {
  if (isJsonArray(value)) {
    const items = value.map((item, at) => edit(item, String(at)));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, part]) => [name, edit(part, name)] as const);
  return members.some(([name, part]) => part !== value[name]) ? Object.fromEntries(members) : value;
}

function ofType({ resources }: Contract, type: string): Resource | undefined {
  return resources.find(
    ({ kind, parents, collectionPath }) =>
      kind === 'collection' &&
      parents.length === 0 &&
      singularOf(lastWord(collectionPath)) === singularOf(type),
  );
}

interface Addressing {
  readonly known: KnownRecords;
  /** The place of the contract that the case tests: what stands there does not change. */
  readonly tested: Pointer | undefined;
}

/** A body in which every address of a record, as its schema shows it, is that of one that exists. */
function withAddresses(
  value: JsonValue,
  schema: Schema,
  { known, tested }: Addressing,
  place: LocatedNode = schema,
): JsonValue {
  const flat = schema.flatten(place.node, place.pointer);
  if (isJsonArray(value)) {
    const { items } = flat.node;
    if (items === undefined) return value;
    const inside = { node: items, pointer: joinPointer(flat.pointer, 'items') };
    return editParts(value, (item) => withAddresses(item, schema, { known, tested }, inside));
  }
  if (isJsonObject(value))
    return editParts(value, (member, name) => {
      const inner = flat.properties.get(name);
      return inner === undefined ? member : withAddresses(member, schema, { known, tested }, inner);
    });
  if (typeof value !== 'string' || (tested !== undefined && isWithin(tested, flat.pointer)))
    return value;
  const { resources } = known.contract;
  const addressed =
    addressedBy(flat.node, resources) ?? addressedBy({ examples: [value] }, resources);
  return addressed === undefined ? value : existingAddress(value, addressed, known);
}

function existingAddress(
  before: string,
  { resource, text }: AddressedResource,
  known: KnownRecords,
): string {
  const { itemPath = '' } = resource;
  const last = plainPath(itemPath).split('/').length - 2;
  const form = readAddress(itemPath, before) === undefined ? text : before;
  // A body that names the parent of its path names the same one.
  const usual = known.ownFor(resource) ?? [];
  const addresses = [usual, known.namesOf(resource)].flat().flatMap(({ identifier, parents }) => {
    const valueAt = (at: number): JsonValue | undefined =>
      at === last ? identifier : parents.get(at);
    return rewriteAddress(itemPath, form, valueAt) ?? [];
  });
  return addresses.includes(before) ? before : (addresses[0] ?? before);
}
