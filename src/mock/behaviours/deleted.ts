import { documentsRefusal, type Resource } from '../../contract/model.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import type { SoftDelete } from '../../contract/protocols/soft-delete.ts';
import { type Collection, type Store, type StoredRecord, whenReady } from '../../store/store.ts';
import type { Acting, OperationPlan, ValidRequest } from '../model/request.ts';
import { type Fault, makeFault, type Reply } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { queryAmong } from '../records/collections-below.ts';
import { namedInQuery } from '../records/identifier/named-in-query.ts';
import { type SchemaField, shapeOf, writeMoment } from '../records/record-fields.ts';
import {
  collectionOf,
  findRecord,
  getRecord,
  namedRecord,
  textOf,
} from '../records/find-record.ts';
import { staleTag } from '../records/patch/stale-tag.ts';
import { showRecord } from '../records/show/present-record.ts';
import { parameterKey } from '../request/read-request.ts';
import { remove } from './remove.ts';
import { readAs } from './tried.ts';
import { act } from './update.ts';

/** Where the deleted records of a collection are kept until they are restored (AIP-164). */
function deletedOf(request: ValidRequest, resource: Resource): Collection {
  const { session, name } = collectionOf(request, resource);
  return { session, name: `${name} (deleted)` };
}

function softIn({ role, contract }: OperationPlan): SoftDelete | undefined {
  return role && protocolsOf(contract, role.resource).softDelete;
}

/** A deletion that keeps the record, where an operation can restore or show it. */
export const keepingDeleted: Convention = (plan, resource) => {
  if (softIn(plan)?.removal !== plan.operation) return undefined;
  const mark = markOf(resource);
  return {
    change: async (on) => {
      const { request, store } = on;
      const found = await findRecord(on);
      const before = await store.list(collectionOf(request, resource));
      const reply = await remove(on);
      if (found.kind === 'fault' || reply.kind === 'fault') return reply;
      await keepPlace(found.id, before, on);
      const moment = mark && { [mark.name]: writeMoment(mark, request.now) };
      const record = { ...found.record, ...moment };
      await store.insert(deletedOf(request, resource), { id: found.id, record });
      return showRecord(request, record);
    },
  };
};

/** Where the places of deleted records are kept: the record behind each. */
function placesOf({ session, name }: Collection): Collection {
  return { session, name: `${name} (places)` };
}

/** Remembers behind which other records a deleted one stood. */
async function keepPlace(
  id: string,
  before: readonly StoredRecord[],
  { request, resource, store }: Acting,
): Promise<void> {
  const next = before[before.findIndex((one) => one.id === id) + 1]?.id ?? '';
  const places = placesOf(deletedOf(request, resource));
  await store.delete(places, id);
  await store.insert(places, { id, record: { next } });
}

/** An action that restores a deleted record. */
export const restoring: Convention = (plan, resource) => {
  if (softIn(plan)?.restore !== plan.operation) return undefined;
  const mark = markOf(resource)?.name;
  return {
    change: async (on) => {
      const { request, store } = on;
      const deleted = deletedOf(request, resource);
      const found = await getRecord(deleted, namedRecord(request, resource).id, store);
      if (found === undefined) return notDeleted(on);
      const { id } = found;
      const stale = staleTag(request, resource, found.record);
      if (stale !== undefined) return stale;
      const kept = Object.entries(found.record).filter(([name]) => name !== mark);
      const record = Object.fromEntries(kept);
      await store.delete(deleted, id);
      await store.insert(collectionOf(request, resource), { id, record });
      return showRecord(request, record);
    },
  };
};

/** The refusal to restore what is not deleted (AIP-164: ALREADY_EXISTS), where 409 is documented. */
async function notDeleted(on: Acting): Promise<Reply | Fault> {
  const found = await findRecord(on);
  return found.kind === 'found' && documentsRefusal(on.request.plan.operation, ['409'])
    ? makeFault('conflict', 'already_exists', `The record of ${on.resource.name} is not deleted.`)
    : act(on);
}

/** A list that shows deleted records too, if the request asks for them. */
export const listingDeleted: Convention = (plan, resource) => {
  const shown = softIn(plan)?.shown;
  if (shown === undefined) return undefined;
  return {
    select: ({ request, store }) =>
      request.parameters.get(parameterKey(shown)) === true
        ? withDeleted(store, deletedOf(request, resource))
        : store,
  };
};

/** A store whose queries find the deleted records too, in the order of their adding. */
function withDeleted(store: Store, deleted: Collection): Store {
  const query: Store['query'] = async (collection, wanted) => {
    const records = [...(await store.list(collection))];
    // What was deleted last stood beside records that were still there.
    for (const one of (await store.list(deleted)).toReversed()) {
      const { next } = (await store.get(placesOf(deleted), one.id)) ?? {};
      const at = records.findIndex(({ id }) => id === next);
      records.splice(at === -1 ? records.length : at, 0, one);
    }
    return queryAmong(records, wanted);
  };
  return readAs(store, { query });
}

/**
 * A read that shows a deleted record too, if the request asks for it; without a parameter for that,
 * if records have a moment of their deletion.
 */
export const readingDeleted: Convention = (plan, resource) => {
  const soft = softIn(plan);
  if (soft === undefined || (soft.read === undefined && markOf(resource) === undefined))
    return undefined;
  const { read } = soft;
  return {
    before: ({ request, store }) => {
      if (read !== undefined && request.parameters.get(parameterKey(read)) !== true)
        return undefined;
      const { id } = namedRecord(request, resource);
      return whenReady(
        getRecord(deletedOf(request, resource), id, store),
        (found) => found && showRecord(request, found.record),
      );
    },
  };
};

/** A create whose name in the query may be that of a deleted record: it stays taken (AIP-133). */
export const besideDeleted: Convention = (plan, resource) => {
  if (softIn(plan)?.restore === undefined) return undefined;
  const message = `A deleted record of ${resource.name} has this name.`;
  return {
    before: ({ request, store }) => {
      const name = namedInQuery(request, resource);
      if (name === undefined) return undefined;
      return whenReady(
        getRecord(deletedOf(request, resource), textOf(name), store),
        (found) => found && makeFault('conflict', 'conflict', message),
      );
    },
  };
};

/** The field of a record that holds the moment of its deletion: `delete_time`. */
function markOf(resource: Resource): SchemaField | undefined {
  return [...shapeOf(resource).fields.values()].find(
    ({ normalised, flat }) =>
      /^delet(?:e|ed|ion)(?:time|at|date)$/.test(normalised) && flat.node.format === 'date-time',
  );
}
