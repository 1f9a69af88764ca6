import { isJsonMediaType } from '../../http/media-type.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { remember } from '../../remember.ts';
import type {
  Contract,
  Envelope,
  LocatedNode,
  MediaTypeSpec,
  Operation,
  Schema,
} from '../model.ts';
import { changedOperation } from '../calls/changed-operation.ts';
import { openCalls } from '../calls/open-calls.ts';
import { objectMembers } from '../schema/object-members.ts';
import { recordPlace, successSchema } from './conventions/envelope-styles.ts';
import { withOperations } from './override-resources.ts';
import {
  closeRecord,
  type Groups,
  layoutOf,
  openedSchema,
  openRecord,
  recordNode,
} from './record-view.ts';
import { looksLike } from '../../words-in.ts';
import type { Asked } from '../calls/call.ts';
import { ordinaryOf } from '../calls/ordinary.ts';
import { bodySchema } from '../model/operation.ts';
import { collectionPathOf, lastParameter, pathKey, plainPath } from './conventions/path-styles.ts';
import { namesToDelete } from './infer-bulk-action.ts';

/**
 * The contract with its envelopes open: where bodies keep the fields of a record in a group, as
 * JSON:API does, requests take and inference sees the fields alone. What is sent, and what answers
 * are validated against, stays as the document says. The same contract if it has no such bodies.
 */
export function openEnvelopes(contract: Contract): Contract {
  const before = known.get(contract);
  if (before !== undefined) return before;
  const made = openAnew(contract);
  known.set(contract, made).set(made, made);
  return made;
}

// A proof runs hundreds of checks of one contract.
const known = new WeakMap<Contract, Contract>();

function openAnew(contract: Contract): Contract {
  const told = openCalls(contract.operations, contract.effects);
  const listed = new Set(told.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  const given = { listed, groups: new Map(told.flatMap(filledGroups)) };
  const operations = batchesAsItems(told.map((operation) => openOperation(operation, given)));
  return operations.some((operation, index) => operation !== contract.operations[index])
    ? withOperations(contract, operations)
    : contract;
}

const openedOf = new WeakMap<Operation, Operation>();

/** An operation with its envelopes open; the same if it has none. */
export function openedOperation(operation: Operation): Operation {
  return remember(openedOf, operation, () => openOperation(operation));
}

function openOperation(operation: Operation, given?: Given): Operation {
  const { requestBody, responses } = operation;
  const content =
    requestBody && openAll(requestBody.content, (media) => openRequest(media, operation, given));
  const answers = openAll(responses, (response) => {
    const opened = openAll(response.content, (media) => openResponse(media, given?.groups));
    return opened === response.content ? response : { ...response, content: opened };
  });
  if (content === requestBody?.content && answers === responses) return operation;
  const changed: Partial<Operation> = {
    responses: answers,
    ...(requestBody === undefined || content === undefined
      ? {}
      : { requestBody: { ...requestBody, content } }),
  };
  return changedOperation(operation, changed);
}

function openAll<Part>(parts: readonly Part[], open: (part: Part) => Part): readonly Part[] {
  const made = parts.map(open);
  return made.some((part, index) => part !== parts[index]) ? made : parts;
}

function openResponse(media: MediaTypeSpec, groups: Groups | undefined): MediaTypeSpec {
  const opened =
    media.schema === undefined || !isJsonMediaType(media.mediaType)
      ? undefined
      : openedSchema(media.schema, groups);
  return opened === undefined ? media : { ...media, records: opened };
}

function openRequest(
  media: MediaTypeSpec,
  operation: Operation,
  given: Given | undefined,
): MediaTypeSpec {
  const whole = isJsonMediaType(media.mediaType) ? media.schema : undefined;
  const isListed = given?.listed.has(operation.path) === true;
  const found =
    whole &&
    (findRecord(whole, groupsFor(whole, operation, given)) ??
      findWrapped(whole, operation) ??
      (isListed ? findListed(whole, operation) : undefined));
  if (whole === undefined || found === undefined) return media;
  const { at, schema } = found;
  const envelope: Envelope = { at, whole, layout: found.layout };
  const examples = media.examples.flatMap((example) => {
    const value = openBody(envelope, example.value);
    return value === undefined ? [] : [{ ...example, value }];
  });
  return { ...media, schema, envelope, examples };
}

/** The record that is all that a body says: it stands at the top, or in the only required member. */
function findRecord(
  whole: Schema,
  groups?: Groups,
): (Pick<Envelope, 'at' | 'layout'> & { readonly schema: Schema }) | undefined {
  const flat = whole.flatten();
  const inner = flat.properties.get('data');
  const places: (LocatedNode & { readonly at: Pointer })[] = [
    { at: '', node: whole.node, pointer: whole.pointer },
    ...(inner === undefined ? [] : [{ at: joinPointer('', 'data'), ...inner }]),
  ];
  for (const { at, ...place } of places) {
    const node = recordNode(whole, place, groups);
    if (node === undefined) continue;
    const schema = whole.part({ node, pointer: joinPointer(place.pointer, 'x-vouch-open') });
    const layout = layoutOf(schema);
    if (layout !== undefined) return { at, layout, schema };
  }
  return undefined;
}

/** The record in the only member of a body, if the answer wraps its record in the same member. */
function findWrapped(
  whole: Schema,
  operation: Operation,
): (Pick<Envelope, 'at' | 'layout'> & { readonly schema: Schema }) | undefined {
  const flat = whole.flatten();
  const [[name, place] = [], ...others] = [...flat.properties];
  if (name === undefined || place === undefined || others.length > 0) return undefined;
  const at = joinPointer('', name);
  const schema = whole.part(whole.follow(place));
  const isWrapped = flat.required.has(name) && recordPlace(operation)?.at === at;
  return isWrapped && objectMembers(schema).properties.size > 0 ? { at, schema } : undefined;
}

/** The fields in a body; undefined if it does not have its envelope. */
export function openBody({ at, layout }: Envelope, body: JsonValue): JsonValue | undefined {
  const record = valueAt(body, at);
  if (layout === undefined) return record;
  if (!isJsonObject(record)) return undefined;
  const group = record[layout.group];
  return group === undefined || isJsonObject(group) ? openRecord(layout, record) : undefined;
}

/** The opposite: fields as the body that the service gets. What is no object goes out as it is. */
export function closeBody({ at, layout }: Envelope, fields: JsonValue): JsonValue {
  const record =
    isJsonObject(fields) && layout !== undefined ? closeRecord(layout, fields) : fields;
  return splitPointer(at).reduceRight<JsonValue>(
    (inner, name) => (name === '0' ? [inner] : { [name]: inner }),
    record,
  );
}

/**
 * The place of a field by the names that lead to it in a body as it is sent:
 * `data.attributes.title` is `title`, and `data.relationships.author.data.id` is `author`.
 * Undefined if the names lead to no field. `plain` writes names as they are compared.
 */
export function openedNames(
  { at, layout }: Envelope,
  names: readonly string[],
  plain: (name: string) => string = (name) => name,
): readonly string[] | undefined {
  const around = splitPointer(at).map(plain);
  if (!around.every((name, index) => plain(names[index] ?? '') === name)) return undefined;
  const [first, ...inner] = names.slice(around.length);
  if (first === undefined) return undefined;
  if (layout === undefined || layout.own.some((own) => plain(own) === plain(first)))
    return [first, ...inner];
  if (plain(first) === plain(layout.relations?.member ?? '')) return inner.slice(0, 1);
  return plain(first) === plain(layout.group) ? inner : undefined;
}

/** What the other operations of a contract tell about the bodies of one. */
interface Given {
  /** The paths that a GET has, whose other operations are about the same records. */
  readonly listed: ReadonlySet<string>;
  readonly groups: Groups;
}

/**
 * The record in the list of a body that takes several at once, and whose answer lists them in the
 * same member: `{ "records": [{ "fields": { … } }] }`. Where nothing else makes or changes records
 * on the path of their list, one of them is a record.
 */
function findListed(
  whole: Schema,
  operation: Operation,
): (Pick<Envelope, 'at' | 'layout'> & { readonly schema: Schema }) | undefined {
  const list = listedIn(whole, operation);
  if (list === undefined) return undefined;
  const at = joinPointer('', list.name, '0');
  const alone = onlyGroup(whole, list.items);
  if (alone !== undefined)
    return { at: joinPointer(at, alone.name), schema: whole.part(whole.follow(alone.place)) };
  const node = recordNode(whole, list.items);
  const place = node && { node, pointer: joinPointer(list.items.pointer, 'x-vouch-open') };
  const schema = whole.part(place ?? whole.follow(list.items));
  return objectMembers(schema).properties.size === 0
    ? undefined
    : { at, schema, layout: layoutOf(schema) };
}

/**
 * The only required member of a body, if it is a list of records, and the answer has one of that
 * name. An answer that is a record itself, such as an order with its lines, is none of several.
 */
function listedIn(
  whole: Schema,
  operation: Operation,
): { readonly name: string; readonly items: LocatedNode } | undefined {
  const { required, properties } = whole.flatten();
  const [name = '', ...others] = required;
  const place = properties.get(name);
  const items = place && whole.flatten(place).items;
  const answered = [...(successSchema(operation)?.flatten().properties.keys() ?? [])];
  if (items === undefined || others.length > 0 || !answered.includes(name)) return undefined;
  // `{ "type": …, "id": … }` alone names a record.
  const members = [...whole.flatten(items).properties.keys()];
  const saysMore = members.some((member) => !isIdentifying(member) && member !== 'type');
  return saysMore && !answered.some(isIdentifying) ? { name, items } : undefined;
}

/** The only member of an object, if that is an object with members of its own. */
function onlyGroup(
  schema: Schema,
  at: LocatedNode,
): { readonly name: string; readonly place: LocatedNode } | undefined {
  const [[name, place] = [], ...others] = [...schema.flatten(at).properties];
  const isGroup = place !== undefined && schema.flatten(place).properties.size > 0;
  return name !== undefined && isGroup && others.length === 0 ? { name, place } : undefined;
}

/**
 * The group of a record that a create fills, and nothing else: `fields` of `{ "id": …, "fields": {
 * … } }` where a create takes `{ "fields": { … } }`, alone or as one of a list.
 */
function filledGroups(operation: Operation): [Pointer, string][] {
  const whole = bodySchema(operation);
  const answer = successSchema(operation);
  if (operation.method !== 'POST' || whole === undefined || answer === undefined) return [];
  const list = listedIn(whole, operation);
  const group = onlyGroup(whole, list?.items ?? whole);
  const listed = list && answer.flatten().properties.get(list.name);
  const record = list === undefined ? answer : listed && answer.flatten(listed).items;
  const inside = group && record && answer.flatten(record).properties;
  // `{ "data": … }` stands around a record: beside a group stands what the record is called.
  const isNamed = inside !== undefined && [...inside.keys()].some(isIdentifying);
  const isGroup = isNamed && inside.has(group?.name ?? '');
  return isGroup && group && record ? [[answer.follow(record).pointer, group.name]] : [];
}

/** The group of a body that a change fills as a create does, beside other members of the record. */
function groupsFor(whole: Schema, operation: Operation, given: Given | undefined): Groups {
  const answer = successSchema(operation);
  const group = answer && given?.groups.get(answer.follow(answer).pointer);
  const isFilled = group !== undefined && whole.flatten().properties.has(group);
  return new Map(isFilled ? [[whole.follow(whole).pointer, group]] : []);
}

/**
 * Operations on a list that take what names each of several records, as one that is sent for one of
 * them is: PATCH `{ "records": [{ "id": …, "fields": { … } }] }` on the path of a record, and
 * DELETE with `records[]`. `all`: those of the document, with their envelopes open. Another
 * operation with that path and method is for one record alone, and stays the only one.
 */
function batchesAsItems(all: readonly Operation[]): readonly Operation[] {
  const taken = new Set(all.map(({ method, path }) => `${method} ${pathKey(path)}`));
  const items = new Map(
    all.flatMap(({ method, path }) =>
      method === 'GET' && lastParameter(path) !== undefined ? [[collectionPathOf(path), path]] : [],
    ),
  );
  return all.map((operation) => {
    const path = items.get(plainPath(operation.path));
    const { method } = operation;
    const isFree = path !== undefined && !taken.has(`${method} ${pathKey(path)}`);
    const name = path === undefined ? undefined : lastParameter(path);
    const asked = isFree && operation.wire === undefined ? namesEach(operation) : undefined;
    if (path === undefined || name === undefined || asked === undefined) return operation;
    return named(ordinaryOf(operation, { path, method, named: new Map([[name, asked]]) }));
  });
}

/** An operation whose path says what its body said: the body need not say it. */
function named(operation: Operation): Operation {
  const { requestBody } = operation;
  if (requestBody === undefined) return operation;
  const content = requestBody.content.map((media) => {
    const { envelope } = media;
    if (envelope === undefined) return media;
    const [list = ''] = splitPointer(envelope.at);
    const entry = { type: 'object', required: [...(envelope.layout?.required ?? [])] };
    const records = { type: 'array', minItems: 1, items: entry };
    const node = { type: 'object', required: [list], properties: { [list]: records } };
    const pointer = joinPointer(envelope.whole.pointer, 'x-vouch-named');
    const whole = envelope.whole.part({ node, pointer });
    return { ...media, envelope: { ...envelope, whole } };
  });
  return changedOperation(operation, { requestBody: { ...requestBody, content } });
}

/** What names a record of a batch: in its entry, or in the query of a DELETE. */
function namesEach(operation: Operation): Asked | undefined {
  const several = namesToDelete(operation);
  if (several !== undefined)
    return { name: several.name, in: 'query', required: true, many: true, schema: several.schema };
  const media = operation.requestBody?.content.find(({ envelope }) => envelope?.at.endsWith('/0'));
  const { schema, envelope } = media ?? {};
  const name = envelope?.layout?.own.find(isIdentifying);
  const place = name === undefined ? undefined : schema?.flatten().properties.get(name);
  if (schema === undefined || name === undefined || place === undefined) return undefined;
  return { name, in: 'body', required: true, many: false, schema: schema.part(place) };
}

const isIdentifying = looksLike(/^_?(id|uuid|guid)$/i);
