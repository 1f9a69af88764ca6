import { wrongErrorBody, wrongGet, wrongStatus } from '../../reading/shared-causes.ts';
import { type Operation } from '../../../contract/model.ts';
import { isRefusal, isSuccess } from '../../../http/status.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { requestPhrase } from '../../model/phrases.ts';
import { isLookup } from '../../reading/created-record.ts';
import { isDocumented, isHonest, isOwnOfHttp, listStatuses } from '../../reading/refusal.ts';
import { isDescribed } from '../../reading/is-described.ts';
import type { Intent } from '../../model/case.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import type { Violation } from '../../model/violation.ts';
import { check } from '../check.ts';

/** The operation documents every status; an undocumented refusal is a gap in the contract. */
export const statusDocumented = check({
  id: 'status-documented',
  basis: 'contract',
  severity: 'error',
  rule:
    'The operation documents every status that it returns: exactly, by its range, or by ' +
    '`default`.',
  reason: 'A client can only handle the statuses that the contract documents.',
  example: ['> GET /items', '< 206 Partial Content   (documented: 200 or 401)'],
  confirm: 'repeat',
  explains: [wrongErrorBody, wrongStatus, wrongGet],
  traits: ['one response', 'head'],
  needs: ['creators'],
  mutants: [async () => (await import('./message-mutants.ts')).messageMutators],
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
});

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
function isGap(subject: CheckInput, status: number): boolean {
  const { operation, case: testCase, answer, isLeftOpen } = subject;
  if (isSuccess(status)) return testCase.intent.kind === 'valid' && !documentsOutcome(operation);
  return isRefusal(status) && isHonest(answer) && isLeftOpen(status);
}

/** Whether an operation documents the result of a request that succeeds. */
function documentsOutcome(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^[23]/.test(status));
}
