import { stateSetBy } from '../../contract/words/read-states.ts';
import { makeReply } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { collectionOf, findRecord, notFound } from '../records/find-record.ts';
import { showRecord } from '../records/show/present-record.ts';
import { actedMoments, touched } from './update.ts';

/**
 * A deletion that ends a record and keeps it, where its description says so: `The status becomes
 * cancelled`. One that has ended stays as it is.
 */
export const ending: Convention = ({ operation }, { record: schema }) => {
  const end = stateSetBy(operation, schema);
  if (end === undefined) return undefined;
  return {
    change: async (on) => {
      const { request, resource, store } = on;
      const found = await findRecord(on);
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
    },
  };
};
