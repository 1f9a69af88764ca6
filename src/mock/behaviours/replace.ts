import type { Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Store } from '../../store/store.ts';
import { storeFull } from '../errors/write-error-response.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { Reply } from '../model/reply.ts';
import { negotiateContent } from '../plan/plan-answer.ts';
import { collectionOf, findRecord, namedRecord, notFound, textOf } from '../records/find-record.ts';
import { makeRecord, repairRecord } from '../records/make/make-record.ts';
import { settleReferences } from '../records/seed/settle-references.ts';
import { settleRecord } from '../records/keep-rules.ts';
import { toInteger } from '../records/record-fields.ts';
import { showRecord } from '../records/show/present-record.ts';

/**
 * Replaces a record with the body; fields that the service sets stay. If the contract documents
 * 201, adds a missing record (RFC 9110, section 9.3.4).
 */
export const replace: Behaviour = async (request, resource, store) => {
  const found = await findRecord(request, resource, store);
  if (found.kind === 'fault') return upsert(found, request, resource, store);
  const { id, value } = found;
  const { operation } = request.plan;
  // A POST that creates a named record does not replace one if a conflict is documented.
  if (operation.method === 'POST' && operation.responses.some(({ status }) => status === '409'))
    return takenName(resource, id);
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

function takenName({ name, identifier }: Resource, id: string): Fault {
  return makeFault(
    'conflict',
    'conflict',
    `A record of ${name} has the ${identifier.field} ${id} already. Choose another.`,
  );
}

/** An identifier of the path with the type that it has in records. */
function asKept(value: JsonValue, { identifier }: Resource): JsonValue {
  if (identifier.type === 'string') return textOf(value);
  return typeof value === 'string' && /^(0|[1-9]\d{0,30})$/.test(value)
    ? toInteger(BigInt(value))
    : value;
}

/**
 * Adds the record if the contract allows it, or if no other operation adds one and no 404 is
 * documented.
 */
export async function upsert(
  missing: Fault,
  request: ValidRequest,
  resource: Resource,
  store: Store,
): Promise<Reply | Fault> {
  const added = request.plan.answerPlan(201);
  const isDocumented = added.response?.status === '201';
  const { id, value } = namedRecord(request, resource);
  if (id === '' || !(isDocumented || mayAdd(request, resource))) return missing;
  const negotiated = isDocumented ? negotiateContent(added, undefined) : undefined;
  const made = repairRecord(makeRecord({ request, resource, id: asKept(value, resource) }), {
    request,
    resource,
  });
  const record = await settleReferences(settleRecord(made, { request, resource }), {
    request,
    resource,
    store,
  });
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

/** Whether a request on a record's path may create it although no 201 is documented. */
function mayAdd({ plan: { operation } }: ValidRequest, resource: Resource): boolean {
  return (
    resource.kind === 'singleton' ||
    resource.namedCreate === operation ||
    // A PUT without a body schema can only add the record: `PUT /users/{userId}/roles/{role}`.
    operation.requestBody === undefined ||
    (resource.operations.create === undefined &&
      !operation.responses.some(({ status }) => status === '404'))
  );
}
