import type { SecurityRequirement, SecurityScheme } from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';
import { quoteHeaderText } from '../errors/visible-text.ts';

/** What a challenge tells of a refusal (RFC 6750, section 3). */
export interface ChallengeFacts {
  /** Named in every challenge: the contract's title. */
  readonly realm: string;
  /** Left out where the request brought no credential at all (section 3.1). */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  readonly description?: string;
  /** What a credential must hold, where it holds too little. */
  readonly scopes?: readonly string[];
}

/**
 * A challenge for each scheme that would do (RFC 9110, section 11.6.1); what cannot be judged is
 * not asked for.
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
      // There is no registered scheme for API keys; the name says at least what to send and where.
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
 * Negotiate has no parameters in its first challenge (RFC 4559, section 4.1), and Digest cannot do
 * without (RFC 7616, section 3.3).
 */
function otherChallenge(scheme: string, realm: string): string {
  if (scheme.toLowerCase() === 'negotiate') return scheme;
  // The answer to a Digest challenge is judged by being there, so that any nonce will do.
  return scheme.toLowerCase() === 'digest'
    ? `${scheme} ${realm}, qop="auth", algorithm=SHA-256, nonce="dm91Y2g"`
    : `${scheme} ${realm}`;
}
