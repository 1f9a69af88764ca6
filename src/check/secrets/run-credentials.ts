import type { Contract } from '../../contract/model.ts';
import { VouchError } from '../../errors.ts';
import { suggestWord } from '../../nearest-word.ts';
import { assignToken, type GivenTokens } from './assign-token.ts';
import { readRunHeaders, type GivenHeaders, type RunHeader } from './run-header.ts';
import { defined } from '../../json/defined.ts';

/** Where the unnamed token comes from. */
export interface TokenSource {
  /** The environment variable, as messages call it. */
  readonly variable: string;
  /**
   * Whether the user named the variable for this run; one that happens to be set may be left out.
   */
  readonly named: boolean;
}

/** What a run is told about credentials. */
export interface CredentialOptions extends GivenTokens {
  readonly tokenSource?: TokenSource;
  readonly headers?: GivenHeaders;
}

/** The credentials of a run, each with what it is for. */
export interface Credentials {
  readonly token?: string;
  /** The names of the schemes that the unnamed token is for; empty where it is sent nowhere. */
  readonly tokenFor: readonly string[];
  readonly tokenSource: TokenSource;
  /** The tokens of schemes by name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly headers: readonly RunHeader[];
}

const defaultSource: TokenSource = { variable: 'VOUCH_TOKEN', named: true };

/**
 * Settles which token goes where. Throws a VouchError for a token that could be for several
 * schemes, and for unknown names.
 */
export function readCredentialOptions(contract: Contract, options: CredentialOptions): Credentials {
  const { tokenSource = defaultSource } = options;
  const tokens = Object.fromEntries(
    Object.entries(options.tokens ?? {}).filter(([, token]) => token !== ''),
  );
  refuseUnknownSchemes(contract, Object.keys(options.tokens ?? {}));
  for (const token of [options.token, ...Object.values(tokens)]) refuseToken(token);
  const token = options.token === '' ? undefined : options.token;
  const { schemes, candidates } = assignToken(contract, { tokens });
  const mayLeaveOut = !tokenSource.named && Object.keys(tokens).length > 0;
  if (token !== undefined && candidates.length > 1 && !mayLeaveOut)
    throw ambiguous(tokenSource.variable, candidates);
  return {
    ...defined({ token }),
    tokenFor: token === undefined ? [] : schemes,
    tokenSource,
    tokens,
    headers: readRunHeaders(options.headers),
  };
}

function ambiguous(variable: string, candidates: readonly (readonly string[])[]): VouchError {
  const flags = candidates.map(([scheme = '']) => `--auth ${scheme}=env:NAME`);
  const names = candidates.map((group) => group.join(' or ')).join(', ');
  const choice = `any of ${String(candidates.length)} security schemes: ${names}`;
  const message = `${variable} could be for ${choice}. A token is sent only for the scheme that it is for.`;
  const hint = `Name the variable of each: ${flags.join(' ')}. A scheme without a flag gets no credential.`;
  return new VouchError('usage', message, { hint });
}

function refuseUnknownSchemes({ securitySchemes }: Contract, given: readonly string[]): void {
  const known = [...securitySchemes.keys()];
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new VouchError('usage', `There is no security scheme ${unknown}.`, {
    hint: suggestWord(unknown, known),
  });
}

function refuseToken(token: string | undefined): void {
  if (token === undefined || /^[\x20-\x7e\x80-\xff]*$/.test(token)) return;
  throw new VouchError('usage', 'The token holds a character that no HTTP header can carry.', {
    hint: 'Check for a line break at its end, or for quotes that were meant to be straight.',
  });
}
