import type { Operation, Resource } from '../../../contract/model.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import { decodePercent } from '../../../http/target.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, stringifyJson, objectOf } from '../../../json/value.ts';
import { createdIdentifier } from '../../reading/created-record.ts';
import { hasSuccess, roleOf, showValue, type Step } from '../../model/step.ts';
import { isSameRecord, listedRecords, shownRecord } from '../../reading/shown-records.ts';
import type { IdentityOutcome, Intent } from '../../model/case.ts';
import type { CheckInput, Violation, Violations } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { securityPointer } from '../../reading/security-pointer.ts';
import { plainName } from '../../../contract/infer/infer-names.ts';
import { namesSharing } from '../../../contract/words/names.ts';
import { factIn, textsAround } from '../../../contract/words/facts.ts';

type IdentityIntent = Extract<Intent, { readonly kind: 'identity' }>;

/** An identity can neither see nor change the records of another one. */
export const identitySeesNothing = check({
  id: 'identity-sees-nothing',
  basis: 'contract',
  harm: 'data',
  rule:
    'An identity that `sees: { nothing-of: … }` can neither read a record that the run created, ' +
    'nor find it in a list or a table, download its files, add to it, refer to it, change it or ' +
    'delete it.',
  reason:
    'A client that reaches the records of another one by their identifiers is the hole that ' +
    'OWASP lists first, as API1:2023, broken object level authorization.',
  example: [
    '> POST /items       as writer',
    '< 201 Created',
    '< {"id": 7}',
    '> GET /items/7      as stranger   (sees: { nothing-of: writer })',
    '< 200 OK',
  ],
  needs: ['creators'],
  intents: ['identity'],
  covers: ['status-documented'],
  inspect(subject) {
    const { intent } = subject.case;
    const { status } = subject.exchange.response ?? {};
    const own = ownRecord(subject);
    if (intent.kind !== 'identity' || status === undefined || own === undefined) return undefined;
    if (intent.wanted === 'unchanged') return inspectAfter(subject, intent, own);
    const judge = judges[intent.wanted];
    // A refusal proves nothing unless the control request shows the record to the run.
    if (judge === undefined || status >= 500) return undefined;
    if (intent.wanted === 'unshown' && shownToRun(subject) === undefined) return undefined;
    return isSuccess(status) ? judge({ subject, intent, own, status }) : [];
  },
});

/** A success that an identity got, and a record that it must not see. */
interface Success {
  readonly subject: CheckInput;
  readonly intent: IdentityIntent;
  readonly own: OwnRecord;
  readonly status: number;
}

const judges: Partial<Record<IdentityOutcome, (success: Success) => Violations>> = {
  hidden: inspectRead,
  unlisted: inspectList,
  unshown: inspectShown,
  denied: inspectDenied,
  unrepeated: inspectRepeated,
};

/** The record in the last response before a step. */
interface OwnRecord {
  readonly resource: Resource;
  readonly record: JsonObject;
  readonly step: Step;
}

/** The record of the sequence as the run read it, otherwise as the create returned it. */
function ownRecord({ earlier, contract }: CheckInput): OwnRecord | undefined {
  const own = earlier.filter(
    (step) => step.case.request.identity === undefined && hasSuccess(step),
  );
  for (const step of own.toReversed()) {
    const role = roleOf(contract, step.case.operation);
    if (role === undefined || !['read', 'create', 'replace'].includes(role.action)) continue;
    const { resource } = role;
    const shown = shownRecord(resource, step.answer);
    if (shown?.[resource.identifier.field] !== undefined) return { resource, record: shown, step };
    const identifier = createdIdentifier(resource, step);
    if (identifier === undefined) continue;
    const sent = objectOf(step.sent.body);
    return { resource, record: { ...sent, [resource.identifier.field]: identifier }, step };
  }
  return undefined;
}

function inspectRead({ subject, intent, own, status }: Success): Violations {
  const shown = shownRecord(own.resource, subject.answer);
  if (shown === undefined || !isSameRecord(own.resource, own.record, shown)) return [];
  if (isForAll(shown)) return [];
  const isListed = own.step.case.request.arguments.some(({ source }) => source.kind === 'listed');
  if (isListed && !isLeftOut(subject, own.resource, shown)) return undefined;
  return violation(subject, intent, {
    ...(isListed ? { from: 'reads' as const } : {}),
    message: `The server answered ${String(status)} to ${subject.case.title} of ${nameOf(own)}`,
    actual: String(status),
  });
}

/** Whether a record says by a flag of its own that others see it. */
function isForAll(record: JsonObject): boolean {
  return Object.entries(record).some(
    ([name, value]) => namesSharing(plainName(name)) && /^(?:true|1|yes)$/i.test(String(value)),
  );
}

/**
 * Whether the list of the identity, which is shorter than that of the run and so complete, lacks a
 * record: what it has may be its own under the same identifier.
 */
function isLeftOut({ earlier }: CheckInput, resource: Resource, record: JsonObject): boolean {
  const [ours, theirs] = earlier.flatMap(({ answer }) => {
    const records = listedRecords(resource, answer);
    return records === undefined ? [] : [records];
  });
  if (ours === undefined || theirs === undefined || theirs.length >= ours.length) return false;
  return !theirs.some((one) => isSameRecord(resource, one, record));
}

function inspectList({ subject, intent, own }: Success): Violations {
  const records = listedRecords(own.resource, subject.answer);
  const found =
    records?.find((record) => isSameRecord(own.resource, own.record, record)) ??
    records?.find((record) => !isForAll(record) && isEarlier(subject, own.resource, record));
  if (found === undefined) return records === undefined ? undefined : [];
  return violation(subject, intent, {
    message: `The list that ${intent.identity} gets holds ${nameOf({ ...own, record: found })}`,
    actual: 'a list with the record',
    expected: 'a list without the record',
  });
}

/**
 * Whether a listed record is one that the run created before: a long list shows the last one on
 * another page. Its identifier may mean another record here, so it must have a mark of that create.
 */
function isEarlier({ knowledge }: CheckInput, resource: Resource, record: JsonObject): boolean {
  const identifier = record[resource.identifier.field];
  const creators = knowledge.creators.get(`${resource.collection} ${String(identifier)}`) ?? [];
  if (creators.length === 0) return false;
  const shown = stringifyJson(record).match(marks) ?? [];
  return creators.some(({ sent, deleted }) => {
    const text = deleted === true ? '' : stringifyJson(sent.body ?? '');
    return shown.some((mark) => text.includes(mark));
  });
}

/** The read by the run after a change by the identity. */
function inspectAfter(subject: CheckInput, intent: IdentityIntent, own: OwnRecord): Violations {
  const { earlier, contract } = subject;
  const attempt = earlier.findLast(({ case: { request } }) => request.identity !== undefined);
  const status = attempt?.exchange.response?.status;
  if (attempt === undefined || status === undefined) return undefined;
  if (own.step.case.operation !== subject.operation || !isSuccess(status)) return undefined;
  const { operation, title } = attempt.case;
  const isDelete = roleOf(contract, operation)?.action === 'delete';
  const isRemoved = isDelete && isGone(subject);
  // A deletion may leave the record with another state, such as a cancelled booking.
  if (!isRemoved && !isChanged(subject, own, attempt)) return [];
  const done = isRemoved ? 'deleted' : 'changed';
  const message = `The server answered ${String(status)} to ${title}, which ${done} ${nameOf(own)}`;
  const mayRead = earlier.some(
    ({ case: { intent: other } }) => other.kind === 'identity' && other.wanted === 'allowed',
  );
  const leak = { message, actual: String(status), ...(mayRead ? { not: 'change' } : {}) };
  return violation({ ...subject, operation }, intent, leak);
}

/** The successful answer to the same request of the run. */
function shownToRun({ operation, earlier }: CheckInput): Step | undefined {
  const ours = earlier.findLast(
    ({ case: other }) => other.operation === operation && other.request.identity === undefined,
  );
  return ours && hasSuccess(ours) ? ours : undefined;
}

/** An answer that shows the run what it created, such as a table or a file below the record. */
function inspectShown({ subject, intent, own, status }: Success): Violations {
  const { operation, exchange } = subject;
  const ours = shownToRun(subject);
  const theirs = textOf(subject);
  const seen = ours === undefined ? '' : textOf(ours);
  const asked = decodePercent(exchange.request.target) ?? exchange.request.target;
  const leaked = ownTexts(subject).find(
    (text) => seen.includes(text) && theirs.includes(text) && !asked.includes(text),
  );
  if (leaked === undefined) return [];
  return violation(subject, intent, {
    message:
      `The answer to a ${operation.method} by ${intent.identity} shows what belongs to ` +
      nameOf(own) +
      (leaked.length > 80 ? '' : `: ${showValue(leaked)}`),
    actual: String(status),
  });
}

/** The marks of a run's requests in a text. */
const marks = /vouch-[0-9a-f]{6}(?:-[a-z])?-[0-9a-f]{6}/g;

/**
 * Texts that only the run's records have: their marks, identifiers that are no small numbers, and
 * uploaded files.
 */
function ownTexts({ earlier, contract }: CheckInput): string[] {
  return earlier
    .filter(({ case: { request } }) => request.identity === undefined)
    .flatMap((step) => {
      const role = roleOf(contract, step.case.operation);
      if (role?.action !== 'create') return step.sent.body === undefined ? [fileOf(step)] : [];
      const identifier = createdIdentifier(role.resource, step);
      const written = stringifyJson(step.sent.body ?? '').match(marks);
      return [...(written ?? []), ...(isTelling(identifier) ? [identifier] : [])];
    })
    .filter((text) => text !== '');
}

function isTelling(identifier: JsonValue | undefined): identifier is string {
  return typeof identifier === 'string' && identifier.length >= 6 && /\D/.test(identifier);
}

function fileOf({ exchange: { request } }: Step): string {
  return request.method === 'GET' ? '' : Buffer.from(request.body).toString('latin1');
}

function textOf({ exchange: { response } }: Pick<Step, 'exchange'>): string {
  return Buffer.from(response?.body ?? []).toString('latin1');
}

/** A create below a record of the run, or one that refers to it. */
function inspectDenied({ subject, intent, own, status }: Success): Violations {
  const control = subject.earlier.find(
    ({ case: { operation, request } }) =>
      operation === subject.operation && request.identity === intent.identity,
  );
  // A service that takes any reference says nothing about this one.
  const isBelow = subject.operation.parameters.some(({ in: location }) => location === 'path');
  if (!isBelow && !isRefusal(control?.exchange.response?.status ?? 0)) return undefined;
  return {
    ...violation(subject, intent, {
      message:
        `The server accepted (${String(status)}) a ${subject.operation.method} by ` +
        `${intent.identity} ${isBelow ? 'below' : 'that refers to'} ${nameOf(own)}`,
      actual: String(status),
      expected: 'a refusal',
    }),
    momentary: true,
    ...(isBelow || saysOwn(subject) ? {} : { severity: 'warning' as const }),
  };
}

/** Whether the contract says that only records of one's own can be referenced. */
function saysOwn({ contract, operation }: CheckInput): boolean {
  return factIn(textsAround(contract, operation), 'own-records-only') !== undefined;
}

/** The answer to the same create under the same key by another identity. */
function inspectRepeated({ subject, intent, own, status }: Success): Violations {
  const { field } = own.resource.identifier;
  const got = createdIdentifier(own.resource, subject);
  if (got === undefined || !isTelling(got) || !equalJson(got, own.record[field] ?? null)) return [];
  return violation(subject, intent, {
    message:
      `The answer to a create by ${intent.identity}, under a key that the run used before, is ` +
      nameOf(own),
    actual: String(status),
    expected: 'a record of its own, or a refusal',
  });
}

function isGone({ exchange: { response } }: CheckInput): boolean {
  return response?.status === 404 || response?.status === 410;
}

function isChanged(subject: CheckInput, own: OwnRecord, attempt: Step): boolean {
  if (!hasSuccess(subject)) return false;
  const shown = shownRecord(own.resource, subject.answer);
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
  /** What the identity must not do; the default is to see the record. */
  readonly not?: string;
  /** Whence the run knows the record; the default is its create. */
  readonly from?: 'created' | 'reads';
}

function violation(
  {
    contract,
    operation,
  }: { readonly contract: CheckInput['contract']; readonly operation: Operation },
  { identity }: IdentityIntent,
  { message, actual, expected, not = 'see', from = 'created' }: Leak,
): Violation {
  const documented = ['404', '403'].filter((status) =>
    operation.responses.some((each) => each.status === status),
  );
  return {
    at: securityPointer(contract, operation),
    operation,
    message: `${message}, which the run ${from} and ${identity} must not ${not}.`,
    expected: expected ?? (documented.length > 0 ? documented.join(' or ') : '404 or 403'),
    actual,
    cause: `${identity} ${operation.id}`,
  };
}
