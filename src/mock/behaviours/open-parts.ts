import { type Kept, keptAt } from '../records/collection-name.ts';
import { type OpenParts, openPartsAt, openPartsBelow } from '../../contract/infer/open-parts.ts';
import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { documentsRefusal } from '../../contract/model.ts';
import { bodySchema } from '../../contract/model/operation.ts';
import { type CountLimit, countLimit } from '../../contract/words/read-comparisons.ts';
import { type UniqueField, uniqueFields } from '../../contract/words/read-unique.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';
import { type Store, whenReady } from '../../store/store.ts';
import type { Asking, OperationPlan } from '../model/request.ts';
import { type Fault, makeFault, type Reply } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { getRecord, recordAbove, textOf } from '../records/find-record.ts';
import { urlOfNew } from '../records/show/item-url.ts';

/**
 * The reply of an operation on parts without identifiers: what is added below a record is listed
 * there. Before anything is added, the list is what the contract shows, except below a record that
 * was made by a request.
 */
export const withParts: Convention<Asking> = (plan) => {
  const [parts] = plan.derive(partsIn);
  if (parts === undefined) return undefined;
  return {
    after: (reply, on) => {
      const { request, store } = on;
      const place = keptAt('(parts)', request.session, request.request.target);
      return whenReady(store.get(place.collection, place.id), (kept) =>
        plan.operation === parts.list
          ? listed(reply, kept)
          : add(reply, { ...on, place, kept: itemsOf(kept) }),
      );
    },
  };
};

/** The parts without identifiers below the records of an operation; of no resource, its own. */
export function partsIn({ operation, role, contract }: OperationPlan): readonly OpenParts[] {
  if (role !== undefined) return openPartsBelow(role.resource, contract);
  return [openPartsAt(operation, contract)].filter((parts) => parts !== undefined);
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

interface Adding extends Asking {
  readonly place: Kept;
  readonly kept: readonly JsonObject[];
}

async function add(reply: Reply, adding: Adding): Promise<Reply | Fault> {
  const { store, place, kept } = adding;
  const item = reply.body ?? null;
  if (!isJsonObject(item)) return reply;
  const refusal = takenPart(item, adding) ?? (await fullRecord(adding));
  if (refusal !== undefined) return refusal;
  const items = [...kept, item];
  await keepParts(place, items, store);
  await countParts(items.length, adding);
  return reply;
}

async function keepParts(
  { collection, id }: Kept,
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
async function fullRecord(adding: Adding): Promise<Fault | undefined> {
  const { request, store, kept } = adding;
  const limit = request.plan.derive(limitIn);
  if (limit === undefined || !documentsRefusal(request.plan.operation, ['409'])) return undefined;
  const above = await recordAbove(adding);
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
async function countParts(count: number, on: Asking): Promise<void> {
  const { request, store } = on;
  const { above, operation } = request.plan;
  const field = above.at(-1)?.resource?.counts.find((one) => one.add === operation)?.field;
  const found = field === undefined ? undefined : await recordAbove(on);
  if (field === undefined || found === undefined) return;
  const { collection, id, record } = found;
  await store.replace(collection, { id, record: { ...record, [field]: count } });
}

/** A new record has no such parts until somebody adds them. */
export const startingWithoutParts: Convention = (plan) => {
  const all = plan.derive(partsIn);
  if (all.length === 0) return undefined;
  return {
    after: async (reply, on): Promise<undefined> => {
      const url = urlOfNew(reply, on);
      for (const { add: one } of url === undefined ? [] : all)
        await keepParts(
          keptAt('(parts)', on.request.session, `${url}/${lastWord(one.path)}`),
          [],
          on.store,
        );
    },
  };
};
