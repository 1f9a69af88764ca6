import type { Resource } from '../../contract/model.ts';
import type { Store } from '../../store/store.ts';
import { storeFull } from '../errors/write-error-response.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
import { negotiateContent } from '../plan/plan-answer.ts';
import { findRecord, namedRecord, notFound, collectionOf } from '../records/find-record.ts';
import { makeRecord, repairRecord } from '../records/make/make-record.ts';
import { settleReferences } from '../records/seed/settle-references.ts';
import { settleRecord } from '../records/keep-rules.ts';
import { showRecord } from '../records/show/present-record.ts';

/**
 * Replaces a record with the body; fields that the service sets stay. If the contract documents
 * 201, adds a missing record (RFC 9110, section 9.3.4).
 */
export const replace: Behaviour = async (request, resource, store) => {
  const found = await findRecord(request, resource, store);
  if (found.kind === 'fault') return upsert(found, request, resource, store);
  const { id, value } = found;
  const whole = makeRecord({
    request,
    resource,
    id: found.record[resource.identifier.field] ?? value,
    earlier: found.record,
  });
  const made = settleRecord(repairRecord(whole, { request, resource }), { request, resource });
  const record = await settleReferences(made, { request, resource, store, earlier: found.record });
  if (record.kind === 'fault') return record;
  const reply = showRecord(request, record.record);
  if (reply.kind === 'fault') return reply;
  return (await store.replace(collectionOf(request, resource), { id, record: record.record }))
    ? reply
    : notFound(resource, id);
};

/**
 * Adds the record if the contract allows it, or if no other operation adds one and no 404 is
 * documented.
 */
async function upsert(
  missing: Fault,
  request: ValidRequest,
  resource: Resource,
  store: Store,
): Promise<Reply | Fault> {
  const added = request.plan.answerPlan(201);
  const isDocumented = added.response?.status === '201';
  const { id, value } = namedRecord(request, resource);
  // A PUT without a body schema can only add the record: `PUT /users/{userId}/roles/{role}`.
  const isOnlyWay =
    request.plan.operation.requestBody === undefined ||
    (resource.operations.create === undefined &&
      !request.plan.operation.responses.some(({ status }) => status === '404'));
  if (id === '' || !(isDocumented || isOnlyWay || resource.kind === 'singleton')) return missing;
  const negotiated = isDocumented ? negotiateContent(added, undefined) : undefined;
  const record = await settleReferences(
    settleRecord(
      repairRecord(makeRecord({ request, resource, id: value }), { request, resource }),
      {
        request,
        resource,
      },
    ),
    { request, resource, store },
  );
  if (record.kind === 'fault') return record;
  const reply = showRecord(
    request,
    record.record,
    negotiated === undefined
      ? {}
      : { status: 201, content: negotiated.kind === 'fault' ? undefined : negotiated.content },
  );
  if (reply.kind === 'fault') return reply;
  const insertion = await store.insert(collectionOf(request, resource), {
    id,
    record: record.record,
  });
  if (insertion === 'full') return storeFull(resource);
  // A view shows some records of a collection: the identifier may belong to another one.
  return insertion === 'taken' ? missing : reply;
}
