import type { SecurityRequirement } from '../../contract/model.ts';
import type { KnownSecret } from '../../redact/hide-values.ts';
import type { CredentialChoice } from '../model/request-template.ts';
import { inOtherCase } from '../../redact/other-case.ts';
import { makeRandom, type Random } from '../../values/random.ts';

/** A credential as it is sent, and as a shell writes it between double quotes. */
export type Secret = KnownSecret;

/** One credential, and its variations. `given` is missing if the user gave none. */
export interface SecretFamily {
  readonly given?: Secret;
  /** Well-formed, with the shape and length of the right one, but different. */
  readonly wrong: Secret;
  readonly prefix?: Secret;
  readonly longer?: Secret;
  readonly 'other-case'?: Secret;
}

/** The user's tokens, the purpose of the unnamed one, and the headers for every request. */
export interface GivenSecrets {
  readonly token?: string | undefined;
  /** The names of the schemes that the unnamed token is for. Default: none. */
  readonly tokenFor?: readonly string[];
  /** The tokens of schemes by name. */
  readonly tokens?: Readonly<Record<string, string>>;
  readonly headers?: readonly RunHeader[];
  readonly everywhere?: SecurityRequirement;
  /** The other identities of the run, each with its own credentials. */
  readonly identities?: readonly GivenIdentity[];
}

export interface GivenIdentity {
  readonly name: string;
  readonly credentials: GivenSecrets;
}

/** A header that a run sends with every request. */
export interface RunHeader {
  readonly name: string;
  readonly value: string;
  /** The shell form of a secret value, `$GATEWAY_KEY`; absent if the value may be shown. */
  readonly shell?: string;
}

/** The credentials of a run by scheme, and the headers that it adds to every request. */
export interface Secrets {
  /** By the scheme's name. The schemes of one token share its family. */
  readonly schemes: ReadonlyMap<string, SecretFamily>;
  /** For schemes without a token: only a made-up wrong credential. */
  readonly unknown: SecretFamily;
  /** A token that is not sent, and must not be shown either. */
  readonly unused?: SecretFamily;
  readonly headers: readonly RunHeader[];
  /** The schemes whose credentials go with operations that require none. */
  readonly everywhere?: SecurityRequirement;
  /** The secrets of the other identities of the run, by name; absent without any. */
  readonly identities?: ReadonlyMap<string, Secrets>;
}

/** The secrets of an identity, or of the run itself; undefined if the identity is unknown. */
export function secretsOf(secrets: Secrets, identity: string | undefined): Secrets | undefined {
  return identity === undefined ? secrets : secrets.identities?.get(identity);
}

/** The secrets of the run, and those of its other identities. */
function allSecrets(secrets: Secrets): Secrets[] {
  return [secrets, ...(secrets.identities?.values() ?? [])];
}

/**
 * The credential of a choice for a scheme; undefined if none is sent. `wrong-scheme` differs by its
 * place.
 */
export function secretFor(
  { schemes, unknown }: Secrets,
  choice: CredentialChoice,
  scheme: string,
): Secret | undefined {
  const family = schemes.get(scheme) ?? unknown;
  if (choice === 'none' || choice === 'other-scheme') return undefined;
  if (choice === 'empty') return { value: '', shell: '' };
  return family[choice === 'wrong-scheme' ? 'given' : choice];
}

/** Whether the user gave a credential for any scheme. */
export function hasCredential({ schemes }: Secrets): boolean {
  return schemes.size > 0;
}

/** Whether a header of the run contains a secret, which a target may accept as a credential. */
export function hasSecretHeader({ headers }: Secrets): boolean {
  return headers.some(({ shell }) => shell !== undefined);
}

function familiesOf(secrets: Secrets): SecretFamily[] {
  const families = allSecrets(secrets).flatMap(({ schemes, unknown, unused }) => [
    unknown,
    ...(unused === undefined ? [] : [unused]),
    ...schemes.values(),
  ]);
  return [...new Set(families)];
}

/**
 * The secrets that a shell reads from its environment: the tokens, texts that show a part of them,
 * and secret header values.
 */
export function shellSecrets(secrets: Secrets): Secret[] {
  const members = familiesOf(secrets).flatMap(
    ({ given, wrong, prefix, longer, 'other-case': cased }) =>
      [given, wrong, prefix, longer, cased].filter((secret) => secret !== undefined),
  );
  const headers = new Set(allSecrets(secrets).flatMap((each) => each.headers));
  const inHeaders = [...headers].flatMap(({ value, shell }) =>
    shell === undefined ? [] : [{ value, shell }],
  );
  return [...members.filter(({ shell }) => shell.includes('VOUCH_TOKEN')), ...inHeaders];
}

/** The credentials that were made up and show nothing of a secret: they may be printed. */
export function inventedCredentials(secrets: Secrets): string[] {
  return familiesOf(secrets)
    .filter(({ wrong }) => !wrong.shell.includes('VOUCH_TOKEN'))
    .map(({ wrong }) => wrong.value);
}

/**
 * Makes the wrong credentials from the right ones; the same tokens and seed give the same. A shell
 * knows the unnamed token as `$VOUCH_TOKEN`, and those of named schemes as `$VOUCH_TOKEN_NAME`.
 */
export function makeSecrets(given: GivenSecrets, seed: string): Secrets {
  const secrets = secretsWith(given, seed, 'VOUCH_TOKEN');
  const { identities = [] } = given;
  if (identities.length === 0) return secrets;
  const others = identities.map(({ name, credentials }) => {
    const variable = `VOUCH_TOKEN_AS_${inCapitals(name)}`;
    return [name, secretsWith(credentials, `${seed} as ${name}`, variable)] as const;
  });
  return { ...secrets, identities: new Map(others) };
}

/** `variable`: how a shell knows the unnamed token; those of schemes have a longer name. */
function secretsWith(given: GivenSecrets, seed: string, variable: string): Secrets {
  const { token, tokenFor = [], tokens = {}, headers = [], everywhere = [] } = given;
  const unnamed =
    token === undefined || token === '' ? undefined : makeFamily(token, variable, seed);
  const named = Object.entries(tokens).filter(([, value]) => value !== '');
  const own = named.map(([name, value]) => {
    const shell = `${variable}_${inCapitals(name)}`;
    return [name, makeFamily(value, shell, `${seed} ${name}`)] as const;
  });
  const shared = unnamed === undefined ? [] : tokenFor.map((name) => [name, unnamed] as const);
  const isUnused = unnamed !== undefined && tokenFor.length === 0;
  return {
    schemes: new Map([...shared, ...own]),
    unknown: makeFamily(undefined, variable, seed),
    ...(isUnused ? { unused: unnamed } : {}),
    headers,
    ...(everywhere.length === 0 ? {} : { everywhere }),
  };
}

function inCapitals(name: string): string {
  return name.toUpperCase().replaceAll(/\W/g, '_');
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
    ...(token.length < 5
      ? {}
      : { prefix: { value: token.slice(0, -1), shell: `\${${variable}%?}` } }),
    longer: { value: token + surplus, shell: `\${${variable}}${surplus}` },
    ...(cased === undefined
      ? {}
      : { 'other-case': { value: cased, shell: shellOfCased(token, variable) } }),
  };
}

/** As long as a group of base64, so that a signature changes even if padding is dropped. */
const surplus = '0000';

/** The token with its case inverted by POSIX tools, because the shell cannot do it itself. */
function shellOfCased(token: string, variable: string): string {
  const swap = `| tr 'a-zA-Z' 'A-Za-z')`;
  return token.includes(':')
    ? `\${${variable}%%:*}:$(printf %s "\${${variable}#*:}" ${swap}`
    : `$(printf %s "$${variable}" ${swap}`;
}

const webToken = /^[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}$/;
const changedOfSignature = 8;

function wrongFor(token: string, variable: string, random: Random): Secret {
  if (!webToken.test(token)) {
    const at = token.includes(':') ? token.indexOf(':') + 1 : 0;
    const invented = token.slice(0, at) + different(token.slice(at), random);
    return { value: invented, shell: invented.replaceAll(/[\\"$`]/g, '\\$&') };
  }
  // A JSON Web Token keeps its claims and loses its signature: a server that only reads the claims
  // accepts it.
  const ending = different(token.slice(-changedOfSignature), random);
  return {
    value: token.slice(0, -changedOfSignature) + ending,
    shell: `\${${variable}%${'?'.repeat(changedOfSignature)}}${ending}`,
  };
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
