import type { Resource } from '../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { compareRecords } from '../evidence/compare-records.ts';
import { isWholePage, pageOf, sameIdentifier } from '../evidence/list-page.ts';
import { showValue } from '../evidence/phrases.ts';
import { jsonOf } from '../evidence/read-answer.ts';
import { isSuccess } from '../evidence/refusal.ts';
import { createdIdentifier } from '../memory.ts';
import { roleOf, type Step, type Subject } from '../subject.ts';
import type { Check, Violation } from './check.ts';

/** A created record can be read by its identifier and is in the list, with the values that were sent. */
export const createdIsReadable = {
  id: 'created-is-readable',
  basis: 'inferred',
  severity: 'error',
  rule: 'A record that was created can be read by its identifier with the values that were sent, and stands in a list that is known to be whole.',
  reason: 'A success that leaves nothing behind is a lost order, message or booking.',
  proof: 'again',
  covers: ['valid-accepted', 'status-documented', 'item-equals-entry'],
  inspect(subject) {
    const role = roleOf(subject.contract, subject.operation);
    if (role === undefined || subject.case.intent.kind !== 'valid') return undefined;
    const created = findCreated(role.resource, subject);
    if (created === undefined) return undefined;
    if (role.action === 'read') return inspectRead(subject, created);
    return role.action === 'list' ? inspectList(subject, created) : undefined;
  },
} as const satisfies Check;

interface Created {
  readonly resource: Resource;
  readonly step: Step;
  readonly identifier: JsonValue;
}

/** The record that the sequence created last, unless a later step replaced, updated or deleted it. */
function findCreated(resource: Resource, { earlier }: Subject): Created | undefined {
  const { create, replace, update, delete: remove } = resource.operations;
  const changed = earlier.some((step) => [replace, update, remove].includes(step.case.operation));
  const step = earlier.findLast((candidate) => candidate.case.operation === create && isSuccess(candidate.exchange.response?.status ?? 0));
  const identifier = step && createdIdentifier(resource, step.answer, step.exchange.response);
  return step === undefined || identifier === undefined || changed ? undefined : { resource, step, identifier };
}

function inspectRead(subject: Subject, created: Created): Violation[] | undefined {
  const { resource, identifier } = created;
  const parameter = subject.operation.parameters.find(({ name }) => name === resource.identifier.parameter);
  const asked = parameter && subject.sent.arguments.get(parameter);
  const status = subject.exchange.response?.status ?? 0;
  if (!sameIdentifier(asked, identifier)) return undefined;
  if (status === 404 || status === 410) return [lost(subject, created, `a read of it got ${String(status)}`)];
  const record = jsonOf(subject.answer);
  return isSuccess(status) && isJsonObject(record) ? compareWithSent(created, record) : undefined;
}

function inspectList(subject: Subject, created: Created): Violation[] | undefined {
  const page = pageOf(subject, subject);
  const field = created.resource.identifier.field;
  const entry = page?.records.find((record) => sameIdentifier(record[field], created.identifier));
  if (entry !== undefined) return compareWithSent(created, entry);
  return page !== undefined && isWholePage(subject, page) ? [lost(subject, created, 'a whole list does not hold it')] : undefined;
}

function lost({ operation }: Subject, { resource, identifier }: Created, how: string): Violation {
  const { field } = resource.identifier;
  return {
    at: operation.pointer,
    message: `The server said that it created a record, but ${how}.`,
    expected: `the record whose ${field} is ${showValue(identifier)}`,
    actual: how,
    cause: 'lost',
  };
}

/** An entry of a list may leave fields out; what it shows must be what was sent. */
function compareWithSent({ resource, step }: Created, record: JsonObject): Violation[] {
  const media = step.case.operation.requestBody?.content.find(({ mediaType }) => mediaType === step.case.request.body?.mediaType);
  if (media?.schema === undefined || !isJsonObject(step.sent.body)) return [];
  const differences = compareRecords(step.sent.body, record, { schema: media.schema, absent: 'fine', except: [resource.identifier.field] });
  return differences.map(({ field, pointer, wanted, got }) => ({
    at: pointer,
    message: `A created record is read back with another ${field} than was sent: ${showValue(got)} instead of ${showValue(wanted)}.`,
    expected: `${field} is ${showValue(wanted)}, as it was sent`,
    actual: `${field} is ${showValue(got)}`,
  }));
}
