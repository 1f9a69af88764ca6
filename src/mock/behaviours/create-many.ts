import { oncePer } from '../../contract/lazy.ts';
import type { Batch, ListShape, Operation } from '../../contract/model.ts';
import { documentsNotFound, documentsRefusal } from '../../contract/model/operation.ts';
import { isKeyName } from '../../contract/protocols/chosen-name.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { valueAt } from '../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject } from '../../json/value.ts';
import { type MaybePromise, type StoredRecord, whenReady } from '../../store/store.ts';
import { answerFromContract } from '../answer/responder.ts';
import { generateBody } from '../answer/generate-body.ts';
import type {
  Acting,
  Asking,
  Behaviour,
  Concern,
  OperationPlan,
  ValidRequest,
} from '../model/request.ts';
import { type Fault, makeFault, makeReply, type Reply } from '../model/reply.ts';
import { variantOf } from '../plan/plan-operations.ts';
import {
  collectionOf,
  findRecord,
  getRecord,
  removeChildren,
  textOf,
} from '../records/find-record.ts';
import { recordsWhere } from '../records/collections-below.ts';
import { keyOf, writeName } from '../records/identifier/full-name.ts';
import { parentConditions, parentTexts } from '../records/parent-fields.ts';
import { fieldsOf, type SchemaField } from '../records/record-fields.ts';
import { create } from './create.ts';
import { showList } from './list.ts';
import { replace, update } from './update.ts';
import { alternatives, namePattern } from '../../contract/infer/infer-names.ts';

/**
 * Adds the records of the body one by one, or changes those that it names; if one is refused, all
 * stays as it was. A batch that replaces the collection starts empty, and removes the records below
 * those that it does not contain. One of identifiers passes over those that are there.
 */
export const createMany: Behaviour = async ({ request, resource, store }) => {
  const batch = request.plan.role?.batch;
  const listed = batch && valueAt(request.body, batch.records);
  if (batch === undefined || !isJsonArray(listed)) return answerFromContract(request);
  const items = batch.does === 'add' ? await absent(listed, { request, batch, store }) : listed;
  const before = await earlierRecords(items, { request, batch, store });
  const changed = new Set(batch.does === 'update' ? before.map(({ id }) => id) : []);
  const putBack = async (): Promise<void> => {
    const collection = collectionOf(request, resource);
    for (const stored of before)
      if (!(await store.replace(collection, stored))) await store.insert(collection, stored);
  };
  const reply = await addAll(items, { request, batch, store, changed }).catch(
    async (error: unknown) => {
      await putBack();
      throw error;
    },
  );
  if (reply.kind === 'fault') await putBack();
  else
    for (const { id } of before)
      if ((await store.get(collectionOf(request, batch.resource), id)) === undefined)
        await removeChildren(request, id, store);
  return reply;
};

/** A record for each identifier that names none yet. */
async function absent(
  identifiers: JsonArray,
  { request, batch: { resource }, store }: Added,
): Promise<JsonObject[]> {
  const records: JsonObject[] = [];
  for (const id of identifiers)
    if ((await getRecord(collectionOf(request, resource), textOf(id), store)) === undefined)
      records.push({ [resource.identifier.field]: id });
  return records;
}

/** The records that a batch replaces, which are taken away, or those that it changes. */
async function earlierRecords(items: JsonArray, added: Added): Promise<readonly StoredRecord[]> {
  const { request, batch, store } = added;
  if (batch.does === 'replace') return takeAway({ request, resource: batch.resource, store });
  if (batch.does !== 'update') return [];
  const found = items.map(async (item): Promise<StoredRecord[]> => {
    const entry = readEntry(item, batch, request);
    if (entry.kind === 'fault') return [];
    const known = await findRecord(aloneOf(entry, added));
    return known.kind === 'found' ? [{ id: known.id, record: known.record }] : [];
  });
  return (await Promise.all(found)).flat();
}

async function takeAway({ request, resource, store }: Acting): Promise<readonly StoredRecord[]> {
  const collection = collectionOf(request, resource);
  const records = await recordsWhere(store, collection, parentConditions(request, resource));
  for (const { id } of records) await store.delete(collection, id);
  return records;
}

async function addAll(items: JsonArray, adding: Adding): Promise<Reply | Fault> {
  const { request, batch } = adding;
  const { resource } = batch;
  const added: JsonObject[] = [];
  for (const [index, entry] of items.entries()) {
    const read = readEntry(entry, batch, request);
    const reply = await replyAsync(() => addEntry(read, adding)).catch(async (error: unknown) => {
      // The store may be full.
      await removeAll(added, adding);
      throw error;
    });
    const record = reply.kind === 'reply' ? reply.state : undefined;
    if (reply.kind === 'fault') {
      await removeAll(added, adding);
      return naming(reply, `${batch.records.slice(1)}[${String(index)}]`);
    }
    if (isJsonObject(record)) added.push(record);
  }
  const shown = showMany(added, { request, resource, shows: batch.shows });
  if (shown.kind === 'fault') await removeAll(added, adding);
  return shown;
}

function addEntry(entry: BatchEntry | Fault, added: Added): MaybePromise<Reply | Fault> {
  if (entry.kind === 'fault') return entry;
  const { batch } = added;
  const on = aloneOf(entry, added);
  if (batch.does !== 'update') return create(on);
  return whenReady(findRecord(on), ({ kind }) => {
    const changes = kind === 'found' || documentsNotFound(batch.operation);
    const change = batch.operation.method === 'PUT' ? replace : update;
    return changes ? change(on) : create(on);
  });
}

/** The request that an entry would be if it were sent alone. */
function aloneOf({ record, name }: BatchEntry, { request, batch, store }: Added): Acting {
  const plan = planOfItem(request.plan, batch);
  const alone = { ...request, plan, content: undefined, body: record, entryName: name };
  return { request: alone, resource: batch.resource, store };
}

interface Added extends Asking {
  readonly batch: Batch;
}

interface Adding extends Added {
  /** The keys of the records that the batch changes: they stay if it is refused. */
  readonly changed: ReadonlySet<string>;
}

async function removeAll(
  added: readonly JsonObject[],
  { request, batch: { resource }, store, changed }: Adding,
): Promise<void> {
  const keys = added.map((record) => keyOf(resource, record[resource.identifier.field] ?? ''));
  for (const key of keys)
    if (!changed.has(key)) await store.delete(collectionOf(request, resource), key);
}

/** Converts a synchronous exception of a driver into a rejection. */
async function replyAsync(make: () => MaybePromise<Reply | Fault>): Promise<Reply | Fault> {
  return make();
}

function naming(fault: Fault, place: string): Fault {
  return {
    ...fault,
    message:
      `${quoteExcerpt(place)} in the body is refused, and so nothing changes. ` + fault.message,
  };
}

/** The plan of the operation as if it added one record. */
const planOfItem = oncePer((plan: OperationPlan, { operation, item }: Batch): OperationPlan => {
  const { requestBody } = operation;
  const one: Operation =
    requestBody === undefined
      ? operation
      : {
          ...operation,
          requestBody: {
            ...requestBody,
            content: requestBody.content.map((entry) => ({ ...entry, schema: item })),
          },
        };
  return variantOf(plan, { operation: one, above: [] });
});

/** The facts for a response with several records. */
interface ManyShowing extends Concern {
  /** The form of a list in the response; undefined if it has none. */
  readonly shows: ListShape | undefined;
}

/**
 * The response for several records: the records if the contract shows them, otherwise their
 * identifiers or their number.
 */
export function showMany(
  records: readonly JsonObject[],
  { request, resource, shows }: ManyShowing,
): Reply | Fault {
  const { content, plan } = request;
  if (content === undefined) return makeReply(plan.status, undefined);
  const total = records.length;
  if (shows !== undefined)
    return showList(records, {
      request,
      resource,
      shape: { ...shows, links: false },
      page: { total, offset: 0, size: undefined, count: total },
    });
  const ids = records.flatMap((record) => record[resource.identifier.field] ?? []);
  if (content.schema?.validate(ids, 'response').length === 0) return makeReply(plan.status, ids);
  const body = generateBody(
    content,
    request,
    content.schema === undefined ? {} : identifyingMembers(fieldsOf(content.schema).values(), ids),
  );
  return body.kind === 'fault' ? body : makeReply(plan.status, body.value);
}

const outcomes = alternatives(
  'deleted removed cleared purged affected created inserted added imported processed succeeded',
);
const countNames = namePattern(
  `^(number(of)?)?(${outcomes})?(records|items|rows|count|total|number)?$`,
);
const idNames = /^(deleted|removed|cleared|created|inserted|added)?(ids|identifiers|keys)$/;

/** Fills in members with the number or the identifiers of records. */
function identifyingMembers(fields: Iterable<SchemaField>, ids: readonly JsonValue[]): JsonObject {
  return Object.fromEntries(
    [...fields].flatMap(
      ({ name, normalised, flat: { types } }): (readonly [string, JsonValue])[] => {
        const isCount =
          types.some((type) => type === 'integer' || type === 'number') &&
          countNames.test(normalised);
        const isList = types.includes('array') && idNames.test(normalised);
        return isCount ? [[name, ids.length]] : isList ? [[name, ids]] : [];
      },
    ),
  );
}

/** An entry of a batch: its record, and the name that it gives the record. */
interface BatchEntry {
  readonly kind: 'entry';
  readonly record: JsonValue;
  readonly name?: JsonValue | undefined;
}

/**
 * Reads an entry of a batch. Beside its record there may be the name of the record, and its parent,
 * which is that of the path (Google AIP-233).
 */
function readEntry(entry: JsonValue, batch: Batch, request: ValidRequest): BatchEntry | Fault {
  const { wrapped, resource } = batch;
  if (wrapped === undefined || !isJsonObject(entry)) return { kind: 'entry', record: entry };
  const stray = strayParent(entry, batch, request);
  if (stray !== undefined) return stray;
  const key = Object.keys(entry).find((name) => name !== wrapped && isKeyName(resource, name));
  const name = key === undefined ? undefined : entry[key];
  return { kind: 'entry', record: entry[wrapped] ?? null, name: name === '' ? undefined : name };
}

/** The refusal of an entry whose parent is another one than that of the path. */
function strayParent(
  { parent }: JsonObject,
  { resource, operation }: Batch,
  request: ValidRequest,
): Fault | undefined {
  const above = resource.parents.at(-1)?.resource;
  const texts = parentTexts(request, resource);
  const [own = ''] = texts.slice(-1);
  if (typeof parent !== 'string' || parent === '' || above === undefined) return undefined;
  const name = writeName(above, own, texts.slice(0, -1));
  if (parent === name || parent === own || !documentsRefusal(operation)) return undefined;
  const message = `The parent ${quoteExcerpt(parent)} is not that of the path, ${String(name)}.`;
  return makeFault('body-value', 'invalid_value', message, {
    issues: [{ location: 'body', name: 'parent', rule: 'parent', message }],
  });
}
