import type { Operation } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import { makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { CredentialChoice, RequestTemplate } from '../model/request-template.ts';
import {
  hasWrongScheme,
  headerOf,
  type TokenOf,
  usableRequirement,
} from '../secrets/credential.ts';
import { inOtherCase } from '../secrets/secrets.ts';
import { bodyOf, type Draft, isSafe, requestOf } from './draft.ts';
import { markBody } from './mark-body.ts';
import { missingIdentifiers } from './missing.ts';
import { type PlanContext, securedDrafts } from './plan-context.ts';

const titles: Readonly<Record<Exclude<CredentialChoice, 'given'>, string>> = {
  none: 'a request without a credential',
  empty: 'a request with an empty credential',
  wrong: 'a request with a well-formed credential that was never issued',
  'wrong-scheme': 'a request with the credential under a scheme that the contract does not have',
  prefix: 'a request with the credential short of its last character',
  longer: 'a request with the credential and four characters behind it',
  'other-case': 'a request with the credential, its capitals and small letters exchanged',
};

/**
 * The plain request of each secured operation without a credential and with wrong ones: a single
 * wrong one where nothing may be written.
 */
export function planAuth(context: PlanContext): Sequence[] {
  return securedDrafts(context).flatMap((draft) => {
    const request = addressed(context, draft);
    return choicesFor(context, draft).map((choice) =>
      makeSequence(authCase(context, { draft, request, choice })),
    );
  });
}

/**
 * A read-only run is polite to services that lock clients out which send wrong credentials too
 * often.
 */
function choicesFor(
  context: PlanContext,
  { operation }: Draft,
): Exclude<CredentialChoice, 'given'>[] {
  if (context.mode === 'read-only') return ['none', 'wrong'];
  const requirement = usableRequirement(operation, context.tokenOf) ?? [];
  const hasToken = requirement.every(({ scheme }) => context.tokenOf(scheme) !== undefined);
  if (!hasToken) return ['none', 'empty', 'wrong'];
  const cased = hasOtherCase(operation, context.tokenOf) ? (['other-case'] as const) : [];
  const strayed = mayStray(context, operation) ? (['wrong-scheme'] as const) : [];
  return ['none', 'empty', 'wrong', 'prefix', 'longer', ...cased, ...strayed];
}

/**
 * Whether the credential can be sent under a wrong scheme, in an `Authorization` that the user does
 * not set.
 */
function mayStray({ contract, tokenOf, givenHeaders }: PlanContext, operation: Operation): boolean {
  if (!hasWrongScheme(operation, contract.securitySchemes.values(), tokenOf)) return false;
  const schemes = usableRequirement(operation, tokenOf)?.map(({ scheme }) => scheme) ?? [];
  return (
    !givenHeaders.has('authorization') ||
    schemes.some((scheme) => headerOf(scheme) === 'authorization')
  );
}

/**
 * Whether every token that goes to an operation is another one in other letters. A user name, which
 * a token without a password is, may be read in any case.
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

interface Attempt {
  readonly draft: Draft;
  /** Its plain request. */
  readonly request: RequestTemplate;
  readonly choice: Exclude<CredentialChoice, 'given'>;
}

function authCase(context: PlanContext, attempt: Attempt): ReturnType<typeof makeCase> {
  const {
    draft: { operation },
    choice,
  } = attempt;
  return makeCase({
    title: titles[choice],
    phase: 'auth',
    operation,
    request: { ...marked(context, attempt, 'tried'), credential: choice },
    intent: { kind: 'credential', choice },
    control: () => marked(context, attempt, 'control'),
  });
}

function marked(
  { runId }: PlanContext,
  { draft: { operation, body }, request, choice }: Attempt,
  word: string,
): RequestTemplate {
  if (body === undefined) return request;
  return {
    ...request,
    body: bodyOf(
      body,
      markBody(body, body.value, { runId, label: `${operation.id} ${choice} ${word}` }),
    ),
  };
}

/**
 * Where no record is known, one that cannot exist will do for a read: who is not let in is not
 * told.
 */
function addressed(context: PlanContext, draft: Draft): ReturnType<typeof requestOf> {
  const safe = isSafe(draft.operation);
  const request = requestOf(draft, safe ? 'known' : 'own');
  const [stranger] =
    draft.identifier === undefined || !safe
      ? []
      : missingIdentifiers(
          draft.identifier,
          `${context.seed} ${joinPointer('', draft.operation.id)}`,
        );
  if (stranger === undefined) return request;
  return {
    ...request,
    arguments: request.arguments.map(({ parameter, source }) => ({
      parameter,
      source: source.kind === 'known' ? { ...source, otherwise: stranger.value } : source,
    })),
  };
}
