import { VouchError } from '../../errors.ts';
import { suggestWord } from '../../nearest-word.ts';
import type { Io } from '../io.ts';

/** The tokens for a target: one for every scheme, and those of schemes that have their own. */
export interface GivenCredentials {
  readonly token?: string;
  readonly tokens?: Readonly<Record<string, string>>;
}

/**
 * The tokens for a target, from the environment alone: a command line is seen by every user of the machine. `env:NAME` names the
 * variable for every scheme, `SCHEME=env:NAME` that of one; VOUCH_TOKEN is read where nothing is named.
 */
export function readCredentials(io: Io, given: readonly string[], schemes: readonly string[]): GivenCredentials {
  if (given.length === 0) return named(readCredential(io, undefined));
  const pairs = given.map((word) => splitWord(word, schemes));
  const general = pairs.filter(({ scheme }) => scheme === undefined);
  if (general.length > 1) throw new VouchError('usage', '--auth names two variables for every security scheme.', { hint: `Say which scheme each is for: --auth ${schemes[0] ?? 'SCHEME'}=env:NAME.` });
  const tokens = pairs.flatMap(({ scheme, variable }) => (scheme === undefined ? [] : [[scheme, readCredential(io, variable) ?? ''] as const]));
  return { ...named(readGeneral(io, general[0]?.variable)), ...(tokens.length === 0 ? {} : { tokens: Object.fromEntries(tokens) }) };
}

function named(token: string | undefined): GivenCredentials {
  return token === undefined ? {} : { token };
}

function readGeneral(io: Io, variable: string | undefined): string | undefined {
  return variable === undefined ? undefined : readCredential(io, variable);
}

interface AuthWord {
  readonly scheme?: string;
  readonly variable: string;
}

function splitWord(word: string, schemes: readonly string[]): AuthWord {
  const at = word.indexOf('=env:');
  if (at < 1) return { variable: word };
  const scheme = word.slice(0, at);
  if (!schemes.includes(scheme)) throw new VouchError('usage', `A credential is named for the security scheme ${scheme}, which the contract does not have.`, { hint: suggestWord(scheme, schemes) });
  return { scheme, variable: word.slice(at + 1) };
}

/** The token that one word names, `env:NAME`; VOUCH_TOKEN where there is no word. */
function readCredential(io: Io, auth: string | undefined): string | undefined {
  if (auth === undefined) return blankToNothing(io.env['VOUCH_TOKEN']);
  const name = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(auth)?.[1];
  if (name === undefined) {
    throw new VouchError('usage', 'What is given as a credential is the name of an environment variable, never the token itself.', { hint: 'Put the token into a variable and name it: env:MY_TOKEN.' });
  }
  const token = blankToNothing(io.env[name]);
  if (token === undefined) throw new VouchError('usage', `The environment variable ${name}, which should hold the token, is empty or not set.`, { hint: `Set it first: export ${name}=…` });
  return token;
}

function blankToNothing(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}
