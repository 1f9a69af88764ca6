import type { Operation, Resource } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import { equalJson } from '../../json/equal-json.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { createdIdentifier } from '../evidence/record/created-record.ts';
import { showValue } from '../evidence/phrases.ts';
import { isSameRecord, listedRecords, shownRecord } from '../evidence/record/shown-records.ts';
import type { Intent } from '../model/case.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { roleOf, type Step } from '../model/step.ts';
import type { Check, Violation } from './check.ts';
import { securityPointer } from './credential-required.ts';

type IdentityIntent = Extract<Intent, { readonly kind: 'identity' }>;

/** An identity can neither see nor change the records of another one. */
export const identitySeesNothing = {
  id: 'identity-sees-nothing',
  basis: 'contract',
  severity: 'error',
  rule:
    'An identity that `sees: { nothing-of: … }` can neither read a record that the run created, ' +
    'nor find it in a list, change it or delete it.',
  reason:
    'A client that reaches the records of another one by their identifiers is the hole that ' +
    'OWASP lists first, as API1:2023, broken object level authorization.',
  proof: 'again',
  intents: ['identity'],
  covers: ['status-documented'],
  inspect(subject) {
    const { intent } = subject.case;
    if (intent.kind !== 'identity' || subject.exchange.response === undefined) return undefined;
    switch (intent.wanted) {
      case 'hidden':
        return inspectRead(subject, intent);
      case 'unlisted':
        return inspectList(subject, intent);
      case 'unchanged':
        return inspectAfter(subject, intent);
      default:
        return undefined;
    }
  },
} as const satisfies Check;

/** The record in the last response before a step. */
interface OwnRecord {
  readonly resource: Resource;
  readonly record: JsonObject;
  readonly step: Step;
}

/** The record of the sequence as the run read it, otherwise as the create returned it. */
function ownRecord({ earlier, contract }: CheckInput): OwnRecord | undefined {
  const own = earlier.filter(
    ({ case: { request }, exchange }) =>
      request.identity === undefined && isSuccess(exchange.response?.status ?? 0),
  );
  for (const step of own.toReversed()) {
    const role = roleOf(contract, step.case.operation);
    if (role?.action !== 'read' && role?.action !== 'create') continue;
    const { resource } = role;
    const shown = shownRecord(resource, step.answer);
    if (shown?.[resource.identifier.field] !== undefined) return { resource, record: shown, step };
    const identifier = createdIdentifier(resource, step.answer, step.exchange.response);
    if (identifier === undefined) continue;
    const sent = isJsonObject(step.sent.body) ? step.sent.body : {};
    return { resource, record: { ...sent, [resource.identifier.field]: identifier }, step };
  }
  return undefined;
}

function inspectRead(subject: CheckInput, intent: IdentityIntent): Violation[] | undefined {
  const own = ownRecord(subject);
  const { status = 0 } = subject.exchange.response ?? {};
  // A refusal proves nothing unless the control request shows the record to the run.
  if (own === undefined || status >= 500) return undefined;
  if (!isSuccess(status)) return [];
  const shown = shownRecord(own.resource, subject.answer);
  if (shown === undefined || !isSameRecord(own.resource, own.record, shown)) return [];
  return [
    violation(subject, intent, {
      message: `The server answered ${String(status)} to ${subject.case.title} of ${nameOf(own)}`,
      actual: String(status),
    }),
  ];
}

function inspectList(subject: CheckInput, intent: IdentityIntent): Violation[] | undefined {
  const own = ownRecord(subject);
  const { status = 0 } = subject.exchange.response ?? {};
  const records = own && listedRecords(own.resource, subject.answer);
  if (own === undefined || status >= 500) return undefined;
  if (!isSuccess(status)) return [];
  const found = records?.find((record) => isSameRecord(own.resource, own.record, record));
  if (found === undefined) return records === undefined ? undefined : [];
  return [
    violation(subject, intent, {
      message: `The list that ${intent.identity} gets holds ${nameOf(own)}`,
      actual: 'a list with the record',
      expected: 'a list without the record',
    }),
  ];
}

/** The read by the run after a change by the identity. */
function inspectAfter(subject: CheckInput, intent: IdentityIntent): Violation[] | undefined {
  const { earlier, contract } = subject;
  const own = ownRecord(subject);
  const attempt = earlier.findLast(({ case: { request } }) => request.identity !== undefined);
  const status = attempt?.exchange.response?.status;
  if (own === undefined || attempt === undefined || status === undefined) return undefined;
  if (own.step.case.operation !== subject.operation || !isSuccess(status)) return undefined;
  const { operation, title } = attempt.case;
  const isDelete = roleOf(contract, operation)?.action === 'delete';
  if (!(isDelete ? isGone(subject) : isChanged(subject, own, attempt))) return [];
  const done = isDelete ? 'deleted' : 'changed';
  const message = `The server answered ${String(status)} to ${title}, which ${done} ${nameOf(own)}`;
  return [violation({ ...subject, operation }, intent, { message, actual: String(status) })];
}

function isGone({ exchange: { response } }: CheckInput): boolean {
  return response?.status === 404 || response?.status === 410;
}

function isChanged({ answer, exchange }: CheckInput, own: OwnRecord, attempt: Step): boolean {
  if (!isSuccess(exchange.response?.status ?? 0)) return false;
  const shown = shownRecord(own.resource, answer);
  return shown !== undefined && hasChanged(own.record, shown, attempt);
}

/**
 * Whether a record shows values of a change that it did not show before. A change without a body
 * may have changed any text except times.
 */
function hasChanged(before: JsonObject, after: JsonObject, { sent }: Step): boolean {
  const differing = Object.keys(after).filter(
    (name) => !equalJson(before[name] ?? null, after[name] ?? null),
  );
  const { body } = sent;
  if (isJsonObject(body) && Object.keys(body).some((name) => Object.hasOwn(after, name)))
    return differing.some((name) => equalJson(body[name] ?? null, after[name] ?? null));
  return differing.some((name) => {
    const value = after[name];
    return typeof value === 'boolean' || (typeof value === 'string' && !/^\d{4}-\d\d/.test(value));
  });
}

function nameOf({ resource, record }: OwnRecord): string {
  const { field } = resource.identifier;
  return `the record whose ${field} is ${showValue(record[field])}`;
}

interface Leak {
  readonly message: string;
  readonly actual: string;
  readonly expected?: string;
}

function violation(
  {
    contract,
    operation,
  }: { readonly contract: CheckInput['contract']; readonly operation: Operation },
  { identity }: IdentityIntent,
  { message, actual, expected }: Leak,
): Violation {
  const documented = ['404', '403'].filter((status) =>
    operation.responses.some((each) => each.status === status),
  );
  return {
    at: securityPointer(contract, operation),
    operation,
    message: `${message}, which the run created and ${identity} must not see.`,
    expected: expected ?? (documented.length > 0 ? documented.join(' or ') : '404 or 403'),
    actual,
    cause: `${identity} ${operation.id}`,
  };
}
