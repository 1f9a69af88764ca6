import { isJsonObject } from '../../json/value.ts';
import { isSecured } from '../credential.ts';
import { isLookup } from '../evidence/created-record.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import { asksToWait, documentsRefusal, documentsSuccess, isDocumented, isOwnOfHttp, isRefusal } from '../evidence/refusal.ts';
import { roleOf, type Subject } from '../subject.ts';
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
    if (isAboutCredential(subject, response.status) || isAboutRecord(subject, response.status) || isAboutName(subject, response.status) || isLookup(subject)) return undefined;
    if (!isRefusal(response.status)) return [];
    const plea = isOwnOfHttp(response) || isDocumented(operation, response.status) || !documentsRefusal(operation);
    return [refused(subject, response.status, intent.rigour !== 'plain' && plea)];
  },
} as const satisfies Check;

function refused({ case: tried, operation }: Subject, status: number, note: boolean): Violation {
  const successes = operation.responses.filter((response) => response.status.startsWith('2')).map((response) => response.status);
  return {
    at: tried.intent.kind === 'valid' ? tried.intent.at : operation.pointer,
    message: `The server answered ${String(status)} to ${requestPhrase(tried)}; the contract allows that request.`,
    expected: successes.join(' or '),
    actual: String(status),
    ...(note ? { severity: 'note', blame: 'undecided', cause: 'not plain' } : {}),
  };
}

function isAboutCredential({ operation }: Subject, status: number): boolean {
  return isSecured(operation) && (status === 401 || status === 403);
}

/** An identifier that the request itself chose may be another record's, where the contract says that this can be. */
function isAboutName({ contract, operation, sent }: Subject, status: number): boolean {
  const role = roleOf(contract, operation);
  const isNamed = role?.action === 'create' && isJsonObject(sent.body) && Object.hasOwn(sent.body, role.resource.identifier.field);
  return status === 409 && isNamed && operation.responses.some((response) => response.status === '409');
}

/** A record that the run did not make just now may have been deleted by somebody else; one that could not be read is found missing there. */
function isAboutRecord({ case: { request }, contract, earlier }: Subject, status: number): boolean {
  if (status !== 404 && status !== 410) return false;
  const foreign = request.arguments.some(({ source, parameter }) => parameter.in === 'path' && source.kind !== 'created' && source.kind !== 'listed');
  const lost = earlier.some((step) => roleOf(contract, step.case.operation)?.action === 'read' && step.exchange.response?.status === status);
  return foreign || lost;
}
