import type { Operation } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { CredentialChoice, RequestTemplate } from '../model/request-template.ts';
import {
  hasWrongScheme,
  headerOf,
  type TokenOf,
  usableRequirement,
} from '../secrets/credential.ts';
import { inOtherCase } from '../secrets/secrets.ts';
import { type Draft, isSafe, recordFor, requestOf } from './draft.ts';
import { markedBody } from './mark-body.ts';
import { missingIdentifiers } from './missing.ts';
import { type PlanContext, securedDrafts } from './plan-context.ts';

type WrongCredential = Exclude<CredentialChoice, 'given'>;

const titles: Readonly<Record<WrongCredential, string>> = {
  none: 'a request without a credential',
  empty: 'a request with an empty credential',
  wrong: 'a request with a well-formed credential that was never issued',
  'wrong-scheme': 'a request with the credential under a scheme that the contract does not have',
  prefix: 'a request with the credential short of its last character',
  longer: 'a request with the credential and four characters behind it',
  'other-case': 'a request with the credential, its capitals and small letters exchanged',
};

/** The plain request of each secured operation without a credential and with wrong ones. */
export function planAuth(context: PlanContext): Sequence[] {
  return securedDrafts(context).flatMap((draft) => {
    const request = addressedRequest(context, draft);
    return wrongCredentials(context, draft).map((choice) =>
      makeSequence(authCase(context, { draft, request, choice })),
    );
  });
}

/** Read-only runs send one wrong credential: services lock out clients that send many. */
function wrongCredentials(context: PlanContext, { operation }: Draft): WrongCredential[] {
  if (context.mode === 'read-only') return ['none', 'wrong'];
  const requirement = usableRequirement(operation, context.tokenOf) ?? [];
  const hasToken = requirement.every(({ scheme }) => context.tokenOf(scheme) !== undefined);
  if (!hasToken) return ['none', 'empty', 'wrong'];
  const cased = hasOtherCase(operation, context.tokenOf) ? (['other-case'] as const) : [];
  const strayed = maySendWrongScheme(context, operation) ? (['wrong-scheme'] as const) : [];
  return ['none', 'empty', 'wrong', 'prefix', 'longer', ...cased, ...strayed];
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
}

function authCase(context: PlanContext, attempt: AuthAttempt): Case {
  const { draft, choice } = attempt;
  return makeCase({
    title: titles[choice],
    phase: 'auth',
    operation: draft.operation,
    request: { ...markedRequest(context, attempt, 'tried'), credential: choice },
    intent: { kind: 'credential', choice },
    control: () => markedRequest(context, attempt, 'control'),
  });
}

function markedRequest(
  { runId }: PlanContext,
  { draft: { operation, body }, request, choice }: AuthAttempt,
  word: 'tried' | 'control',
): RequestTemplate {
  if (body === undefined) return request;
  const label = `${operation.id} ${choice} ${word}`;
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
