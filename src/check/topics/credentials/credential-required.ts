import { documentsStatus } from '../../reading/refusal.ts';
import { planAuth } from './auth.ts';
import type { Operation } from '../../../contract/model.ts';
import { headerValue } from '../../../http/message.ts';
import { asksToWait } from '../../../http/status.ts';
import { type Pointer } from '../../../json/pointer.ts';
import { isJsonObject } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { requestPhrase } from '../../model/phrases.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import type { CredentialChoice } from '../../model/request-template.ts';
import type { Violation } from '../../model/violation.ts';
import { check } from '../check.ts';
import { securityPointer } from '../../reading/security-pointer.ts';

/**
 * A secured operation refuses requests without a credential, and with one that was never issued.
 */
export const credentialRequired = check({
  id: 'credential-required',
  basis: 'contract',
  severity: 'error',
  harm: 'data',
  rule:
    'A secured operation returns 401 to a request without a credential, and 401 or 403 to ' +
    'a well-formed one that was never issued.',
  reason: 'Otherwise anybody can access data that the contract declares as protected.',
  example: ['> GET /items', '> Authorization: Bearer anything-at-all', '< 200 OK'],
  confirm: 'control',
  // A read of a made-up record with the right credential finds nothing.
  controlStatuses: [404, 410],
  traits: ['state', 'credentials'],
  explains: [
    {
      // What asks for no credential takes any.
      findings: ['credential-required'],
      leads: ({ cause }) => cause.startsWith('none'),
      explains: ({ operation }, other) =>
        other.operation === operation && !other.cause.startsWith('none'),
    },
  ],
  plan: [{ at: 'credentials', all: planAuth }],
  intents: ['credential'],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented', 'body-parses'],
  // 403 is the other status that RFC 9110 has for a credential that is present and insufficient.
  mutants: [async () => (await import('./authentication-mutants.ts')).authenticationMutators],
  leavesOpen: ({ operation, case: { intent } }, status) =>
    intent.kind === 'credential' &&
    (!documentsStatus(operation, 401) ||
      (status === 403 && !(intent.choice === 'none' && intent.scheme === undefined))),
  inspect(subject) {
    const {
      case: { intent },
      exchange: { response },
      contract,
      operation,
    } = subject;
    if (
      intent.kind !== 'credential' ||
      response === undefined ||
      asksToWait(response) ||
      response.status >= 500
    )
      return undefined;
    const isLetThrough = response.status < 400;
    if (!isLetThrough && !refusesOddly(subject, response.status)) return [];
    const at = securityPointer(contract, operation);
    return [
      isLetThrough
        ? letThrough(subject, at, response.status)
        : refusedOddly(subject, at, response.status),
    ];
  },
});

function letThrough(
  { case: testCase, operation, answer, exchange }: CheckInput,
  at: Pointer,
  status: number,
): Violation {
  const location = exchange.response && headerValue(exchange.response.headers, 'location');
  const { choice = 'none', scheme } = testCase.intent.kind === 'credential' ? testCase.intent : {};
  return {
    at,
    message:
      status >= 300
        ? `The server redirected ${requestPhrase(testCase)} ` +
          `(${String(status)}${location === undefined ? '' : ` to ${location}`}) ` +
          'instead of refusing it.'
        : 'The server answered ' +
          `${String(status)}${isErrorBody(answer) ? ' with an error in its body' : ''} ` +
          `to ${requestPhrase(testCase)}.`,
    expected: '401',
    actual: String(status),
    ...(choice === 'wrong-scheme' && !wantsAuthorization(operation)
      ? { severity: 'warning' as const }
      : {}),
    cause: scheme === undefined ? choice : `${choice} ${scheme}`,
    impliedBy:
      scheme === undefined
        ? impliedBy[choice]
        : ['none', 'wrong', ...(choice === 'none' ? [] : [`none ${scheme}`])],
  };
}

/** A valid key may be accepted in another field too: the contract does not document that way. */
function wantsAuthorization({ security }: Operation): boolean {
  return security.some((requirement) =>
    requirement.some(({ scheme }) => scheme.kind === 'bearer' || scheme.kind === 'basic'),
  );
}

/** Causes that include each one: a server without any check accepts every credential. */
const impliedBy: Readonly<Record<Exclude<CredentialChoice, 'given'>, readonly string[]>> = {
  none: [],
  empty: ['none', 'wrong'],
  wrong: ['none'],
  'wrong-scheme': ['none', 'wrong'],
  'other-scheme': ['none', 'wrong', 'wrong-scheme'],
  prefix: ['none', 'wrong'],
  longer: ['none', 'wrong'],
  'other-case': ['none', 'wrong'],
};

/** An error in the body of a success: clients look at the status first. */
export function isErrorBody(answer: CheckInput['answer']): boolean {
  const body = jsonOf(answer);
  return (
    isJsonObject(body) &&
    (['error', 'errors'].some((name) => Object.hasOwn(body, name)) ||
      [401, 403].some(
        (status) =>
          body['status'] === status || body['statusCode'] === status || body['code'] === status,
      ))
  );
}

/**
 * A complete and valid request that only lacks the credential gets the documented 401. A hidden
 * record may return 404.
 */
function refusesOddly({ operation, case: { intent } }: CheckInput, status: number): boolean {
  // A credential of a wrong form or length may be called malformed (RFC 6750, section 3.1).
  if (intent.kind === 'credential' && !wellFormed.includes(intent.choice)) return false;
  if (!operation.responses.some((response) => response.status === '401')) return false;
  const isBare =
    intent.kind === 'credential' && intent.choice === 'none' && intent.scheme === undefined;
  const fitting = isBare ? [401, 404] : [401, 403, 404];
  return (
    !fitting.includes(status) &&
    operation.responses.some((response) => response.status === String(status))
  );
}

const wellFormed: readonly CredentialChoice[] = ['none', 'wrong'];

function refusedOddly({ case: testCase }: CheckInput, at: Pointer, status: number): Violation {
  return {
    at,
    message:
      `The server answered ${String(status)} to ${requestPhrase(testCase)}; the ` +
      'contract documents 401 for that.',
    expected: '401',
    actual: String(status),
    cause: `refused with ${String(status)}`,
  };
}
