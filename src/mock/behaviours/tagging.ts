import type { Resource } from '../../contract/model.ts';
import { stringifyJson } from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import { writeEntityTag } from '../answer/documented-headers.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import type { Reply } from '../model/reply.ts';
import { oncePerPlan } from '../records/find-record.ts';
import { type SchemaField, shapeOf } from '../records/record-fields.ts';
import { editRecords, recordsIn } from '../records/show/edit-records.ts';

/**
 * A behaviour whose records show their entity tags as control information: the same as the header
 * ETag of the record alone (OData JSON Format 4.01, "Control Information: etag").
 */
export function tagging(behave: Behaviour): Behaviour {
  return (request, resource, store) => {
    const field = annotationOf(request.plan, resource);
    const reply = behave(request, resource, store);
    return field === undefined
      ? reply
      : whenReady(reply, (made) => withTags(made, { field, request, resource }));
  };
}

const annotationOf = oncePerPlan((_plan: OperationPlan, resource) =>
  ['@odata.etag', '@etag']
    .map((name) => shapeOf(resource).fields.get(name))
    .find((field) => field !== undefined),
);

interface Tagged {
  readonly field: SchemaField;
  readonly request: ValidRequest;
  readonly resource: Resource;
}

function withTags(reply: Reply | Fault, { field, request, resource }: Tagged): Reply | Fault {
  if (reply.kind === 'fault' || reply.body === undefined || request.content?.form !== 'json')
    return reply;
  const { name, schema } = field;
  const { state = reply.body } = reply;
  const records = recordsIn(state, request, resource);
  const headers = request.plan.answerPlan(reply.status).headers;
  const body = editRecords(reply.body, request, resource, (record, index) => {
    const tag = writeEntityTag(headers, records[index] ?? record);
    return schema.accepts(tag, 'response') ? { ...record, [name]: tag } : record;
  });
  return { ...reply, state, body, bytes: encoder.encode(stringifyJson(body)) };
}

const encoder = new TextEncoder();
