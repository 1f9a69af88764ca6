import { looksLike } from '../../words-in.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import type { Envelope, LocatedNode, Operation, Schema } from '../model.ts';
import type { Asked } from '../calls/call.ts';
import { changedOperation } from '../calls/changed-operation.ts';
import { ordinaryOf } from '../calls/ordinary.ts';
import { bodySchema } from '../model/operation.ts';
import { objectMembers } from '../schema/object-members.ts';
import { successSchema } from './conventions/envelope-styles.ts';
import { collectionPathOf, lastParameter, pathKey, plainPath } from './conventions/path-styles.ts';
import { namesToDelete } from './infer-bulk-action.ts';
import { type Groups, layoutOf, recordNode } from './record-view.ts';

/** What the other operations of a contract tell about the bodies of one. */
export interface Given {
  /** The paths that a GET has, whose other operations are about the same records. */
  readonly listed: ReadonlySet<string>;
  readonly groups: Groups;
}

/**
 * The record in the list of a body that takes several at once, and whose answer lists them in the
 * same member: `{ "records": [{ "fields": { … } }] }`. Where nothing else makes or changes records
 * on the path of their list, one of them is a record.
 */
export function findListed(
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

/** The only member of an object that has fields in it, or the only one that is required. */
function onlyFilled(schema: Schema, at: LocatedNode): ReturnType<typeof onlyGroup> {
  const { properties, required } = schema.flatten(at);
  const [name = '', ...others] = required;
  const place = others.length === 0 ? properties.get(name) : undefined;
  const isGroup = place !== undefined && schema.flatten(place).properties.size > 0;
  const hasFields = [...properties.values()].some((one) => {
    const { types } = schema.flatten(one);
    return !types.includes('object') && !types.includes('array');
  });
  return isGroup && !hasFields ? { name, place } : onlyGroup(schema, at);
}

/**
 * The group of a record that a create fills, and nothing else: `fields` of `{ "id": …, "fields": {
 * … } }` where a create takes `{ "fields": { … } }`, alone or as one of a list.
 */
export function filledGroups(operation: Operation): [Pointer, string][] {
  const whole = bodySchema(operation);
  const answer = successSchema(operation);
  if (operation.method !== 'POST' || whole === undefined || answer === undefined) return [];
  const list = listedIn(whole, operation);
  const group = onlyFilled(whole, list?.items ?? whole);
  const listed = list && answer.flatten().properties.get(list.name);
  const record = list === undefined ? answer : listed && answer.flatten(listed).items;
  const inside = group && record && answer.flatten(record).properties;
  // `{ "data": … }` stands around a record: beside a group stands what the record is called.
  const isNamed = inside !== undefined && [...inside.keys()].some(isIdentifying);
  const isGroup = isNamed && inside.has(group?.name ?? '');
  return isGroup && group && record ? [[answer.follow(record).pointer, group.name]] : [];
}

/** The group of a body that a change fills as a create does, beside other members of the record. */
export function groupsFor(whole: Schema, operation: Operation, given: Given | undefined): Groups {
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
export function batchesAsItems(all: readonly Operation[]): readonly Operation[] {
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
