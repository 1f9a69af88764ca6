import { VouchError } from '../../errors.ts';
import type { Io } from '../io.ts';

/**
 * The token for a target, from the environment alone: a command line is seen by every user of the machine. `--auth env:NAME`
 * names the variable; VOUCH_TOKEN is read without being named.
 */
export function readCredential(io: Io, auth: string | undefined): string | undefined {
  if (auth === undefined) return blankToNothing(io.env['VOUCH_TOKEN']);
  const name = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(auth)?.[1];
  if (name === undefined) {
    throw new VouchError('usage', '--auth takes the name of an environment variable, never the token itself.', { hint: 'Put the token into a variable and name it: --auth env:MY_TOKEN.' });
  }
  const token = blankToNothing(io.env[name]);
  if (token === undefined) throw new VouchError('usage', `The environment variable ${name}, which --auth names, is empty or not set.`, { hint: `Set it first: export ${name}=…` });
  return token;
}

function blankToNothing(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}
