import { hidesIdentifiers } from '../../contract/infer/record-fields.ts';
import type { JsonValue } from '../../json/value.ts';
import { answerFromContract } from '../answer/responder.ts';
import type { Behaviour } from '../model/behaviour.ts';
import { findRecord, notFound, collectionOf } from '../records/find-record.ts';
import { nextRevision, shapeOf, writeMoment } from '../records/record-fields.ts';
import { showRecord } from '../records/show/present-record.ts';

/**
 * Applies the verb of the operation to a record, if a field of the record has its name, and returns
 * the record.
 */
export const act: Behaviour = async (request, resource, store) => {
  const found = await findRecord(request, resource, store);
  if (found.kind === 'fault')
    return hidesIdentifiers(resource) ? answerFromContract(request) : found;
  const sets = request.plan.role?.deed?.sets;
  if (sets === undefined) return showRecord(request, found.record);
  const changes = [...shapeOf(resource).fields.values()].filter(
    (field) => field.moment === 'change' && Object.hasOwn(found.record, field.name),
  );
  const moments = Object.fromEntries(
    changes.map((field) => [field.name, writeMoment(field, request.now)]),
  );
  const revisions = [...shapeOf(resource).fields.values()].flatMap(
    (field): (readonly [string, JsonValue])[] => {
      const next = nextRevision(field, found.record[field.name] ?? null, request.requestSeed());
      return next === undefined ? [] : [[field.name, next]];
    },
  );
  const record = {
    ...found.record,
    ...moments,
    ...Object.fromEntries(revisions),
    [sets.field]: sets.value,
  };
  const reply = showRecord(request, record);
  if (reply.kind === 'fault') return reply;
  return (await store.replace(collectionOf(request, resource), { id: found.id, record }))
    ? reply
    : notFound(resource, found.id);
};
