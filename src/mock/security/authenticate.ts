import type { SecurityRequirement } from '../../contract/model.ts';
import { conflictingSchemes } from '../../contract/model/security.ts';
import { headerValues } from '../../http/message.ts';
import { writeChallenges } from './challenge.ts';
import { makeFault, type Fault } from '../errors/fault.ts';
import { judgeCredential, type Judging, type Refusal } from './judge-credential.ts';
import type { AuthenticationMode } from '../mock.ts';
import { isKnownKey, type MockKey } from '../request/is-known-key.ts';
import {
  readCredential,
  type Credential,
  type CredentialSource,
} from '../request/read-credentials.ts';
import { looksLikeToken, type TokenJudge, type TokenVerdict } from '../tokens/token-verdict.ts';

/**
 * What authentication goes by: the operation's requirements, and how the mock was told to judge.
 */
export interface AuthenticationRules {
  readonly security: readonly SecurityRequirement[];
  readonly mode: AuthenticationMode;
  readonly keys: readonly MockKey[];
  /** Judges the mock's own tokens; left out where it makes none. */
  readonly tokens?: TokenJudge | undefined;
  readonly now: Date;
  /** Named in `WWW-Authenticate`: the contract's title. */
  readonly realm: string;
}

/** A requirement with what a request holds for each scheme of it. */
interface Attempt {
  readonly requirement: SecurityRequirement;
  readonly credentials: readonly Credential[];
}

/**
 * Nothing where a request may pass; else why not. One requirement is enough, and every scheme of it
 * is needed (OpenAPI 3.1, section 4.8.30). A promise only where a token is to be verified.
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

/**
 * Asked of every request that needs a credential, so that nothing is made for the many that hold no
 * token.
 */
function tokensIn(attempts: readonly Attempt[], keys: readonly MockKey[]): readonly string[] {
  let tokens: string[] | undefined;
  for (const { credentials } of attempts) {
    for (const credential of credentials) {
      if (credential.kind !== 'present') continue;
      for (const secret of credential.secrets)
        if (looksLikeToken(secret) && !isKnownKey(secret, keys)) (tokens ??= []).push(secret);
    }
  }
  return tokens ?? noTokens;
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
  // A way in that nobody can judge opens the door only where there is no other: else nobody would
  // ever need a credential.
  const judged = attempts.filter(
    ({ credentials }) =>
      credentials.length === 0 || credentials.some(({ kind }) => kind !== 'unjudged'),
  );
  const judging = { mode: rules.mode, keys: rules.keys, verdicts };
  const refusals = judged.map((attempt) => judgeAttempt(attempt, judging));
  if (refusals.length === 0 || refusals.includes(undefined)) return undefined;
  return refuse(mostTelling(refusals, amongWays), rules);
}

/**
 * Of schemes that want the same header in different forms, a request can meet one: any of them will
 * do.
 */
function judgeAttempt(
  { requirement, credentials }: Attempt,
  judging: Judging,
): Refusal | undefined {
  const refusals = credentials.map((credential, index) =>
    judgeCredential(credential, requirement[index]?.scopes ?? [], judging),
  );
  if (refusals.every((refusal) => refusal === undefined)) return undefined;
  const rivals = conflictingSchemes(requirement);
  const isRival = (index: number): boolean =>
    rivals.some((scheme) => scheme === requirement[index]?.scheme);
  const met = refusals.some((refusal, index) => refusal === undefined && isRival(index));
  const refusal = mostTelling(
    refusals.filter((_, index) => !(met && isRival(index))),
    withinOneWay,
  );
  return refusal?.kind === 'forbidden'
    ? { ...refusal, scopes: [...new Set(requirement.flatMap(({ scopes }) => scopes))] }
    : refusal;
}

/** What is not known at all comes before what holds too little: 401 before 403. */
const withinOneWay = ['wrong', 'malformed', 'missing', 'forbidden'] as const;

/**
 * Whoever sent a wrong key wants to hear of that, and not that another way of showing one is
 * missing.
 */
const amongWays = ['forbidden', 'wrong', 'malformed', 'missing'] as const;

function mostTelling(
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
    ...(description === undefined ? {} : { description }),
    ...(scopes === undefined ? {} : { scopes }),
  });
  return makeFault(causes[kind], kind === 'missing' ? 'unauthorized' : errors[kind], message, {
    headers,
  });
}
