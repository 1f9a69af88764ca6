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
import { batchesAsItems, filledGroups, findListed, type Given, groupsFor } from './open-batches.ts';
import { changedOperation } from '../calls/changed-operation.ts';
import { openCalls } from '../calls/open-calls.ts';
import { objectMembers } from '../schema/object-members.ts';
import { recordPlace } from './conventions/envelope-styles.ts';
import { withOperations } from './override-resources.ts';
import {
  closeRecord,
  type Groups,
  layoutOf,
  openedSchema,
  openRecord,
  recordNode,
} from './record-view.ts';

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
