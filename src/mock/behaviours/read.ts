import { answersAnyIdentifier } from '../../contract/infer/record-knowledge.ts';
import { answerFromContract } from '../answer/answer-from-contract.ts';
import type { Behaviour } from '../behaviour.ts';
import { findRecord, shelfOf } from '../records/find-record.ts';
import { showRecord } from '../records/show-record.ts';

/** Answers the record that the path names. Where any identifier names one, and nobody gave records, the contract has the answer. */
export const read: Behaviour = async (request, resource, store) => {
  const found = await findRecord(request, resource, store);
  if (found.kind === 'found') return showRecord(request, found.record);
  if (!answersAnyIdentifier(resource)) return found;
  const kept = await store.query(shelfOf(request, resource), { where: [], order: [], offset: 0, limit: 0 });
  return kept?.total === 0 ? answerFromContract(request) : found;
};
