import { makeRandom, type Random } from '../../values/random.ts';

/** A credential as it is sent, and as a shell writes it. */
export interface Secret {
  readonly value: string;
  /** Goes between double quotes: `$VOUCH_TOKEN`. */
  readonly shell: string;
}

/**
 * Which credential a request carries. `empty` has the scheme and nothing after it, `prefix` is the right one without its last
 * character, `longer` the right one with more behind it, `other-case` the right one with small letters for capitals and the other way round, `wrong-scheme` the right one under a scheme that the contract does not have.
 */
export type CredentialChoice = 'given' | 'none' | 'empty' | 'wrong' | 'wrong-scheme' | 'prefix' | 'longer' | 'other-case';

/** One credential, and what is made from it. `given` is missing where the user gave none. */
export interface SecretFamily {
  readonly given?: Secret;
  /** Well-formed, of the shape and length of the right one, and not it. */
  readonly wrong: Secret;
  readonly prefix?: Secret;
  readonly longer?: Secret;
  readonly 'other-case'?: Secret;
}

/** The credentials of a run: one for every scheme, and others for the schemes that have one of their own. */
export interface Secrets extends SecretFamily {
  /** The credentials of schemes that have their own, by the scheme's name. */
  readonly schemes: ReadonlyMap<string, SecretFamily>;
}

/** The credential that a choice means for a scheme; undefined where nothing is to be sent. `wrong-scheme` is told by where it is placed. */
export function secretFor(secrets: Secrets, choice: CredentialChoice, scheme: string): Secret | undefined {
  const family = secrets.schemes.get(scheme) ?? secrets;
  if (choice === 'none') return undefined;
  if (choice === 'empty') return { value: '', shell: '' };
  return family[choice === 'wrong-scheme' ? 'given' : choice];
}

/** Whether the user gave any credential. */
export function hasCredential({ given, schemes }: Secrets): boolean {
  return given !== undefined || schemes.size > 0;
}

function familiesOf(secrets: Secrets): SecretFamily[] {
  return [secrets, ...secrets.schemes.values()];
}

/** The secrets that a shell reads from its environment: the tokens themselves, and what is made from them and shows a part of them. */
export function shellSecrets(secrets: Secrets): Secret[] {
  const all = familiesOf(secrets).flatMap(({ given, wrong, prefix, longer, 'other-case': cased }) => [given, wrong, prefix, longer, cased].filter((secret) => secret !== undefined));
  return all.filter(({ shell }) => shell.includes('VOUCH_TOKEN'));
}

/** The credentials that were made up and show nothing of a secret: they may be printed. */
export function inventedCredentials(secrets: Secrets): string[] {
  return familiesOf(secrets).filter(({ wrong }) => !wrong.shell.includes('VOUCH_TOKEN')).map(({ wrong }) => wrong.value);
}

/**
 * Makes the wrong credentials from the right ones; the same tokens and seed give the same. `tokens` has those of schemes that
 * have their own, by the scheme's name: a shell knows them as `$VOUCH_TOKEN_NAME`.
 */
export function makeSecrets(token: string | undefined, seed: string, tokens: Readonly<Record<string, string>> = {}): Secrets {
  const own = Object.entries(tokens).filter(([, value]) => value !== '');
  const schemes = new Map(own.map(([name, value]) => [name, makeFamily(value, `VOUCH_TOKEN_${name.toUpperCase().replaceAll(/\W/g, '_')}`, `${seed} ${name}`)]));
  return { ...makeFamily(token, 'VOUCH_TOKEN', seed), schemes };
}

function makeFamily(token: string | undefined, variable: string, seed: string): SecretFamily {
  const random = makeRandom(`${seed} wrong credential`);
  const cased = token === undefined ? undefined : inOtherCase(token);
  if (token === undefined || token === '') {
    const invented = scramble('vouch-0000000000000000', random);
    return { wrong: { value: invented, shell: invented } };
  }
  return {
    given: { value: token, shell: `$${variable}` },
    wrong: wrongFor(token, variable, random),
    ...(token.length < 5 ? {} : { prefix: { value: token.slice(0, -1), shell: `\${${variable}%?}` } }),
    longer: { value: token + surplus, shell: `\${${variable}}${surplus}` },
    ...(cased === undefined ? {} : { 'other-case': { value: cased, shell: shellOfCased(token, variable) } }),
  };
}

/** As long as a group of base64, so that a signature becomes another one even where whatever fills no byte is dropped. */
const surplus = '0000';

/**
 * The same token with small letters for capitals and the other way round; of a pair only the password, since names are often read in
 * any case. Undefined where that is the same token: it has no letters, or they are digits of a number, as in a UUID.
 */
export function inOtherCase(token: string): string | undefined {
  const at = token.indexOf(':') + 1;
  const secret = token.slice(at);
  if (/^[0-9a-f-]*$/i.test(secret) || !/[a-z]/i.test(secret)) return undefined;
  return token.slice(0, at) + secret.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
}

/** What a POSIX shell makes of it; it has no expansion of its own for that. */
function shellOfCased(token: string, variable: string): string {
  const swap = `| tr 'a-zA-Z' 'A-Za-z')`;
  return token.includes(':') ? `\${${variable}%%:*}:$(printf %s "\${${variable}#*:}" ${swap}` : `$(printf %s "$${variable}" ${swap}`;
}

const webToken = /^[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}$/;
const changedOfSignature = 8;

function wrongFor(token: string, variable: string, random: Random): Secret {
  if (!webToken.test(token)) {
    const at = token.includes(':') ? token.indexOf(':') + 1 : 0;
    const invented = token.slice(0, at) + different(token.slice(at), random);
    return { value: invented, shell: invented.replaceAll(/[\\"$`]/g, '\\$&') };
  }
  // A JSON Web Token keeps its claims and loses its signature: what a server that only reads the claims would take.
  const ending = different(token.slice(-changedOfSignature), random);
  return { value: token.slice(0, -changedOfSignature) + ending, shell: `\${${variable}%${'?'.repeat(changedOfSignature)}}${ending}` };
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
