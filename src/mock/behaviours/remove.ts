import type { Behaviour } from '../model/behaviour.ts';
import { findRecord, notFound, shelfOf } from '../records/find-record.ts';
import { parentTexts } from '../records/path-values.ts';
import { removeBelow } from '../records/remove-below.ts';
import { showRecord } from '../records/show/show-record.ts';

/**
 * Deletes the record that the path names, and what stands below it; where the contract wants a
 * body, the record is shown for the last time.
 */
export const remove: Behaviour = async (request, resource, store) => {
  const found = await findRecord(request, resource, store);
  if (found.kind === 'fault') return found;
  const reply = showRecord(request, found.record);
  if (reply.kind === 'fault') return reply;
  if (!(await store.delete(shelfOf(request, resource), found.id)))
    return notFound(resource, found.id);
  const { family } = request.plan;
  if (family !== undefined)
    await removeBelow(
      { session: request.session, texts: [...parentTexts(request, family.keeper), found.id] },
      family,
      store,
    );
  return reply;
};
