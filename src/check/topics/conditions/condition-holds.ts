import type { HeaderSpec, Operation } from '../../../contract/model.ts';
import { isOfClient } from '../../reading/refusal.ts';
import { planConditions } from './plan-conditions.ts';
import { planConditionalReads } from './conditional-reads.ts';
import { headerValue, type HttpResponse, isRefusal, isSuccess } from '../../../http/message.ts';
import { documents } from '../../../contract/select-response.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer, type Pointer, splitPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { isDone, isWeak, sameTag, tagOf, visibleChange } from '../../reading/visible-change.ts';
import { requestPhrase, roleOf, type Step } from '../../model/step.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { Wanted } from '../../model/case.ts';
import type { CheckInput, Violation, Violations } from '../../model/knowledge.ts';
import { check } from '../check.ts';

const tagFaults: readonly string[] = ['tag stays', 'another tag each time'];

/**
 * Conditional requests get the response that the state of the record requires, and the entity tag
 * changes with the record.
 */
export const conditionHolds = check({
  id: 'condition-holds',
  basis: 'contract',
  harm: 'data',
  rule:
    'If the contract documents conditional requests, a read with the current ETag gets ' +
    '304, a change whose If-Match or JSON Patch test fails is not applied, and the ETag ' +
    'changes when what the record shows does, and only then.',
  reason:
    "Without it, two people who edit one record overwrite each other's changes unnoticed, " +
    'and a cache that trusts a wrong ETag shows outdated data.',
  example: [
    '> GET /items/7',
    '< ETag: "a1"',
    '> PUT /items/7',
    '< 200 OK',
    '< ETag: "a2"',
    '> PUT /items/7',
    '> If-Match: "a1"',
    '< 200 OK   (documented: 412)',
  ],
  confirm: 'control',
  traits: ['machinery'],
  explains: [
    {
      // A server whose tags do not identify states fails every condition.
      findings: ['condition-holds'],
      leads: ({ cause }) => tagFaults.includes(cause),
      explains: (_leader, other) => !tagFaults.includes(other.cause),
    },
  ],
  plan: [
    { at: 'values', all: planConditionalReads },
    { at: 'stories', all: planConditions },
  ],
  intents: ['valid', 'condition', 'relation'],
  // Contracts seldom document a status for a repeated idempotency key, or for a patch that fails.
  mutants: [async () => (await import('./condition-mutants.ts')).conditionMutators],
  leavesOpen: ({ case: { intent } }) =>
    intent.kind === 'condition' &&
    ['made-once', 'key-refused', 'patch-refused', 'located'].includes(intent.wanted),
  inspect(subject) {
    const {
      case: { intent },
      exchange: { response },
    } = subject;
    if (response === undefined) return undefined;
    if (intent.kind === 'relation') return contradictedTag(subject);
    if (intent.kind === 'valid')
      return [tagThatStays(subject) ?? [], contradictedTag(subject)].flat().slice(0, 1);
    return intent.kind === 'condition' ? byOutcome[intent.wanted]?.(subject, response) : undefined;
  },
});

type Inspect = (subject: CheckInput, response: HttpResponse) => Violations;

const byOutcome: Partial<Readonly<Record<Wanted, Inspect>>> = {
  unchanged: notUnchanged,
  changed: notChanged,
  done: notDone,
  refused: notRefused,
  'patch-refused': notPatched,
};

function makeViolation(
  { case: testCase }: CheckInput,
  rest: Omit<Violation, 'at' | 'message'> & { readonly what: string },
): Violation {
  const { what, ...violation } = rest;
  return {
    at: testCase.intent.kind === 'condition' ? testCase.intent.at : testCase.operation.pointer,
    message: `The server answered ${violation.actual} to ${requestPhrase(testCase)}${what}.`,
    ...violation,
  };
}

/**
 * A complete response to a client that sent the current ETag. A change of the state in between
 * shows in the response.
 */
function notUnchanged(subject: CheckInput, response: HttpResponse): Violations {
  const [before, tag] = [subject.earlier.at(-1), tagSent(subject, 'if-none-match')];
  if (
    before === undefined ||
    tag === undefined ||
    before.exchange.response?.status !== 200 ||
    before.exchange.request.target !== subject.exchange.request.target
  )
    return undefined;
  if (response.status === 304) return [];
  if (response.status !== 200) return undefined;
  const own = tagOf(subject);
  const isKnown = own !== undefined && sameTag(own, tag);
  if (!isKnown && !sameAnswer(before, subject)) return undefined;
  const how =
    own === undefined || isKnown
      ? ', and the contract documents 304 for that'
      : `; its ETag is now ${own}, so that 304 is never possible`;
  return makeViolation(subject, {
    what: how,
    expected: '304, because nothing has changed',
    actual: '200',
    cause: isKnown || own === undefined ? 'no 304' : 'another tag each time',
  });
}

function sameAnswer(left: Step, right: Step): boolean {
  const [one, other] = [left, right].map(({ answer }) => jsonOf(answer));
  if (one !== undefined && other !== undefined) return equalJson(one, other);
  return Buffer.from(left.exchange.response?.body ?? []).equals(
    Buffer.from(right.exchange.response?.body ?? []),
  );
}

/** 304 to a client that sent the ETag of the state before a change. */
function notChanged(subject: CheckInput, response: HttpResponse): Violations {
  const [read, tag] = [subject.earlier.at(-1), tagSent(subject, 'if-none-match')];
  const changed = read && visibleChange(subject, subject.earlier.slice(0, -1), read);
  const former = changed && tagOf(changed.before);
  if (
    tag === undefined ||
    former === undefined ||
    !sameTag(former, tag) ||
    subject.exchange.request.target !== read?.exchange.request.target
  )
    return undefined;
  return response.status === 304
    ? makeViolation(subject, {
        what: ', and a read without it shows the change',
        expected: 'the record as it is now',
        actual: '304',
        cause: 'stale 304',
      })
    : [];
}

/**
 * A refused change whose If-Match has the ETag of the last read, or `*`, which every record matches
 * (RFC 9110, section 13.1.1). A weak tag does not identify a state.
 */
function notDone(subject: CheckInput, response: HttpResponse): Violations {
  const tag = tagSent(subject, 'if-match');
  const read = subject.earlier.findLast(
    (step) =>
      roleOf(subject.contract, step.case.operation)?.action === 'read' && tagOf(step) !== undefined,
  );
  const since = read === undefined ? [] : subject.earlier.slice(subject.earlier.indexOf(read) + 1);
  if (
    tag === undefined ||
    read === undefined ||
    (tag !== '*' && (isWeak(tag) || tagOf(read) !== tag || since.some(isDone)))
  )
    return undefined;
  return response.status === 412
    ? makeViolation(subject, {
        what: tag === '*' ? '' : ', although that ETag is current',
        expected: 'a success',
        actual: '412',
        cause: 'right tag refused',
      })
    : [];
}

/** A successful change whose If-Match has an ETag of an earlier state. */
function notRefused(subject: CheckInput, response: HttpResponse): Violations {
  const { earlier } = subject;
  const tag = tagSent(subject, 'if-match');
  const read = earlier.findLast(
    (step) =>
      roleOf(subject.contract, step.case.operation)?.action === 'read' &&
      step.exchange.response?.status === 200,
  );
  const changed = read && visibleChange(subject, earlier.slice(0, earlier.indexOf(read)), read);
  const [former, current] = [changed && tagOf(changed.before), read && tagOf(read)];
  // An unchanged tag is reported where it was read.
  if (tag === undefined || former === undefined || current === undefined || sameTag(current, tag))
    return undefined;
  if (!isDone(subject)) return refusedOtherwise(subject, response);
  return makeViolation(subject, {
    what: `, although the ETag is now ${current}: a change in between may be lost`,
    expected: '412, and no change',
    actual: String(response.status),
    cause: 'stale tag taken',
  });
}

/**
 * A refusal of a stale tag with another status than the documented 412, by an operation that took
 * the tag of the record before: its state is not what prevents it.
 */
function refusedOtherwise(subject: CheckInput, { status }: HttpResponse): Violation | Violation[] {
  const { operation, earlier } = subject;
  const isOther = isRefusal(status) && ![404, 410, 412].includes(status) && !isOfClient(status);
  const wasDone = earlier.some((step) => step.case.operation === operation && isDone(step));
  if (!isOther || !wasDone || !documents(operation, '412')) return [];
  return makeViolation(subject, {
    what: '; the contract documents 412 for that',
    expected: '412',
    actual: String(status),
    cause: 'another status than 412',
  });
}

/** A successful patch although one of its tests fails. */
function notPatched(subject: CheckInput, response: HttpResponse): Violations {
  const role = roleOf(subject.contract, subject.operation);
  const read = subject.earlier.findLast(
    (step) =>
      isDone(step) && role !== undefined && shownRecord(role.resource, step.answer) !== undefined,
  );
  const record = read && role && shownRecord(role.resource, read.answer);
  if (
    record === undefined ||
    !isJsonArray(subject.sent.body) ||
    !subject.sent.body.some((step) => isFailing(step, record))
  )
    return undefined;
  if (!isSuccess(response.status) || response.status === 202) return [];
  return makeViolation(subject, {
    what: '',
    expected: 'a refusal, and no change (RFC 6902, section 5; RFC 5789, section 2)',
    actual: String(response.status),
    basis: 'protocol',
    cause: 'failed test',
  });
}

/**
 * Whether a step of a patch tests a member of a record for a value that it does not have, or
 * removes a member that is not there (RFC 6902, sections 4.2 and 4.6).
 */
function isFailing(step: JsonValue, record: JsonObject): boolean {
  if (!isJsonObject(step) || typeof step['path'] !== 'string') return false;
  const [name = '', ...deeper] = splitPointer(step['path']);
  if (step['op'] !== 'test') return step['op'] === 'remove' && !Object.hasOwn(record, name);
  return (
    deeper.length === 0 &&
    Object.hasOwn(record, name) &&
    !equalJson(record[name] ?? null, step['value'] ?? null)
  );
}

/**
 * One tag for two states of a record: a strong one must differ (RFC 9110, section 8.8.1), and
 * clients rely on a documented weak one.
 */
function tagThatStays(subject: CheckInput): Violations {
  const { operation, earlier } = subject;
  const tag = tagOf(subject);
  const changed = tag === undefined ? undefined : visibleChange(subject, earlier, subject);
  const former = changed && tagOf(changed.before);
  if (tag === undefined || former === undefined) return undefined;
  const header = tagHeader(operation);
  if (former !== tag || (isWeak(tag) && header === undefined)) return [];
  return {
    at: header?.pointer ?? joinPointer(operation.pointer, 'responses'),
    message: `The ETag of a record stayed ${tag} when the record was changed.`,
    expected: 'another ETag',
    actual: tag,
    cause: 'tag stays',
    ...(isWeak(tag) ? { severity: 'warning' } : { basis: 'protocol' }),
  };
}

/** The tag that a request sent, if the contract declares the header. */
function tagSent({ exchange: { request }, sent }: CheckInput, name: string): string | undefined {
  const given = [...sent.arguments].find(
    ([parameter]) => parameter.in === 'header' && parameter.name.toLowerCase() === name,
  );
  const isTaken = given?.[0].schema.validate(given[1], 'request').length === 0;
  return isTaken ? headerValue(request.headers, name) : undefined;
}

/** A read of a record with a tag: what it shows is what the tag stands for. */
interface TaggedRead {
  readonly subject: CheckInput;
  readonly tag: string;
}

/**
 * What the tag of a read says that the steps before it contradict: the same one stood for other
 * content, or the answer to the last change had another one for the same content (RFC 9110,
 * sections 8.8 and 8.8.1).
 */
function contradictedTag(subject: CheckInput): Violation[] {
  const tag = tagOf(subject);
  const isRead = roleOf(subject.contract, subject.operation)?.action === 'read';
  const isWhole = isRead && subject.exchange.response?.status === 200;
  if (tag === undefined || !isWhole || subject.earlier.length === 0) return [];
  const same = isWeak(tag) ? [] : sameForOther({ subject, tag });
  return [...same, ...otherForSame({ subject, tag })].slice(0, 1);
}

/** A tag that the record had before a change which its content shows. */
function sameForOther({ subject, tag }: TaggedRead): Violation[] {
  const { earlier } = subject;
  const before = earlier.findLastIndex(
    (step) =>
      step.case.operation === subject.operation &&
      isOfSameTarget(step, subject) &&
      step.exchange.response?.status === 200,
  );
  const former = earlier[before];
  const isChanged = earlier.slice(before + 1).some(changes);
  if (former === undefined || !isChanged || tagOf(former) !== tag) return [];
  if (equalJson(jsonOf(former.answer) ?? null, jsonOf(subject.answer) ?? null)) return [];
  return [
    {
      at: placeOf(subject.operation),
      message: `The ETag of a record stayed ${tag} when the record was changed.`,
      expected: 'another ETag',
      actual: tag,
      cause: 'tag stays',
      basis: 'protocol',
    },
  ];
}

/** Another tag than that of the answer to the change before, whose content is the same. */
function otherForSame({ subject, tag }: TaggedRead): Violation[] {
  const change = subject.earlier.findLast(changes);
  const told = change && tagOf(change);
  if (change === undefined || told === undefined || told === tag) return [];
  // A weak tag has to be documented; it certainly is wrong if it is one of before the change.
  const before = subject.earlier.slice(0, subject.earlier.indexOf(change));
  const isStale = before.some((step) => tagOf(step) === told);
  const { operation } = change.case;
  if (isWeak(told) && tagHeader(operation) === undefined) return [];
  const shown = jsonOf(change.answer);
  const isSame = shown !== undefined && equalJson(shown, jsonOf(subject.answer) ?? null);
  if (!isSame || !isOfSameTarget(change, subject)) return [];
  return [
    {
      at: placeOf(subject.operation),
      message:
        `The answer to ${change.case.operation.id} has the ETag ${told}; the next read, which ` +
        `shows the same, has ${tag}.`,
      expected: tag,
      actual: told,
      cause: 'tag of an answer',
      ...(isWeak(told) && !isStale ? { severity: 'warning' } : { basis: 'protocol' }),
    },
  ];
}

function placeOf(operation: Operation): Pointer {
  return tagHeader(operation)?.pointer ?? joinPointer(operation.pointer, 'responses');
}

/** The header in which an operation documents the tag of what it shows. */
function tagHeader({ responses }: Operation): HeaderSpec | undefined {
  return responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ headers }) => headers)
    .find(({ name }) => name.toLowerCase() === 'etag');
}

function changes(step: Step): boolean {
  return isDone(step) && !['GET', 'HEAD', 'OPTIONS'].includes(step.exchange.request.method);
}

function isOfSameTarget(one: Step, other: Step): boolean {
  return one.exchange.request.target === other.exchange.request.target;
}
