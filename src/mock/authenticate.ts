import type { SecurityRequirement, SecurityScheme } from '../contract/model.ts';
import { headerValues, type HeaderList } from '../http/message.ts';
import { makeFault, type Fault } from './errors/fault.ts';
import { quoteHeaderText } from './errors/visible-text.ts';
import type { AuthenticationMode } from './mock.ts';
import { isKnownKey } from './request/is-known-key.ts';
import { readCredential, type Credential, type CredentialSource } from './request/read-credentials.ts';

/** What authentication goes by: the operation's requirements, and how the mock was told to judge. */
export interface AuthenticationRules {
  readonly security: readonly SecurityRequirement[];
  readonly mode: AuthenticationMode;
  readonly keys: readonly string[];
  /** Named in `WWW-Authenticate`: the contract's title. */
  readonly realm: string;
}

type Refusal = { readonly kind: 'missing' | 'malformed' | 'wrong'; readonly message: string };

/** Nothing where a request may pass; else why not. One requirement is enough, and every scheme of it is needed. */
export function authenticate(source: CredentialSource, rules: AuthenticationRules): Fault | undefined {
  if (headerValues(source.headers, 'authorization').length > 1) {
    return makeFault('target', 'invalid_request', 'The header Authorization is given twice. Send it once.');
  }
  if (rules.mode === 'off' || rules.security.length === 0) return undefined;
  const refusals = rules.security.map((requirement) => judgeRequirement(requirement, source, rules));
  if (refusals.includes(undefined)) return undefined;
  return refuse(refusals.filter((refusal) => refusal !== undefined), rules);
}

function judgeRequirement(requirement: SecurityRequirement, source: CredentialSource, rules: AuthenticationRules): Refusal | undefined {
  const refusals = requirement.flatMap(({ scheme }) => judge(readCredential(scheme, source), rules) ?? []);
  return mostTelling(refusals);
}

function judge(credential: Credential, { mode, keys }: AuthenticationRules): Refusal | undefined {
  if (credential.kind === 'unjudged') return undefined;
  if (credential.kind !== 'present') return credential;
  if (mode === 'any' || credential.secrets.some((secret) => isKnownKey(secret, keys))) return undefined;
  return { kind: 'wrong', message: credential.unknown };
}

const telling = ['wrong', 'malformed', 'missing'] as const;

/** Whoever sent a wrong key wants to hear of that, and not that another way of showing one is missing. */
function mostTelling(refusals: readonly Refusal[]): Refusal | undefined {
  return telling.flatMap((kind) => refusals.filter((refusal) => refusal.kind === kind))[0];
}

const codes = { missing: 'unauthorized', malformed: 'invalid_request', wrong: 'invalid_token' } as const;

function refuse(refusals: readonly Refusal[], rules: AuthenticationRules): Fault {
  const refusal = mostTelling(refusals) ?? { kind: 'missing', message: 'A credential is required.' };
  const cause = refusal.kind === 'malformed' ? 'credential-malformed' : 'credential';
  return makeFault(cause, codes[refusal.kind], refusal.message, { headers: challenges(refusal, rules) });
}

/** A challenge for each scheme that would do (RFC 9110, section 11.6.1; RFC 6750, section 3, for `error`). */
function challenges(refusal: Refusal, { security, realm }: AuthenticationRules): HeaderList {
  const schemes = new Map(security.flat().map(({ scheme }) => [challengeName(scheme), scheme]));
  return [...schemes.values()].flatMap((scheme) => {
    const challenge = challengeOf(scheme, refusal, quoteHeaderText(realm));
    return challenge === undefined ? [] : [['WWW-Authenticate', challenge] as const];
  });
}

function challengeName(scheme: SecurityScheme): string {
  return scheme.kind === 'apiKey' ? `apiKey ${scheme.in} ${scheme.key}` : scheme.kind;
}

function challengeOf(scheme: SecurityScheme, refusal: Refusal, realm: string): string | undefined {
  if (scheme.kind === 'bearer') return refusal.kind === 'missing' ? `Bearer realm=${realm}` : `Bearer realm=${realm}, error="${codes[refusal.kind]}"`;
  if (scheme.kind === 'basic') return `Basic realm=${realm}, charset="UTF-8"`;
  // There is no registered scheme for API keys; the name says at least what to send and where.
  if (scheme.kind === 'apiKey') return `ApiKey realm=${realm}, in="${scheme.in}", name=${quoteHeaderText(scheme.key)}`;
  return undefined;
}
