import { documentsRefusal, type Operation } from '../../contract/model.ts';
import { isRefusal, isSuccess } from '../../http/status.ts';
import { joinPointer } from '../../json/pointer.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import { isLookup } from '../evidence/record/created-record.ts';
import { mayBeMissing } from '../evidence/record/may-be-missing.ts';
import {
  isDocumented,
  isHonest,
  isNameTaken,
  isOwnOfHttp,
  listStatuses,
} from '../evidence/refusal.ts';
import { isDescribed } from '../evidence/request/is-described.ts';
import type { Intent } from '../model/case.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { Check, Violation } from './check.ts';

/** The operation documents every status; an undocumented refusal is a gap in the contract. */
export const statusDocumented = {
  id: 'status-documented',
  basis: 'contract',
  severity: 'error',
  rule:
    'The operation documents every status that it returns: exactly, by its range, or by ' +
    '`default`.',
  reason: 'A client can only handle the statuses that the contract documents.',
  proof: 'repeat',
  needs: ['creators'],
  inspect(subject) {
    const { operation, exchange } = subject;
    if (exchange.response === undefined || !isDescribed(subject)) return undefined;
    const { status } = exchange.response;
    if (
      isDocumented(operation, status) ||
      isOwnOfHttp(exchange.response) ||
      isOwnOfHeader(subject.case.intent, status) ||
      (isRefusal(status) && isLookup(subject))
    )
      return [];
    return [isGap(subject, status) ? gapNote(subject, status) : breach(subject, status)];
  },
} as const satisfies Check;

/** The statuses that HTTP has for a header of a request (RFC 9110, sections 13.2 and 14.2). */
const ownOfHeaders: Readonly<Record<string, readonly number[]>> = {
  'If-Match': [412],
  'If-None-Match': [304, 412],
  'If-Modified-Since': [304],
  Range: [206, 416],
};

function isOwnOfHeader(intent: Intent, status: number): boolean {
  if (intent.kind !== 'invalid' || intent.part !== 'header') return false;
  return (
    (status === 400 && intent.subject in ownOfHeaders) ||
    ownOfHeaders[intent.subject]?.includes(status) === true
  );
}

function breach({ operation, case: testCase }: CheckInput, status: number): Violation {
  return {
    at: joinPointer(operation.pointer, 'responses'),
    message:
      `The server answered ${String(status)} to ${requestPhrase(testCase)}; the ` +
      'contract does not document that status.',
    expected: listStatuses(operation),
    actual: String(status),
    cause:
      `${String(status)} ` +
      (testCase.intent.kind === 'valid' || status < 400 ? 'valid' : 'refusal'),
  };
}

function gapNote({ operation, case: testCase }: CheckInput, status: number): Violation {
  return {
    at: joinPointer(operation.pointer, 'responses'),
    message:
      `The server answered ${String(status)} to ${requestPhrase(testCase)}; the ` +
      'contract documents no status for that.',
    expected: `a documented status (documented: ${listStatuses(operation)})`,
    actual: String(status),
    severity: 'note',
    blame: 'contract',
    cause: `gap ${String(status)}`,
  };
}

/**
 * Whether the contract documents no such response: then a legitimate 4xx or success is a gap in the
 * contract.
 */
// oxlint-disable-next-line complexity -- a table: what the contract leaves open, for each intent
function isGap(subject: CheckInput, status: number): boolean {
  const {
    operation,
    case: { intent },
    answer,
  } = subject;
  if (isSuccess(status)) return intent.kind === 'valid' && !documentsOutcome(operation);
  if (!isRefusal(status) || !isHonest(answer)) return false;
  switch (intent.kind) {
    case 'invalid':
      return intent.part === 'path' || !documentsRefusal(operation);
    case 'credential':
      // 403 is the other status that RFC 9110 has for a credential that is present and
      // insufficient.
      return (
        !documents(operation, '401') ||
        (status === 403 && !(intent.choice === 'none' && intent.scheme === undefined))
      );
    case 'missing':
      return intent.rigour === 'exotic' || !documents(operation, '404');
    case 'identity':
      return true;
    case 'method':
      return false;
    case 'condition':
      // Contracts seldom document a status for a repeated idempotency key, or for a patch that
      // fails.
      return ['made-once', 'key-refused', 'patch-refused', 'located'].includes(intent.wanted);
    case 'relation':
      return ['refused', 'bulk-refused', 'missing', 'gone'].includes(intent.rule);
    case 'valid':
      if (
        (status === 404 || status === 410) &&
        !documents(operation, '404') &&
        mayBeMissing(subject)
      )
        return true;
      if (isNameTaken(subject)) return true;
      return (
        intent.rigour === 'invented' || (intent.rigour === 'exotic' && !documentsRefusal(operation))
      );
  }
}

/** Whether an operation documents the result of a request that succeeds. */
function documentsOutcome(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^[23]/.test(status));
}

function documents(operation: Operation, status: string): boolean {
  return operation.responses.some(
    (response) => response.status === status || response.status === '4XX',
  );
}
