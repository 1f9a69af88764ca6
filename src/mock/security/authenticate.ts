import type { SecurityRequirement, SecurityScheme } from '../../contract/model.ts';
import { conflictingSchemes } from '../../contract/model/security.ts';
import { type HeaderList, headerValues } from '../../http/message.ts';
import { quoteHeaderText } from '../errors/visible-text.ts';
import { type AuthenticationMode, type Fault, makeFault } from '../model/reply.ts';
import type { TokenJudge, TokenVerdict } from '../tokens/token-verdict.ts';
import type { GivenTokens } from './given-tokens.ts';
import type { Credential, CredentialSource, Grant, MockKey } from './credentials.ts';
import { demoKey, findGrant, isKnownKey, looksLikeToken, readCredential } from './credentials.ts';

/** The rules of authentication: the operation's requirements, and the mode of the mock. */
export interface AuthenticationRules {
  readonly security: readonly SecurityRequirement[];
  readonly mode: AuthenticationMode;
  readonly keys: readonly MockKey[];
  /** Verifies tokens of the mock itself; undefined if it issues none. */
  readonly tokens?: TokenJudge | undefined;
  /** What operations of the mock gave as a token. */
  readonly given?: Pick<GivenTokens, 'has'>;
  readonly now: Date;
  /** The realm in `WWW-Authenticate`: the contract's title. */
  readonly realm: string;
}

/** A requirement with the request's credential for each of its schemes. */
interface Attempt {
  readonly requirement: SecurityRequirement;
  readonly credentials: readonly Credential[];
}

/**
 * Undefined if a request is authenticated, otherwise the fault. One requirement is enough, with all
 * of its schemes (OpenAPI 3.1, section 4.8.30). Returns a promise only if a token is verified.
 */
export function authenticate(
  source: CredentialSource,
  rules: AuthenticationRules,
): Fault | undefined | Promise<Fault | undefined> {
  if (headerValues(source.headers, 'authorization').length > 1) {
    return makeFault(
      'target',
      'invalid_request',
      'The header Authorization is given twice. Send it once.',
    );
  }
  if (rules.mode === 'off' || rules.security.length === 0) return undefined;
  const attempts = rules.security.map((requirement) => ({
    requirement,
    credentials: requirement.map(({ scheme }) => readCredential(scheme, source)),
  }));
  const tokens = rules.tokens === undefined ? noTokens : tokensIn(attempts, rules.keys);
  if (tokens.length === 0) return decide(attempts, rules, noVerdicts);
  return judgeTokens(tokens, rules).then((verdicts) => decide(attempts, rules, verdicts));
}

/** Allocates nothing for requests without a token. */
function tokensIn(attempts: readonly Attempt[], keys: readonly MockKey[]): readonly string[] {
  let tokens: string[] | undefined;
  for (const { credentials } of attempts) {
    for (const credential of credentials) {
      if (credential.kind === 'present') tokens = addTokens(credential.secrets, keys, tokens);
    }
  }
  return tokens ?? noTokens;
}

function addTokens(
  secrets: readonly string[],
  keys: readonly MockKey[],
  before: string[] | undefined,
): string[] | undefined {
  let tokens = before;
  for (const secret of secrets)
    if (looksLikeToken(secret) && !isKnownKey(secret, keys)) (tokens ??= []).push(secret);
  return tokens;
}

const noTokens: readonly string[] = [];
const noVerdicts: ReadonlyMap<string, TokenVerdict> = new Map();

async function judgeTokens(
  tokens: readonly string[],
  rules: AuthenticationRules,
): Promise<Map<string, TokenVerdict>> {
  const verdicts = new Map<string, TokenVerdict>();
  for (const token of new Set(tokens)) {
    const verdict = await rules.tokens?.judge(token, rules.now);
    if (verdict !== undefined) verdicts.set(token, verdict);
  }
  return verdicts;
}

function decide(
  attempts: readonly Attempt[],
  rules: AuthenticationRules,
  verdicts: ReadonlyMap<string, TokenVerdict>,
): Fault | undefined {
  // A requirement that cannot be verified grants access only if there is no other one; otherwise no
  // request would need a credential.
  const judging = { mode: rules.mode, keys: rules.keys, given: rules.given, verdicts };
  const refusals: Refusal[] = [];
  for (const attempt of attempts) {
    const { credentials } = attempt;
    if (credentials.length > 0 && credentials.every(({ kind }) => kind === 'unjudged')) continue;
    const refusal = judgeAttempt(attempt, judging);
    if (refusal === undefined) return undefined;
    refusals.push(refusal);
  }
  return refusals.length === 0 ? undefined : refuse(clearestRefusal(refusals, amongWays), rules);
}

/** Of several schemes for the same header, one is enough. */
function judgeAttempt(
  { requirement, credentials }: Attempt,
  judging: Judging,
): Refusal | undefined {
  const refusals = credentials.map((credential, index) => {
    const { scheme, scopes = [] } = requirement[index] ?? {};
    const refusal = judgeCredential(credential, scopes, judging);
    return scheme?.kind === 'mutualTLS' ? refusal : withKey(refusal, judging);
  });
  if (refusals.every((refusal) => refusal === undefined)) return undefined;
  const rivals = conflictingSchemes(requirement);
  const isRival = (index: number): boolean =>
    rivals.some((scheme) => scheme === requirement[index]?.scheme);
  const met = refusals.some((refusal, index) => refusal === undefined && isRival(index));
  const refusal = clearestRefusal(
    refusals.filter((_, index) => !(met && isRival(index))),
    withinOneWay,
  );
  return refusal?.kind === 'forbidden'
    ? { ...refusal, scopes: [...new Set(requirement.flatMap(({ scopes }) => scopes))] }
    : refusal;
}

/** 403 only if every credential is known: an unknown one precedes insufficient scopes. */
const withinOneWay = ['wrong', 'malformed', 'missing', 'forbidden'] as const;

/** A wrong credential is reported before a missing one of another requirement. */
const amongWays = ['forbidden', 'wrong', 'malformed', 'missing'] as const;

function clearestRefusal(
  refusals: readonly (Refusal | undefined)[],
  order: readonly Refusal['kind'][],
): Refusal | undefined {
  return order.flatMap((kind) => refusals.filter((refusal) => refusal?.kind === kind))[0];
}

const errors = {
  malformed: 'invalid_request',
  wrong: 'invalid_token',
  forbidden: 'insufficient_scope',
} as const;
const causes = {
  missing: 'credential',
  malformed: 'credential-malformed',
  wrong: 'credential',
  forbidden: 'forbidden',
} as const;

function refuse(refusal: Refusal | undefined, { security, realm }: AuthenticationRules): Fault {
  const { kind, message, description, scopes } = refusal ?? {
    kind: 'missing',
    message: 'A credential is required.',
  };
  const headers = writeChallenges(security, {
    realm,
    ...(kind === 'missing' ? {} : { error: errors[kind] }),
    description,
    scopes,
  });
  return makeFault(causes[kind], kind === 'missing' ? 'unauthorized' : errors[kind], message, {
    headers,
  });
}

/** Why a credential is refused. `forbidden`: it is known, but its scopes are insufficient. */
interface Refusal {
  readonly kind: 'missing' | 'malformed' | 'wrong' | 'forbidden';
  readonly message: string;
  /** The description in the challenge. */
  readonly description?: string;
  /** The required scopes, if they are insufficient. */
  readonly scopes?: readonly string[];
}

/** The facts for verifying credentials. */
interface Judging {
  readonly mode: AuthenticationMode;
  readonly keys: readonly MockKey[];
  readonly given: AuthenticationRules['given'];
  /** The results for texts that look like tokens. */
  readonly verdicts: ReadonlyMap<string, TokenVerdict>;
}

/**
 * Undefined if a credential is accepted, otherwise the reason. Known keys and tokens are limited to
 * their scopes and lifetime in every mode; unknown ones are accepted in the mode `any`.
 */
function judgeCredential(
  credential: Credential,
  scopes: readonly string[],
  judging: Judging,
): Refusal | undefined {
  if (credential.kind === 'missing' || credential.kind === 'malformed') return credential;
  if (credential.kind !== 'present') return undefined;
  let known: Grant | undefined;
  for (const secret of credential.secrets) {
    const grant = grantFor(secret, judging);
    if (grant !== undefined && holds(grant, scopes)) return undefined;
    known ??= grant;
  }
  return known === undefined ? judgeStranger(credential, judging) : forbid(known, scopes);
}

/** Names the key of a mock that was given none, where a request has no valid one. */
function withKey(refusal: Refusal | undefined, { keys }: Judging): Refusal | undefined {
  const isWanted = refusal?.kind === 'missing' || refusal?.kind === 'wrong';
  return isWanted && isKnownKey(demoKey, keys)
    ? { ...refusal, message: `${refusal.message} This mock's key is ${demoKey}.` }
    : refusal;
}

function grantFor(secret: string, { keys, given, verdicts }: Judging): Grant | undefined {
  const verdict = verdicts.get(secret);
  if (verdict?.kind === 'good') return verdict;
  return given?.has(secret) === true ? { scopes: 'all' } : findGrant(secret, keys);
}

function judgeStranger(
  { secrets, unknown }: Extract<Credential, { kind: 'present' }>,
  { mode, verdicts }: Judging,
): Refusal | undefined {
  const verdict = secrets
    .map((secret) => verdicts.get(secret))
    .find((found) => found !== undefined);
  if (verdict?.kind === 'spoilt')
    return {
      kind: 'wrong',
      message: `${verdict.reason}. Get a new one.`,
      description: verdict.reason,
    };
  if (mode === 'any') return undefined;
  if (verdict?.kind === 'foreign')
    return {
      kind: 'wrong',
      message: `${verdict.reason}. Send one that this mock issued, or a key that is valid.`,
      description: verdict.reason,
    };
  return { kind: 'wrong', message: unknown };
}

function holds({ scopes }: Grant, wanted: readonly string[]): boolean {
  return scopes === 'all' || wanted.every((scope) => scopes.includes(scope));
}

function forbid({ scopes }: Grant, wanted: readonly string[]): Refusal {
  const held = scopes === 'all' ? [] : scopes;
  const missing = wanted.filter((scope) => !held.includes(scope));
  const carried = held.length === 0 ? 'no scope at all' : held.join(', ');
  return {
    kind: 'forbidden',
    message:
      `The credential lacks the scope ${missing.join(', ')}, which this operation ` +
      `needs. It carries ${carried}.`,
  };
}

/** The content of a challenge (RFC 6750, section 3). */
export interface ChallengeFacts {
  /** The realm: the contract's title. */
  readonly realm: string;
  /** Undefined if the request had no credential (section 3.1). */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  readonly description?: string | undefined;
  /** The required scopes, if they are insufficient. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * A challenge for each accepted scheme (RFC 9110, section 11.6.1), except those that cannot be
 * verified.
 */
export function writeChallenges(
  security: readonly SecurityRequirement[],
  facts: ChallengeFacts,
): HeaderList {
  const schemes = new Map(security.flat().map(({ scheme }) => [challengeName(scheme), scheme]));
  return [...schemes.values()].flatMap((scheme) => {
    const challenge = challengeOf(scheme, facts);
    return challenge === undefined ? [] : [['WWW-Authenticate', challenge] as const];
  });
}

function challengeName(scheme: SecurityScheme): string {
  if (scheme.kind === 'http') return `http ${scheme.scheme.toLowerCase()}`;
  return scheme.kind === 'apiKey' ? `apiKey ${scheme.in} ${scheme.key}` : scheme.kind;
}

function challengeOf(scheme: SecurityScheme, facts: ChallengeFacts): string | undefined {
  const realm = `realm=${quoteHeaderText(facts.realm)}`;
  switch (scheme.kind) {
    case 'bearer':
      return [`Bearer ${realm}`, ...errorParameters(facts)].join(', ');
    case 'basic':
      return `Basic ${realm}, charset="UTF-8"`;
    case 'http':
      return otherChallenge(scheme.scheme, realm);
    case 'apiKey':
      // There is no registered scheme for API keys; the challenge names the field to send.
      return `ApiKey ${realm}, in="${scheme.in}", name=${quoteHeaderText(scheme.key)}`;
    case 'mutualTLS':
    case 'unsupported':
      return undefined;
  }
}

function errorParameters({ error, description, scopes }: ChallengeFacts): string[] {
  return [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description=${quoteHeaderText(description)}`]),
    ...(scopes === undefined ? [] : [`scope=${quoteHeaderText(scopes.join(' '))}`]),
  ];
}

/**
 * Negotiate has no parameters in its first challenge (RFC 4559, section 4.1); Digest requires them
 * (RFC 7616, section 3.3).
 */
function otherChallenge(scheme: string, realm: string): string {
  if (scheme.toLowerCase() === 'negotiate') return scheme;
  // The response to a Digest challenge is not verified, so any nonce works.
  return scheme.toLowerCase() === 'digest'
    ? `${scheme} ${realm}, qop="auth", algorithm=SHA-256, nonce="dm91Y2g"`
    : `${scheme} ${realm}`;
}
