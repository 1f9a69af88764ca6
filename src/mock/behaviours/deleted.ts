import { documentsRefusal, type Resource } from '../../contract/model.ts';
import { type Collection, type Store, type StoredRecord, whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
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
import { storingNothing } from './tried.ts';

/** Where the deleted records of a collection are kept until they are restored (AIP-164). */
function deletedOf(request: ValidRequest, resource: Resource): Collection {
  const { session, name } = collectionOf(request, resource);
  return { session, name: `${name} (deleted)` };
}

/** A deletion that keeps the record, where an operation can restore or show it. */
export function keepingDeleted(remove: Behaviour): Behaviour {
  return async (request, resource, store) => {
    if (request.plan.softDelete()?.removal !== request.plan.operation)
      return remove(request, resource, store);
    const found = await findRecord(request, resource, store);
    const before = await store.list(collectionOf(request, resource));
    const reply = await remove(request, resource, store);
    if (found.kind === 'fault' || reply.kind === 'fault') return reply;
    await keepPlace(found.id, before, { request, resource, store });
    const mark = markOf(resource);
    const moment = mark && { [mark.name]: writeMoment(mark, request.now) };
    const record = { ...found.record, ...moment };
    await store.insert(deletedOf(request, resource), { id: found.id, record });
    return showRecord(request, record);
  };
}

/** Where the places of deleted records are kept: the record behind each. */
function placesOf({ session, name }: Collection): Collection {
  return { session, name: `${name} (places)` };
}

/** Remembers behind which other records a deleted one stood. */
async function keepPlace(
  id: string,
  before: readonly StoredRecord[],
  { request, resource, store }: Listing,
): Promise<void> {
  const next = before[before.findIndex((one) => one.id === id) + 1]?.id ?? '';
  const places = placesOf(deletedOf(request, resource));
  await store.delete(places, id);
  await store.insert(places, { id, record: { next } });
}

interface Listing {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
}

/** An action that restores a deleted record, if it is the one that does; otherwise as it is. */
export function restoring(act: Behaviour): Behaviour {
  return async (request, resource, store) => {
    if (request.plan.softDelete()?.restore !== request.plan.operation)
      return act(request, resource, store);
    const deleted = deletedOf(request, resource);
    const found = await getRecord(deleted, namedRecord(request, resource).id, store);
    if (found === undefined) return notDeleted(request, resource, store, act);
    const { id } = found;
    const stale = staleTag(request, resource, found.record);
    if (stale !== undefined) return stale;
    const mark = markOf(resource)?.name;
    const kept = Object.entries(found.record).filter(([name]) => name !== mark);
    const record = Object.fromEntries(kept);
    await store.delete(deleted, id);
    await store.insert(collectionOf(request, resource), { id, record });
    return showRecord(request, record);
  };
}

/** A list that shows deleted records too, if the request asks for them. */
export function listingDeleted(list: Behaviour): Behaviour {
  return (request, resource, store) => {
    const shown = request.plan.softDelete()?.shown;
    const isAsked = shown !== undefined && request.parameters.get(parameterKey(shown)) === true;
    const deleted = deletedOf(request, resource);
    return list(request, resource, isAsked ? withDeleted(store, deleted) : store);
  };
}

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
  return { ...storingNothing(store), query };
}

/** The refusal to restore what is not deleted (AIP-164: ALREADY_EXISTS), where 409 is documented. */
async function notDeleted(
  request: ValidRequest,
  resource: Resource,
  store: Store,
  act: Behaviour,
): Promise<Reply | Fault> {
  const found = await findRecord(request, resource, store);
  const { operation } = request.plan;
  return found.kind === 'found' && documentsRefusal(operation, ['409'])
    ? makeFault('conflict', 'already_exists', `The record of ${resource.name} is not deleted.`)
    : act(request, resource, store);
}

/**
 * A read that shows a deleted record too, if the request asks for it; without a parameter for that,
 * if records have a moment of their deletion.
 */
export function readingDeleted(read: Behaviour): Behaviour {
  return (request, resource, store) => {
    const soft = request.plan.softDelete();
    const isShown =
      soft?.read === undefined
        ? markOf(resource) !== undefined
        : request.parameters.get(parameterKey(soft.read)) === true;
    if (soft === undefined || !isShown) return read(request, resource, store);
    const { id } = namedRecord(request, resource);
    return whenReady(getRecord(deletedOf(request, resource), id, store), (found) =>
      found === undefined ? read(request, resource, store) : showRecord(request, found.record),
    );
  };
}

/** A create whose name in the query may be that of a deleted record: it stays taken (AIP-133). */
export function besideDeleted(create: Behaviour): Behaviour {
  return (request, resource, store) => {
    const isSoft = request.plan.softDelete()?.restore !== undefined;
    const name = isSoft ? namedInQuery(request, resource) : undefined;
    if (name === undefined) return create(request, resource, store);
    return whenReady(getRecord(deletedOf(request, resource), textOf(name), store), (found) =>
      found === undefined
        ? create(request, resource, store)
        : makeFault('conflict', 'conflict', `A deleted record of ${resource.name} has this name.`),
    );
  };
}

/** The field of a record that holds the moment of its deletion: `delete_time`. */
function markOf(resource: Resource): SchemaField | undefined {
  return [...shapeOf(resource).fields.values()].find(
    ({ normalised, flat }) =>
      /^delet(?:e|ed|ion)(?:time|at|date)$/.test(normalised) && flat.node.format === 'date-time',
  );
}
