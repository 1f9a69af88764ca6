import type { Behaviour } from '../behaviour.ts';
import { findRecord, notFound, shelfOf } from '../records/find-record.ts';
import { showRecord } from '../records/show/show-record.ts';

/** Deletes the record that the path names; where the contract wants a body, the record is shown for the last time. */
export const remove: Behaviour = async (request, resource, store) => {
  const found = await findRecord(request, resource, store);
  if (found.kind === 'fault') return found;
  const reply = showRecord(request, found.record);
  if (reply.kind === 'fault') return reply;
  return (await store.delete(shelfOf(request, resource), found.id)) ? reply : notFound(resource, found.id);
};
