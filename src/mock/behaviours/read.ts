import { answersAnyIdentifier } from '../../contract/infer/record-knowledge.ts';
import { answerFromContract } from '../answer/answer-from-contract.ts';
import { whenReady } from '../../store/soon.ts';
import type { Behaviour } from '../model/behaviour.ts';
import { findRecord, shelfOf } from '../records/find-record.ts';
import { showRecord } from '../records/show/show-record.ts';

/**
 * Answers the record that the path names. Where any identifier names one, and nobody gave records,
 * the contract has the answer.
 */
export const read: Behaviour = (request, resource, store) =>
  whenReady(findRecord(request, resource, store), (found) => {
    if (found.kind === 'found') return showRecord(request, found.record);
    if (!answersAnyIdentifier(resource)) return found;
    const kept = store.query(shelfOf(request, resource), {
      where: [],
      order: [],
      offset: 0,
      limit: 0,
    });
    return whenReady(kept, (any) => (any?.total === 0 ? answerFromContract(request) : found));
  });
