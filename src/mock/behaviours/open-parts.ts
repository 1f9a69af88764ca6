import type { OpenParts } from '../../contract/infer/open-parts.ts';
import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { documentsRefusal } from '../../contract/model.ts';
import { bodySchema } from '../../contract/model/operation.ts';
import { type CountLimit, countLimit } from '../../contract/words/read-comparisons.ts';
import { type UniqueField, uniqueFields } from '../../contract/words/read-unique.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';
import { type Collection, type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import type { Reply } from '../model/reply.ts';
import { getRecord, recordAbove, textOf } from '../records/find-record.ts';

/**
 * The reply of an operation on parts without identifiers: what is added below a record is listed
 * there. Before anything is added, the list is what the contract shows, except below a record that
 * was made by a request.
 */
export function withParts(
  reply: Reply | Fault,
  request: ValidRequest,
  store: Store,
): MaybePromise<Reply | Fault> {
  const [parts] = reply.kind === 'reply' ? request.plan.parts() : [];
  if (reply.kind === 'fault' || parts === undefined || request.plan.role !== undefined)
    return reply;
  const place = partsPlace(request.session, request.request.target);
  return whenReady(store.get(place.collection, place.id), (kept) =>
    request.plan.operation === parts.list
      ? listed(reply, kept)
      : add(reply, { request, store, parts, place, kept: itemsOf(kept) }),
  );
}

interface PartsPlace {
  readonly collection: Collection;
  readonly id: string;
}

function partsPlace(session: string, target: string): PartsPlace {
  return { collection: { session, name: '(parts)' }, id: target.split('?', 1)[0] ?? '' };
}

function itemsOf(kept: JsonObject | undefined): readonly JsonObject[] {
  const items = kept?.['items'] ?? null;
  return isJsonArray(items) ? items.filter(isJsonObject) : [];
}

function listed(reply: Reply, kept: JsonObject | undefined): Reply {
  if (kept === undefined) return reply;
  const { bytes: _shown, ...others } = reply;
  return { ...others, body: itemsOf(kept) };
}

interface Adding {
  readonly request: ValidRequest;
  readonly store: Store;
  readonly parts: OpenParts;
  readonly place: PartsPlace;
  readonly kept: readonly JsonObject[];
}

async function add(reply: Reply, adding: Adding): Promise<Reply | Fault> {
  const { request, store, place, kept } = adding;
  const item = reply.body ?? null;
  if (!isJsonObject(item)) return reply;
  const refusal = takenPart(item, adding) ?? (await fullRecord(adding));
  if (refusal !== undefined) return refusal;
  const items = [...kept, item];
  await keepParts(place, items, store);
  await countParts(items.length, request, store);
  return reply;
}

async function keepParts(
  { collection, id }: PartsPlace,
  items: readonly JsonObject[],
  store: Store,
): Promise<void> {
  const whole = { id, record: { items } };
  if (!(await store.replace(collection, whole))) await store.insert(collection, whole);
}

/** The fields of a part that no two parts of a record share. */
const uniqueIn = ({ operation }: OperationPlan): UniqueField[] => {
  const schema = bodySchema(operation);
  return schema === undefined ? [] : uniqueFields(operation, schema);
};

function takenPart(item: JsonObject, { request, kept }: Adding): Fault | undefined {
  const field = request.plan
    .derive(uniqueIn)
    .find(({ name, ignoresCase }) =>
      kept.some((one) => isSameText(one[name], item[name], ignoresCase)),
    );
  if (field === undefined) return undefined;
  return makeFault('conflict', 'conflict', `Another one has this ${field.name}, and it is unique.`);
}

function isSameText(one: unknown, other: unknown, ignoresCase: boolean): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one === other || (ignoresCase && one.toLowerCase() === other.toLowerCase());
}

const limitIn = ({ operation, above }: OperationPlan): CountLimit | undefined => {
  const { resource } = above.at(-1) ?? {};
  return resource && countLimit(operation, resource);
};

/** The refusal of one part more than a number of the record that the one above names. */
async function fullRecord({ request, store, kept }: Adding): Promise<Fault | undefined> {
  const limit = request.plan.derive(limitIn);
  if (limit === undefined || !documentsRefusal(request.plan.operation, ['409'])) return undefined;
  const above = await recordAbove(request, store);
  const id = above?.record[limit.key];
  if (id === undefined) return undefined;
  const collection = { session: request.session, name: limit.target.collection };
  const most = (await getRecord(collection, textOf(id), store))?.record[limit.field];
  if (typeof most !== 'number' || kept.length < most) return undefined;
  const word = lastWord(request.plan.operation.path);
  return makeFault(
    'conflict',
    'conflict',
    `There are ${String(most)} ${word}, the ${limit.field}.`,
  );
}

/** The record above counts its parts, if it has a field for that. */
async function countParts(count: number, request: ValidRequest, store: Store): Promise<void> {
  const { above, operation } = request.plan;
  const field = above.at(-1)?.resource?.counts.find((one) => one.add === operation)?.field;
  const found = field === undefined ? undefined : await recordAbove(request, store);
  if (field === undefined || found === undefined) return;
  const { collection, id, record } = found;
  await store.replace(collection, { id, record: { ...record, [field]: count } });
}

/** Below a record that a request made, there are no parts yet. */
export async function markNoParts(url: string, request: ValidRequest, store: Store): Promise<void> {
  for (const {
    add: { path },
  } of request.plan.parts())
    await keepParts(partsPlace(request.session, `${url}/${lastWord(path)}`), [], store);
}
