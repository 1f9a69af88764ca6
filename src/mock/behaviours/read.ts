import type { Behaviour } from '../behaviour.ts';
import { findRecord } from '../records/find-record.ts';
import { showRecord } from '../records/show-record.ts';

/** Answers the record that the path names. */
export const read: Behaviour = async (request, resource, store) => {
  const found = await findRecord(request, resource, store);
  return found.kind === 'fault' ? found : showRecord(request, found.record);
};
