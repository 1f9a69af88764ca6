import { type PlanContext, securedDrafts } from '../../plan/plan-context.ts';
import { missingIdentifiers } from '../../plan/missing-identifiers.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { type Draft, isSafe, recordFor, requestOf } from '../../plan/draft.ts';
import { inOtherCase } from '../../../redact/other-case.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { documentsStatus } from '../../reading/refusal.ts';
import {
  hasWrongScheme,
  headerOf,
  readsOnlyBearer,
  type TokenOf,
  usableRequirement,
} from '../../secrets/credential.ts';
import type { Operation, SecurityScheme } from '../../../contract/model.ts';
import { asksToWait, headerValue } from '../../../http/message.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonObject } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { requestPhrase } from '../../model/step.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import type { CredentialChoice, RequestTemplate } from '../../model/request-template.ts';
import { check } from '../check.ts';
import { securityPointer } from '../../reading/security-pointer.ts';

/**
 * A secured operation refuses requests without a credential, and with one that was never issued.
 */
export const credentialRequired = check({
  id: 'credential-required',
  basis: 'contract',
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
    return isLetThrough
      ? letThrough(subject, at, response.status)
      : refusedOddly(subject, at, response.status);
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

type WrongCredential = Exclude<CredentialChoice, 'given'>;

const titles: Readonly<Record<WrongCredential, string>> = {
  none: 'a request without a credential',
  empty: 'a request with an empty credential',
  wrong: 'a request with a well-formed credential that was never issued',
  'wrong-scheme': 'a request with the credential under a scheme that the contract does not have',
  prefix: 'a request with the credential short of its last character',
  longer: 'a request with the credential and four characters behind it',
  'other-scheme': 'a request with a made-up credential under another scheme (Basic)',
  'other-case': 'a request with the credential, its capitals and small letters exchanged',
};

/** The plain request of each secured operation without a credential and with wrong ones. */
function planAuth(context: PlanContext): Sequence[] {
  return securedDrafts(context).flatMap((draft) => {
    const request = addressedRequest(context, draft);
    const attempts: Omit<AuthAttempt, 'draft' | 'request'>[] = [
      ...wrongCredentials(context, draft).map((choice) => ({ choice })),
      ...schemesAlone(context, draft).flatMap((scheme) =>
        (['none', 'wrong'] as const).map((choice) => ({ choice, scheme })),
      ),
    ];
    return attempts.map((attempt) =>
      makeSequence(authCase(context, { draft, request, ...attempt })),
    );
  });
}

/**
 * The schemes of a requirement with several schemes, if the run has a credential for each: one is
 * omitted or wrong, while the others are right. Excluded if the others are enough for another
 * requirement of the operation, or use the same header: a service reads one bearer token for all
 * schemes that use one.
 */
function schemesAlone({ tokenOf }: PlanContext, { operation }: Draft): string[] {
  const requirement = usableRequirement(operation, tokenOf) ?? [];
  const hasAll = requirement.every(({ scheme }) => tokenOf(scheme) !== undefined);
  if (!hasAll || requirement.length < 2) return [];
  return requirement.flatMap(({ scheme: { name } }) => {
    const others = new Set(
      requirement.flatMap(({ scheme }) => (scheme.name === name ? [] : placeOf(scheme))),
    );
    const isEnough = operation.security.some((each) =>
      each.every(({ scheme }) => others.has(placeOf(scheme))),
    );
    const shares = requirement.some(
      ({ scheme }) => scheme.name === name && others.has(placeOf(scheme)),
    );
    return isEnough || shares ? [] : [name];
  });
}

/**
 * The place of a credential in a request: a service cannot distinguish schemes with the same place.
 */
function placeOf(scheme: SecurityScheme): string {
  return scheme.kind === 'apiKey' ? `${scheme.in} ${scheme.key.toLowerCase()}` : 'authorization';
}

/** Read-only runs send one wrong credential: services lock out clients that send many. */
function wrongCredentials(context: PlanContext, { operation }: Draft): WrongCredential[] {
  if (context.mode === 'read-only') return ['none', 'wrong'];
  const requirement = usableRequirement(operation, context.tokenOf) ?? [];
  const hasToken = requirement.every(({ scheme }) => context.tokenOf(scheme) !== undefined);
  if (!hasToken) return ['none', 'empty', 'wrong'];
  const cased = hasOtherCase(operation, context.tokenOf) ? (['other-case'] as const) : [];
  const strayed = maySendWrongScheme(context, operation) ? (['wrong-scheme'] as const) : [];
  const other = maySendOtherScheme(context, operation) ? (['other-scheme'] as const) : [];
  return ['none', 'empty', 'wrong', 'prefix', 'longer', ...cased, ...strayed, ...other];
}

/** Whether the credential fits a wrong scheme, in an `Authorization` that the user does not set. */
function maySendWrongScheme(
  { contract, tokenOf, givenHeaders }: PlanContext,
  operation: Operation,
): boolean {
  if (!hasWrongScheme(operation, contract.securitySchemes.values(), tokenOf)) return false;
  const schemes = usableRequirement(operation, tokenOf)?.map(({ scheme }) => scheme) ?? [];
  return (
    !givenHeaders.has('authorization') ||
    schemes.some((scheme) => headerOf(scheme) === 'authorization')
  );
}

/**
 * Whether another scheme can be sent in the `Authorization` of an operation, and must be refused.
 */
function maySendOtherScheme(
  { contract, tokenOf, givenHeaders }: PlanContext,
  operation: Operation,
): boolean {
  return (
    !givenHeaders.has('authorization') &&
    readsOnlyBearer(operation, contract.securitySchemes.values(), tokenOf)
  );
}

/**
 * Whether every token of an operation differs when its letters change case. A basic token without a
 * password is a user name, which may be case-insensitive.
 */
function hasOtherCase(operation: Operation, tokenOf: TokenOf): boolean {
  const tokens =
    usableRequirement(operation, tokenOf)?.map(({ scheme }) => ({
      kind: scheme.kind,
      token: tokenOf(scheme),
    })) ?? [];
  return (
    tokens.length > 0 &&
    tokens.every(
      ({ kind, token }) =>
        token !== undefined &&
        inOtherCase(token) !== undefined &&
        (kind !== 'basic' || token.includes(':')),
    )
  );
}

interface AuthAttempt {
  readonly draft: Draft;
  /** Its plain request. */
  readonly request: RequestTemplate;
  readonly choice: WrongCredential;
  /** The one scheme whose credential is left out or wrong; absent for all. */
  readonly scheme?: string;
}

function authCase(context: PlanContext, attempt: AuthAttempt): Case {
  const { draft, choice, scheme } = attempt;
  const alone = scheme === undefined ? {} : { scheme };
  return makeCase({
    title: scheme === undefined ? titles[choice] : titleAlone(choice, scheme),
    phase: 'auth',
    operation: draft.operation,
    request: { ...markedRequest(context, attempt, 'tried'), credential: choice, ...alone },
    intent: { kind: 'credential', choice, ...alone },
    control: () => markedRequest(context, attempt, 'control'),
  });
}

function titleAlone(choice: WrongCredential, scheme: string): string {
  return choice === 'none'
    ? `a request with all its credentials but that of ${scheme}`
    : `a request with a credential of ${scheme} that was never issued, and the right others`;
}

function markedRequest(
  { runId }: PlanContext,
  { draft: { operation, body }, request, choice, scheme = '' }: AuthAttempt,
  word: 'tried' | 'control',
): RequestTemplate {
  if (body === undefined) return request;
  const label = `${operation.id} ${choice} ${scheme === '' ? '' : `${scheme} `}${word}`;
  return { ...request, body: markedBody(body, body.value, { runId, label }) };
}

/**
 * The plain request. A read gets a missing identifier if no record is known: without a credential
 * it is refused either way.
 */
function addressedRequest({ seed }: PlanContext, draft: Draft): RequestTemplate {
  const { operation, identifier } = draft;
  const request = requestOf(draft, recordFor(draft));
  if (identifier === undefined || !isSafe(operation)) return request;
  const [missing] = missingIdentifiers(identifier, `${seed} ${joinPointer('', operation.id)}`);
  if (missing === undefined) return request;
  return {
    ...request,
    arguments: request.arguments.map(({ parameter, source }) => ({
      parameter,
      source: source.kind === 'known' ? { ...source, otherwise: missing.value } : source,
    })),
  };
}
