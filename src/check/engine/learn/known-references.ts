import { ownReferencesOf } from '../../../contract/infer/own-kind.ts';
import { calledAs, namedByObject } from '../../../contract/infer/object-references.ts';
import { addressedBy, type AddressedResource } from '../../../contract/infer/address-members.ts';
import { readAddress, rewriteAddress } from '../../../contract/infer/read-address.ts';
import { plainPath } from '../../../contract/infer/conventions/path-styles.ts';
import type {
  Contract,
  FlatSchema,
  ForeignKey,
  LocatedNode,
  Operation,
  Resource,
  Schema,
} from '../../../contract/model.ts';
import { reachesOut } from '../../../contract/words/effect-words.ts';
import { isWithin, type Pointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import {
  editParts,
  isJsonArray,
  isJsonObject,
  objectOf,
  membersWhere,
} from '../../../json/value.ts';
import { type Case, type Intent, mediaOf } from '../../model/case.ts';
import { isReference, keysIn } from '../../reading/identifiers.ts';
import { namedResource } from '../../reading/path-names.ts';
import { keyOf } from '../memory/refused-references.ts';
import type { PathValues, RecordName } from '../../model/record.ts';
import { roleOf } from '../../model/step.ts';
import { remember } from '../../../remember.ts';

/** What is known of the records to which a request may refer. */
export interface KnownRecords {
  readonly contract: Contract;
  /** The records that exist as far as the run knows, its own first, for a record to name. */
  namesOf(resource: Resource, holder: string): readonly RecordName[];
  owns(name: RecordName): boolean;
}

/** The same for one request. */
interface Known extends Pick<KnownRecords, 'contract'> {
  namesOf(resource: Resource): readonly RecordName[];
}

/**
 * A case whose body refers to records that exist: a value that the plan made up, or took from an
 * example, is one that the service refuses. Unchanged where no such record is known, and where the
 * reference is what the case tests. `path`: the values of the path, by segment.
 */
export function withKnownReferences(
  testCase: Case,
  memory: KnownRecords,
  path: () => PathValues,
): Case {
  const { operation, request, intent } = testCase;
  const { contract } = memory;
  const { body } = request;
  const isWhole = intent.kind === 'valid' || isOfDocument(intent);
  if ((!isWhole && intent.kind !== 'invalid') || body === undefined || body.kind === 'bytes')
    return testCase;
  const acted = contract.inference.actions.find((action) => action.operation === operation);
  const own = (roleOf(contract, operation) ?? acted)?.resource;
  const isSent = own !== undefined && isSentOut(own, contract);
  const known: Known = {
    contract,
    namesOf(resource) {
      const holder = own ? keyOf(own, String([...path().values()].at(-1))) : '';
      const names = memory.namesOf(resource, holder);
      // What is sent reaches no others, if there are records of the run.
      const ours = isSent ? names.filter((name) => memory.owns(name)) : [];
      return ours.length > 0 ? ours : names;
    },
  };
  const schema = mediaOf(testCase)?.schema;
  const properties = schema?.flatten().properties;
  const isTested = ({ field }: Pick<ForeignKey, 'field'>): boolean => {
    const place = properties?.get(field);
    return (
      intent.kind === 'invalid' &&
      place !== undefined &&
      schema !== undefined &&
      isAt(intent.at, schema, place)
    );
  };
  const aside = { known, path, isTested };
  const filled = new Set(body.fills?.map(({ at }) => at.split('/')[1]));
  const written = own === undefined ? [] : keysIn(own, Object.keys(objectOf(body.value)));
  const keys = written.filter((key) => !filled.has(key.field) && !isTested(key));
  const keyed = keys.reduce(
    (value, key) => withKey(value, key, apart(known, memory, valuesBeside(value, key, keys))),
    body.value,
  );
  const named = own === undefined ? keyed : withOwnKind(keyed, own, { ...aside, schema });
  const linked = isWhole ? withLinkage(named, known, own) : named;
  const tested = intent.kind === 'invalid' ? intent.at : undefined;
  const addressing = { known, tested, operation, path, own };
  const value =
    schema === undefined ? linked : withAddresses(linked, schema, { ...addressing, schema });
  return value === body.value
    ? testCase
    : { ...testCase, request: { ...request, body: { ...body, value } } };
}

/** What the other members of a body name that refer to records of the same resource. */
function valuesBeside(
  body: JsonValue,
  { field, resource }: ForeignKey,
  keys: readonly ForeignKey[],
): ReadonlySet<string> {
  const beside = keys.filter((key) => key.resource === resource && key.field !== field);
  return new Set(isJsonObject(body) ? beside.map((key) => String(body[key.field])) : []);
}

/** The known records for a reference beside others, which names another record than they do. */
function apart(known: Known, memory: KnownRecords, beside: ReadonlySet<string>): Known {
  return beside.size === 0
    ? known
    : {
        ...known,
        namesOf(resource) {
          const names = known.namesOf(resource);
          const free = names.filter(({ identifier }) => !beside.has(String(identifier)));
          // Another record of somebody else is none for what names a record of the run.
          const isOwn = names.some((name) => memory.owns(name));
          const best = isOwn ? free.filter((name) => memory.owns(name)) : free;
          return best.length > 0 ? free : names;
        },
      };
}

/** Whether an action on the records of a resource reaches whom they refer to. */
function isSentOut(resource: Resource, { operations }: Contract): boolean {
  const { itemPath = '' } = resource;
  const below = `${plainPath(itemPath)}/`;
  const isAction = (one: Operation): boolean =>
    plainPath(one.path).startsWith(below) && reachesOut(one);
  return remember(sentOut, resource, () => itemPath !== '' && operations.some(isAction));
}

const sentOut = new WeakMap<Resource, boolean>();

/** Whether a request is about its document as a whole, a tag or a state, not what it names. */
function isOfDocument(intent: Intent): boolean {
  const rule = intent.kind === 'relation' ? intent.rule : '';
  return intent.kind === 'condition' || aboutOthers.has(rule);
}

const aboutOthers = new Set(
  'media-refused conflicting client-named stale-tag own-tag wrong-state other-id'.split(' '),
);

function withKey(
  body: JsonValue,
  { field, resource }: Pick<ForeignKey, 'field' | 'resource'>,
  known: Known,
): JsonValue {
  const before = isJsonObject(body) && Object.hasOwn(body, field) ? body[field] : undefined;
  if (before === undefined || before === null || !isJsonObject(body)) return body;
  const after = existing(before, resource, known);
  return after === before ? body : { ...body, [field]: after };
}

/** Whether a place of the contract is that of a member, or of a schema that it refers to. */
function isAt(tested: Pointer, schema: Schema, place: LocatedNode): boolean {
  const { places } = schema.flatten(place);
  return [place.pointer, ...places].some((pointer) => isWithin(tested, pointer));
}

interface OwnKind {
  readonly known: Known;
  readonly schema: Schema | undefined;
  readonly path: () => PathValues;
  isTested(key: Pick<ForeignKey, 'field'>): boolean;
}

/** A body whose reference to a record of its own kind, such as its parent, names another one. */
function withOwnKind(
  value: JsonValue,
  resource: Resource,
  { known, schema, path, isTested }: OwnKind,
): JsonValue {
  const fields = ownReferencesOf(resource, schema).filter((field) => !isTested({ field }));
  if (fields.length === 0) return value;
  const itself = new Set([...path().values()].map(String));
  const namesOf = (): RecordName[] =>
    known.namesOf(resource).filter(({ identifier }) => !itself.has(String(identifier)));
  return fields.reduce(
    (body, field) => withKey(body, { field, resource }, { ...known, namesOf }),
    value,
  );
}

/** A reference, or each of a list, as one to a record that exists. */
function existing(before: JsonValue, resource: Resource, known: Known): JsonValue {
  const names = known
    .namesOf(resource)
    .flatMap(({ identifier }) => (isJsonArray(before) ? identifier : alike(identifier, before)));
  const identifiers = [...new Set(names)];
  const isKnown = (value: JsonValue): boolean =>
    identifiers.some((identifier) => String(identifier) === String(value));
  const [first] = identifiers;
  if (first === undefined) return before;
  if (!isJsonArray(before)) return isKnown(before) ? before : first;
  return before.every(isKnown) ? before : identifiers.slice(0, before.length);
}

/** An identifier as a value of the type of another: `"17"` as 17. Empty if it cannot be that. */
function alike(identifier: JsonValue, model: JsonValue): JsonValue[] {
  if (typeof identifier === typeof model) return [identifier];
  if (typeof model === 'string') return typeof identifier === 'object' ? [] : [String(identifier)];
  const isNumber = typeof model === 'number' && /^(?:0|[1-9]\d{0,14})$/.test(String(identifier));
  return isNumber ? [Number(identifier)] : [];
}

/**
 * A body in which every `{ "type": …, "id": … }` names a record that exists, if the type is that of
 * another resource than its own.
 */
function withLinkage(value: JsonValue, known: Known, own: Resource | undefined): JsonValue {
  const { type, id } = isJsonObject(value) ? value : {};
  const resource =
    typeof type === 'string' ? calledAs(type, known.contract.resources)[0] : undefined;
  if (isJsonObject(value) && resource !== undefined && resource !== own && typeof id === 'string')
    return { ...value, id: existing(id, resource, known) };
  return editParts(value, (part) => withLinkage(part, known, own));
}

interface Addressing {
  readonly known: Known;
  /** The place of the contract that the case tests: what stands there does not change. */
  readonly tested: Pointer | undefined;
  readonly operation: Operation;
  readonly path: () => PathValues;
  /** The resource of the record in the body. */
  readonly own: Resource | undefined;
  readonly schema: Schema;
}

/**
 * A body in which every address of a record, as its schema shows it, is that of one that exists,
 * and every object that names a record by its identifier names such a one.
 */
function withAddresses(
  value: JsonValue,
  schema: Schema,
  addressing: Addressing,
  { place = schema, name }: { readonly place?: LocatedNode; readonly name?: string } = {},
): JsonValue {
  const { known, tested } = addressing;
  const flat = schema.flatten(place);
  if (isJsonArray(value)) {
    const { items: inside } = flat;
    if (inside === undefined) return value;
    return editParts(value, (item) =>
      withAddresses(item, schema, addressing, { place: inside, ...(name && { name }) }),
    );
  }
  if (isJsonObject(value))
    return editParts(withExisting(value, flat, addressing, name), (member, own) => {
      const inner = flat.properties.get(own);
      if (inner === undefined) return member;
      const named = name === undefined ? member : ofNamed(member, own, inner, addressing);
      return withAddresses(named, schema, addressing, { place: inner, name: own });
    });
  if (typeof value !== 'string' || (tested !== undefined && isWithin(tested, flat.pointer)))
    return value;
  const { resources } = known.contract;
  const addressed =
    addressedBy(flat.node, resources) ?? addressedBy({ examples: [value] }, resources);
  if (addressed === undefined) return value;
  const parent = name === 'parent' ? parentAddress(value, addressed, addressing) : undefined;
  return parent ?? existingAddress(value, addressed, known);
}

/** A key within an object that names a record of another kind: `recipients.list_id`. */
function ofNamed(
  value: JsonValue,
  name: string,
  place: LocatedNode,
  { known, tested, own, schema }: Addressing,
): JsonValue {
  const resource = isReference(name) ? namedResource(known.contract, name) : undefined;
  const isTested = tested !== undefined && isAt(tested, schema, place);
  const isKept = resource === undefined || resource === own || isTested || value === null;
  return isKept ? value : existing(value, resource, known);
}

/**
 * An object that names a record by its identifier, as one that exists, without what it need not
 * say: a service may store that in the record, or show what the record has.
 */
function withExisting(
  value: JsonObject,
  flat: FlatSchema,
  { known, tested, own, schema }: Addressing,
  name: string | undefined,
): JsonObject {
  const resource =
    name === undefined ? undefined : namedByObject(name, flat, known.contract.resources);
  if (resource === undefined || resource === own) return value;
  const { field } = resource.identifier;
  const before = value[field];
  const place = flat.properties.get(field);
  const isTested = tested !== undefined && place !== undefined && isAt(tested, schema, place);
  if (before === undefined || isTested || known.namesOf(resource).length === 0) return value;
  const named = { ...value, [field]: existing(before, resource, known) };
  if (tested !== undefined && isWithin(tested, flat.pointer)) return named;
  return membersWhere(named, (member) => member === field || flat.required.has(member));
}

/**
 * The address of the parent in the path of a request, in the form of another address: a `parent` in
 * the body has to be the same (AIP-231, AIP-233). Undefined if the path names no such parent.
 */
function parentAddress(
  form: string,
  { resource: { itemPath = '' } }: AddressedResource,
  { operation, path }: Addressing,
): string | undefined {
  const isBelow = plainPath(operation.path).startsWith(`${plainPath(itemPath)}/`);
  if (itemPath === '' || !isBelow) return undefined;
  const values = path();
  return rewriteAddress(itemPath, form, (at) => values.get(at));
}

function existingAddress(
  before: string,
  { resource, text }: AddressedResource,
  known: Known,
): string {
  const { itemPath = '' } = resource;
  const last = plainPath(itemPath).split('/').length - 2;
  const form = readAddress(itemPath, before) === undefined ? text : before;
  const addresses = known.namesOf(resource).flatMap(({ identifier, parents }) => {
    const valueAt = (at: number): JsonValue | undefined =>
      at === last ? identifier : parents.get(at);
    return rewriteAddress(itemPath, form, valueAt) ?? [];
  });
  return addresses.includes(before) ? before : (addresses[0] ?? before);
}
