import { isSecured } from '../credential.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import { asksToWait, documentsRefusal, documentsSuccess, isDocumented, isOwnOfHttp, isRefusal } from '../evidence/refusal.ts';
import type { Subject } from '../subject.ts';
import type { Check, Violation } from './check.ts';

/** A request that keeps the contract is not refused. Exotic data may be, with a status that the contract names for refusals. */
export const validAccepted = {
  id: 'valid-accepted',
  basis: 'contract',
  severity: 'error',
  rule: 'A valid request is not refused: the plain one, each enum value and bound, the required fields alone, and every field.',
  reason: 'A client that keeps the contract and is refused has no way to do better.',
  proof: 'control',
  covers: ['status-documented'],
  inspect(subject) {
    const { case: { intent }, operation, exchange: { response } } = subject;
    if (intent.kind !== 'valid' || response === undefined || !documentsSuccess(operation) || asksToWait(response)) return undefined;
    if (isAboutCredential(subject, response.status) || isAboutRecord(subject, response.status)) return undefined;
    if (!isRefusal(response.status)) return [];
    const plea = isOwnOfHttp(response) || isDocumented(operation, response.status) || !documentsRefusal(operation);
    return [refused(subject, response.status, intent.rigour === 'exotic' && plea)];
  },
} as const satisfies Check;

function refused({ case: tried, operation }: Subject, status: number, note: boolean): Violation {
  const successes = operation.responses.filter((response) => response.status.startsWith('2')).map((response) => response.status);
  return {
    at: tried.intent.kind === 'valid' ? tried.intent.at : operation.pointer,
    message: `The server refused ${requestPhrase(tried)} with ${String(status)}; the contract allows it.`,
    expected: successes.join(' or '),
    actual: String(status),
    ...(note ? { severity: 'note', blame: 'undecided', cause: 'exotic' } : {}),
  };
}

function isAboutCredential({ operation }: Subject, status: number): boolean {
  return isSecured(operation) && (status === 401 || status === 403);
}

/** A record that the run did not make just now may have been deleted by somebody else. */
function isAboutRecord({ case: { request } }: Subject, status: number): boolean {
  const foreign = request.arguments.some(({ source, parameter }) => parameter.in === 'path' && source.kind !== 'created' && source.kind !== 'listed');
  return foreign && (status === 404 || status === 410);
}
