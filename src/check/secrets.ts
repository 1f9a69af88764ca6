import { makeRandom, type Random } from '../values/random.ts';

/** A credential as it is sent, and as a shell writes it. */
export interface Secret {
  readonly value: string;
  /** Goes between double quotes: `$VOUCH_TOKEN`. */
  readonly shell: string;
}

/** Which credential a request carries. `prefix` is the right one without its last character. */
export type CredentialChoice = 'given' | 'none' | 'wrong' | 'prefix';

/** The credentials of a run. `given` is missing where the user gave none. */
export interface Secrets {
  readonly given?: Secret;
  /** Well-formed, of the shape and length of the right one, and not it. */
  readonly wrong: Secret;
  readonly prefix?: Secret;
}

/** The secrets that a shell reads from its environment: the token itself, and what is made from it and shows a part of it. */
export function shellSecrets({ given, wrong, prefix }: Secrets): Secret[] {
  return [given, wrong, prefix].filter((secret) => secret !== undefined).filter(({ shell }) => shell.includes('VOUCH_TOKEN'));
}

/** Makes the wrong credentials from the right one; the same token and seed give the same. */
export function makeSecrets(token: string | undefined, seed: string): Secrets {
  const random = makeRandom(`${seed} wrong credential`);
  if (token === undefined || token === '') {
    const invented = scramble('vouch-0000000000000000', random);
    return { wrong: { value: invented, shell: invented } };
  }
  return {
    given: { value: token, shell: '$VOUCH_TOKEN' },
    wrong: wrongFor(token, random),
    ...(token.length < 5 ? {} : { prefix: { value: token.slice(0, -1), shell: '${VOUCH_TOKEN%?}' } }),
  };
}

const webToken = /^[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}$/;
const changedOfSignature = 8;

function wrongFor(token: string, random: Random): Secret {
  if (!webToken.test(token)) {
    const at = token.includes(':') ? token.indexOf(':') + 1 : 0;
    const invented = token.slice(0, at) + different(token.slice(at), random);
    return { value: invented, shell: invented.replaceAll(/[\\"$`]/g, '\\$&') };
  }
  // A JSON Web Token keeps its claims and loses its signature: what a server that only reads the claims would take.
  const ending = different(token.slice(-changedOfSignature), random);
  return { value: token.slice(0, -changedOfSignature) + ending, shell: `\${VOUCH_TOKEN%${'?'.repeat(changedOfSignature)}}${ending}` };
}

function different(text: string, random: Random): string {
  const scrambled = scramble(text, random);
  return scrambled === text ? `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}` : scrambled;
}

/** Every letter becomes another letter and every digit another digit; what separates them stays. */
function scramble(text: string, random: Random): string {
  return text
    .replaceAll(/[a-z]/g, (old) => other('abcdefghijklmnopqrstuvwxyz', old, random))
    .replaceAll(/[A-Z]/g, (old) => other('ABCDEFGHIJKLMNOPQRSTUVWXYZ', old, random))
    .replaceAll(/[0-9]/g, (old) => other('0123456789', old, random));
}

function other(alphabet: string, old: string, random: Random): string {
  const step = random.integer(1, alphabet.length - 1);
  return alphabet[(alphabet.indexOf(old) + step) % alphabet.length] ?? old;
}
