import type { Contract, Operation } from '../../contract/model.ts';
import { headerValue } from '../../http/message.ts';
import { asksToWait } from '../../http/status.ts';
import { joinPointer, type Pointer, valueAt } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import { jsonOf } from '../evidence/answer/read-answer.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { CredentialChoice } from '../model/request-template.ts';
import type { Check, Violation } from './check.ts';

/** A secured operation refuses requests without a credential, and with one that nobody issued. */
export const credentialRequired = {
  id: 'credential-required',
  basis: 'contract',
  severity: 'error',
  rule:
    'A secured operation answers 401 to a request without a credential, and ' +
    '401 (or 403) to a well-formed one that was never issued.',
  reason: 'Data that the contract calls protected is open to whoever asks.',
  proof: 'control',
  intents: ['credential'],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented', 'body-parses'],
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
} as const satisfies Check;

/**
 * Where the requirement stands: with the operation, or once for the document (OpenAPI 3.1, section
 * 4.8.10).
 */
export function securityPointer(contract: Contract, operation: Operation): Pointer {
  const own = joinPointer(operation.pointer, 'security');
  return valueAt(contract.document, own) === undefined ? '/security' : own;
}

function letThrough(
  { case: tried, operation, answer, exchange }: CheckInput,
  at: Pointer,
  status: number,
): Violation {
  const location = exchange.response && headerValue(exchange.response.headers, 'location');
  const choice = tried.intent.kind === 'credential' ? tried.intent.choice : 'none';
  return {
    at,
    message:
      status >= 300
        ? `The server redirected ${requestPhrase(tried)} ` +
          `(${String(status)}${location === undefined ? '' : ` to ${location}`}) ` +
          'instead of refusing it.'
        : 'The server answered ' +
          `${String(status)}${isError(answer) ? ' with an error in its body' : ''} ` +
          `to ${requestPhrase(tried)}.`,
    expected: '401',
    actual: String(status),
    ...(choice === 'wrong-scheme' && !wantsAuthorization(operation)
      ? { severity: 'warning' as const }
      : {}),
    cause: choice,
    impliedBy: impliedBy[choice],
  };
}

/**
 * A key that has a field of its own and is read from another as well was issued all the same: the
 * contract is silent about a way in.
 */
function wantsAuthorization({ security }: Operation): boolean {
  return security.some((requirement) =>
    requirement.some(({ scheme }) => scheme.kind === 'bearer' || scheme.kind === 'basic'),
  );
}

/** Whoever lets this through lets that through: a server that asks for nothing takes anything. */
const impliedBy: Readonly<Record<Exclude<CredentialChoice, 'given'>, readonly string[]>> = {
  none: [],
  empty: ['none', 'wrong'],
  wrong: ['none'],
  'wrong-scheme': ['none', 'wrong'],
  prefix: ['none', 'wrong'],
  longer: ['none', 'wrong'],
  'other-case': ['none', 'wrong'],
};

/** A refusal in the form of a success: clients look at the status first. */
function isError(answer: CheckInput['answer']): boolean {
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
 * A whole and valid request that lacks nothing but the credential gets the 401 that is documented
 * for that. A hidden record may be 404.
 */
function refusesOddly({ operation, case: { intent } }: CheckInput, status: number): boolean {
  // What is no credential at all, or not of the length of one, may be called malformed (RFC 6750,
  // section 3.1).
  if (intent.kind === 'credential' && !wellFormed.includes(intent.choice)) return false;
  if (!operation.responses.some((response) => response.status === '401')) return false;
  const fitting =
    intent.kind === 'credential' && intent.choice === 'none' ? [401, 404] : [401, 403, 404];
  return (
    !fitting.includes(status) &&
    operation.responses.some((response) => response.status === String(status))
  );
}

const wellFormed: readonly CredentialChoice[] = ['none', 'wrong'];

function refusedOddly({ case: tried }: CheckInput, at: Pointer, status: number): Violation {
  return {
    at,
    message:
      `The server answered ${String(status)} to ${requestPhrase(tried)}; the ` +
      'contract documents 401 for that.',
    expected: '401',
    actual: String(status),
    cause: `refused with ${String(status)}`,
  };
}
