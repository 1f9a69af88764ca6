import { stateSetBy } from '../../contract/words/read-states.ts';
import type { Behaviour } from '../model/behaviour.ts';
import { makeReply } from '../model/reply.ts';
import { collectionOf, findRecord, notFound, oncePerPlan } from '../records/find-record.ts';
import { showRecord } from '../records/show/present-record.ts';
import { actedMoments } from './acted.ts';
import { touched } from './update.ts';

/**
 * A deletion that ends a record and keeps it, where its description says so: `The status becomes
 * cancelled`. One that has ended stays as it is.
 */
export function ending(remove: Behaviour): Behaviour {
  return async (request, resource, store) => {
    const end = stateOf(request.plan, resource);
    if (end === undefined) return remove(request, resource, store);
    const found = await findRecord(request, resource, store);
    if (found.kind === 'fault') return found;
    const { id, record: before } = found;
    const record =
      before[end.field] === end.value
        ? before
        : {
            ...touched(before, request, resource),
            ...actedMoments(request, resource, end.value),
            [end.field]: end.value,
          };
    const reply =
      request.content === undefined
        ? makeReply(request.plan.status, undefined)
        : showRecord(request, record);
    if (reply.kind === 'fault') return reply;
    const isKept = await store.replace(collectionOf(request, resource), { id, record });
    return isKept ? reply : notFound(resource, id);
  };
}

const stateOf = oncePerPlan(({ operation }, { record }) => stateSetBy(operation, record));
