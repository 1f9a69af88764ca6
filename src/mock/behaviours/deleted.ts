import type { Resource } from '../../contract/model.ts';
import { saysDeleted } from '../../contract/words/names.ts';
import type { JsonObject } from '../../json/value.ts';
import { makeMemoryStore } from '../../store/local-store.ts';
import {
  type Collection,
  type Query,
  type QueryResult,
  type Store,
  whenReady,
} from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { collectionOf, findRecord, getRecord, namedRecord } from '../records/find-record.ts';
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
    const reply = await remove(request, resource, store);
    if (found.kind === 'found' && reply.kind === 'reply') {
      const { id, record } = found;
      const marked = markDeleted(record, request, resource);
      await store.insert(deletedOf(request, resource), { id, record: marked });
    }
    return reply;
  };
}

/** An action that restores a deleted record, if it is the one that does; otherwise as it is. */
export function restoring(act: Behaviour): Behaviour {
  return async (request, resource, store) => {
    if (request.plan.softDelete()?.restore !== request.plan.operation)
      return act(request, resource, store);
    const deleted = deletedOf(request, resource);
    const found = await getRecord(deleted, namedRecord(request, resource).id, store);
    if (found === undefined) return act(request, resource, store);
    const { id, record } = found;
    await store.delete(deleted, id);
    const restored = unmarkDeleted(record, resource);
    await store.insert(collectionOf(request, resource), { id, record: restored });
    return showRecord(request, restored);
  };
}

/** The member that a service sets when it deletes a record: `deletedAt`, `deleted`. */
function deletionMark({ record }: Resource): Mark | undefined {
  return [...record.flatten().properties].flatMap(([name, { node, pointer }]): Mark[] => {
    const { types, node: schema } = record.flatten(node, pointer);
    if (!saysDeleted(name)) return [];
    if (schema.format === 'date-time') return [{ name, kind: 'moment' }];
    return types.every((type) => type === 'boolean') ? [{ name, kind: 'flag' }] : [];
  })[0];
}

interface Mark {
  readonly name: string;
  readonly kind: 'moment' | 'flag';
}

function markDeleted(record: JsonObject, { now }: ValidRequest, resource: Resource): JsonObject {
  const mark = deletionMark(resource);
  if (mark === undefined) return record;
  return { ...record, [mark.name]: mark.kind === 'flag' ? true : now.toISOString() };
}

function unmarkDeleted(record: JsonObject, resource: Resource): JsonObject {
  const mark = deletionMark(resource)?.name;
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== mark));
}

/** A read that shows a deleted record too, if the request asks for it. */
export function readingDeleted(read: Behaviour): Behaviour {
  return (request, resource, store) => {
    const flag = request.plan.softDelete()?.read;
    const isAsked = flag !== undefined && request.parameters.get(parameterKey(flag)) === true;
    const found = read(request, resource, store);
    if (!isAsked) return found;
    return whenReady(found, (reply) => {
      if (reply.kind !== 'fault') return reply;
      const { id } = namedRecord(request, resource);
      return whenReady(getRecord(deletedOf(request, resource), id, store), (kept) =>
        kept === undefined ? reply : showRecord(request, kept.record),
      );
    });
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

/** A store whose queries find the records of another collection too. */
function withDeleted(store: Store, deleted: Collection): Store {
  const query = async (collection: Collection, wanted: Query): Promise<QueryResult | undefined> => {
    const both = makeMemoryStore();
    const records = [...(await store.list(collection)), ...(await store.list(deleted))];
    await both.seed(new Map([[collection.name, records]]));
    return both.query(collection, wanted);
  };
  return { ...storingNothing(store), query };
}
