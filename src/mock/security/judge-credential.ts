import type { AuthenticationMode } from '../mock.ts';
import { findGrant, type Grant, type MockKey } from '../request/is-known-key.ts';
import type { Credential } from '../request/read-credentials.ts';
import type { TokenVerdict } from '../tokens/token-verdict.ts';

/** Why a credential does not do. `forbidden`: it is known, and holds too little. */
export interface Refusal {
  readonly kind: 'missing' | 'malformed' | 'wrong' | 'forbidden';
  readonly message: string;
  /** What a challenge says of it beyond the kind. */
  readonly description?: string;
  /** What the way in asks for as a whole, where a credential holds too little. */
  readonly scopes?: readonly string[];
}

/** What credentials are judged by. */
export interface Judging {
  readonly mode: AuthenticationMode;
  readonly keys: readonly MockKey[];
  /** What became of the texts that look like tokens. */
  readonly verdicts: ReadonlyMap<string, TokenVerdict>;
}

/**
 * Nothing where a credential does, else why not. What the mock itself knows, its keys and its
 * tokens, is held to its scopes and its time in every mode; what it does not know is let in where
 * any credential is.
 */
export function judgeCredential(
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

function grantFor(secret: string, { keys, verdicts }: Judging): Grant | undefined {
  const verdict = verdicts.get(secret);
  return verdict?.kind === 'good' ? verdict : findGrant(secret, keys);
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
    message: `The credential lacks the scope ${missing.join(', ')}, which this operation needs. It carries ${carried}.`,
  };
}
