import { wrongErrorBody, wrongGet, wrongStatus } from '../../reading/shared-causes.ts';
import { takesPassword } from '../../../contract/infer/infer-logins.ts';
import { type Operation } from '../../../contract/model.ts';
import { type HttpResponse, isRefusal, isSuccess } from '../../../http/message.ts';
import { selectResponse } from '../../../contract/select-response.ts';
import { isJsonObject } from '../../../json/value.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { hasSuccess, requestPhrase } from '../../model/step.ts';
import { isLookup } from '../../reading/created-record.ts';
import {
  isDocumented,
  isHonest,
  isOfClient,
  isOwnOfHttp,
  listStatuses,
  isDescribed,
} from '../../reading/refusal.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { mayBeMissing } from '../../reading/may-be-missing.ts';
import type { Intent } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** The operation documents every status; an undocumented refusal is a gap in the contract. */
export const statusDocumented = check({
  id: 'status-documented',
  basis: 'contract',
  harm: 'types',
  rule:
    'The operation documents every status that it returns: exactly, by its range, or by ' +
    '`default`.',
  reason: 'A client can only handle the statuses that the contract documents.',
  example: ['> GET /items', '< 206 Partial Content   (documented: 200 or 401)'],
  confirm: 'repeat',
  explains: [
    wrongErrorBody,
    wrongStatus,
    wrongGet,
    {
      findings: ['status-documented'],
      leads: ({ cause }) => cause === sentOtherwise,
      explains: (_leader, { cause }) => cause === sentOtherwise,
    },
  ],
  // A service refuses one fault alike everywhere, and its contract forgets that status everywhere.
  sharedCause: ({ status, intent: { kind, class: valueClass, rule } }) => {
    if (kind === 'invalid') return `${String(status)} ${String(valueClass ?? rule)}`;
    return isOfClient(Number(status)) ? `${String(status)} of the client` : undefined;
  },
  traits: ['one response', 'head', 'undocumented'],
  needs: ['creators', 'latencies', 'records', 'accepted', 'authorised'],
  mutants: [async () => (await import('./message-mutants.ts')).messageMutators],
  inspect(subject) {
    const { operation, exchange } = subject;
    if (exchange.response === undefined || !isDescribed(subject)) return undefined;
    const { status } = exchange.response;
    const usual = usualStatus(subject, status);
    if (usual !== undefined) return otherStatus(subject, status, usual);
    if (
      isDocumented(operation, status) ||
      isOwnOfHttp(exchange.response) ||
      isSentAsDocumented(operation, exchange.response) ||
      isOwnOfRequest(subject.case.intent, status) ||
      (isRefusal(status) && isLookup(subject))
    )
      return [];
    return [isGap(subject, status) ? gapNote(subject, status) : breach(subject, status)];
  },
});

/** Whether the run learned that an answer is a refusal, and the contract documents its status. */
function isSentAsDocumented(operation: Operation, { sentStatus }: HttpResponse): boolean {
  return sentStatus !== undefined && isDocumented(operation, sentStatus);
}

/** The statuses that HTTP has for a header of a request (RFC 9110, sections 13.2 and 14.2). */
const ownOfHeaders: Readonly<Record<string, readonly number[]>> = {
  'If-Match': [412],
  'If-None-Match': [304, 412],
  'If-Modified-Since': [304],
  Range: [206, 416],
};

/** A path with a percent sign alone is none that a server could route (RFC 3986, section 2.1). */
function isOwnOfRequest(intent: Intent, status: number): boolean {
  if (intent.kind !== 'invalid') return false;
  if (intent.part === 'path') return status === 400 && intent.unreadable === true;
  if (intent.part !== 'header') return false;
  return (
    (status === 400 && intent.subject in ownOfHeaders) ||
    ownOfHeaders[intent.subject]?.includes(status) === true
  );
}

/** A service has one way to send what it refuses: all of its operations are of one cause. */
const sentOtherwise = 'refusals have another status';

/**
 * The status with which the contract documents a refusal, where an answer says in its body that it
 * is one, and has another status: `ok: false` in a 400, documented in a 200. Undefined where the
 * operation documents other refusals by their status.
 */
function usualStatus(
  { operation, exchange, answer }: CheckInput,
  status: number,
): string | undefined {
  const { verdict, responses } = operation;
  const { response } = exchange;
  const { sentAs } = selectResponse(operation, status) ?? {};
  if (response === undefined || response.sentStatus !== undefined || !isRefusal(status))
    return undefined;
  if (isOwnOfHttp(response) || isOfClient(status)) return undefined;
  const body = jsonOf(answer) ?? null;
  const isSaid = verdict !== undefined && isJsonObject(body) && body[verdict] === false;
  const isOnly = responses
    .filter((one) => one.sentAs === undefined && /^(?:4|default)/.test(one.status))
    .every((one) => isOfClient(Number(one.status)));
  return isSaid && isOnly ? sentAs : undefined;
}

function otherStatus(
  { operation, case: testCase }: CheckInput,
  status: number,
  usual: string,
): Violation {
  return {
    at: joinPointer(operation.pointer, 'responses'),
    message:
      `The server answered ${String(status)} to ${requestPhrase(testCase)}; the contract ` +
      `documents such an answer with ${usual} alone.`,
    expected: usual,
    actual: String(status),
    cause: sentOtherwise,
  };
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
  const { operation, case: testCase, answer, isLeftOpen, sent, knowledge } = subject;
  if (isSuccess(status)) return testCase.intent.kind === 'valid' && !documentsOutcome(operation);
  // Nobody knows the password that a login takes.
  const isOfLogin = status === 401 && takesPassword(operation);
  // A credential that no operation takes is the run's fault, and says nothing of the service.
  const { credential } = sent;
  const isOfRun =
    isOfClient(status) && credential !== undefined && !knowledge.authorised.has(credential);
  const isOpen = isOfLogin || isOfRun || isLeftOpen(status) || isOfMissing(subject, status);
  return isRefusal(status) && isHonest(answer) && isOpen;
}

/**
 * Whether a 404 or 410 may be about the record in the path, whatever else the request tests: the
 * path is none that a server can read, or has a value that nothing shows, the sequence has deleted
 * the record, another may have, or no request of that operation ever found one.
 */
function isOfMissing(subject: CheckInput, status: number): boolean {
  const { operation, sent, earlier, knowledge } = subject;
  const { intent } = subject.case;
  if ((status !== 404 && status !== 410) || !operation.path.includes('{')) return false;
  if (intent.kind === 'invalid' && intent.unreadable === true) return true;
  if (mayBeMissing(subject)) return true;
  const names = pathTexts(sent);
  const found = earlier.filter(
    ({ sent: asked, exchange }) =>
      hasSuccess({ exchange }) && pathTexts(asked).some((name) => names.includes(name)),
  );
  const isDeleted = found.some(({ case: before }) => before.operation.method === 'DELETE');
  // Nothing shows a record under a number of twenty digits, which its schema allows.
  const isUnseen = intent.kind === 'invalid' && intent.part === 'path' && found.length === 0;
  return (
    (isUnseen && intent.accepted === 'fine') || isDeleted || !knowledge.latencies.has(operation.id)
  );
}

function pathTexts({ arguments: given }: CheckInput['sent']): string[] {
  return [...given].flatMap(([{ in: location }, value]) =>
    location === 'path' ? [String(value)] : [],
  );
}

/** Whether an operation documents the result of a request that succeeds. */
function documentsOutcome(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^[23]/.test(status));
}
