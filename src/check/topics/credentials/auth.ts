import type { Operation, SecurityScheme } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { CredentialChoice, RequestTemplate } from '../../model/request-template.ts';
import {
  hasWrongScheme,
  headerOf,
  readsOnlyBearer,
  type TokenOf,
  usableRequirement,
} from '../../secrets/credential.ts';
import { inOtherCase } from '../../../redact/other-case.ts';
import { type Draft, isSafe, recordFor, requestOf } from '../../plan/draft.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { missingIdentifiers } from '../../plan/missing-identifiers.ts';
import { type PlanContext, securedDrafts } from '../../plan/plan-context.ts';

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
export function planAuth(context: PlanContext): Sequence[] {
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
