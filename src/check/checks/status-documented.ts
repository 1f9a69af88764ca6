import type { Operation } from '../../contract/model.ts';
import { isRefusal, isSuccess } from '../../http/status.ts';
import { joinPointer } from '../../json/pointer.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import { isLookup } from '../evidence/record/created-record.ts';
import { mayBeMissing } from '../evidence/record/may-be-missing.ts';
import {
  documentsRefusal,
  isDocumented,
  isHonest,
  isNameTaken,
  isOwnOfHttp,
  listStatuses,
} from '../evidence/refusal.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { Check, Violation } from './check.ts';

/**
 * Every status is one that the operation documents; a refusal where the contract documents none is
 * a gap of the contract.
 */
export const statusDocumented = {
  id: 'status-documented',
  basis: 'contract',
  severity: 'error',
  rule: 'Every status is one that the operation documents: exactly, by its range, or by `default`.',
  reason: 'A client can only handle the statuses that its contract names.',
  proof: 'repeat',
  needs: ['creators'],
  inspect(subject) {
    const { operation, exchange } = subject;
    if (exchange.response === undefined || subject.case.intent.kind === 'method') return undefined;
    const { status } = exchange.response;
    if (
      isDocumented(operation, status) ||
      isOwnOfHttp(exchange.response) ||
      (isRefusal(status) && isLookup(subject))
    )
      return [];
    return [isGap(subject, status) ? gapNote(subject, status) : breach(subject, status)];
  },
} as const satisfies Check;

function breach({ operation, case: tried }: CheckInput, status: number): Violation {
  return {
    at: joinPointer(operation.pointer, 'responses'),
    message:
      `The server answered ${String(status)} to ${requestPhrase(tried)}; the ` +
      'contract does not document that status.',
    expected: listStatuses(operation),
    actual: String(status),
    cause:
      `${String(status)} ` +
      (tried.intent.kind === 'valid' || isSuccess(status) ? 'valid' : 'refusal'),
  };
}

function gapNote({ operation, case: tried }: CheckInput, status: number): Violation {
  return {
    at: joinPointer(operation.pointer, 'responses'),
    message:
      `The server answered ${String(status)} to ${requestPhrase(tried)}; the ` +
      'contract documents no status for that.',
    expected: `nothing, for the contract names none (documented: ${listStatuses(operation)})`,
    actual: String(status),
    severity: 'note',
    blame: 'contract',
    cause: `gap ${String(status)}`,
  };
}

/**
 * Whether the contract is silent about such an answer: an honest 4xx, or a success of which it
 * names none, is then its gap.
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
      // 403 is the other status that RFC 9110 gives to a credential that is there and does not do.
      return !documents(operation, '401') || (status === 403 && intent.choice !== 'none');
    case 'missing':
      return intent.rigour === 'exotic' || !documents(operation, '404');
    case 'method':
      return false;
    case 'condition':
      // What has been done with a key, or fails in a patch, is seldom given a status of its own.
      return ['made-once', 'key-refused', 'patch-refused', 'located'].includes(intent.wanted);
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

/** Whether an operation says what becomes of a request that does what it should. */
function documentsOutcome(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^[23]/.test(status));
}

function documents(operation: Operation, status: string): boolean {
  return operation.responses.some(
    (response) => response.status === status || response.status === '4XX',
  );
}
