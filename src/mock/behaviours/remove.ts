import { answersAnyIdentifier, hidesIdentifiers } from '../../contract/infer/record-fields.ts';
import { whenReady } from '../../store/store.ts';
import { answerFromContract } from '../answer/responder.ts';
import type { Behaviour } from '../model/behaviour.ts';
import { findRecord, notFound, removeBelow, collectionOf } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { showRecord } from '../records/show/present-record.ts';

/**
 * Deletes a record and everything below it; if the contract documents a body, returns the deleted
 * record.
 */
export const remove: Behaviour = async (request, resource, store) => {
  const found = await findRecord(request, resource, store);
  if (found.kind === 'fault') return found;
  const reply = showRecord(request, found.record);
  if (reply.kind === 'fault') return reply;
  if (!(await store.delete(collectionOf(request, resource), found.id)))
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

/**
 * Returns a record. If any identifier is valid and there are no fixtures, the response comes from
 * the contract.
 */
export const read: Behaviour = (request, resource, store) =>
  whenReady(findRecord(request, resource, store), (found) => {
    if (found.kind === 'found') return showRecord(request, found.record);
    if (hidesIdentifiers(resource)) return answerFromContract(request);
    if (!answersAnyIdentifier(resource)) return found;
    const kept = store.query(collectionOf(request, resource), {
      where: [],
      order: [],
      offset: 0,
      limit: 0,
    });
    return whenReady(kept, (any) => (any?.total === 0 ? answerFromContract(request) : found));
  });
