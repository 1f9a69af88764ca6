import { negotiateContent } from '../answer-plan.ts';
import type { Behaviour } from '../behaviour.ts';
import { findRecord, namedRecord, notFound, shelfOf } from '../records/find-record.ts';
import { makeRecord } from '../records/make-record.ts';
import { showRecord } from '../records/show-record.ts';

/**
 * Replaces the record that the path names with what the body says; what is the service's to set stays. Where the contract
 * documents 201, a record that is not there is added (RFC 9110, section 9.3.4).
 */
export const replace: Behaviour = async (request, resource, store) => {
  const shelf = shelfOf(request, resource);
  const found = await findRecord(request, resource, store);
  const { id, value } = namedRecord(request, resource);
  if (found.kind === 'fault') {
    const added = request.plan.answerPlan(201);
    if (added.response?.status !== '201') return found;
    const negotiated = negotiateContent(added, undefined);
    const record = makeRecord({ request, resource, id: value });
    const reply = showRecord(request, record, { status: 201, content: negotiated.kind === 'fault' ? undefined : negotiated.content });
    if (reply.kind === 'reply') await store.insert(shelf, { id, record });
    return reply;
  }
  const record = makeRecord({ request, resource, id: found.record[resource.identifier.field] ?? value, earlier: found.record });
  const reply = showRecord(request, record);
  if (reply.kind === 'fault') return reply;
  return (await store.replace(shelf, { id, record })) ? reply : notFound(resource, id);
};
