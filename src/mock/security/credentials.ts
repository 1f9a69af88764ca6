import type { SecurityScheme } from '../../contract/model.ts';
import type { ClientCertificate, HeaderList } from '../../http/message.ts';
import { decodeBase64Text, headerValues, isSameName } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { looksLike } from '../../words-in.ts';

/** The credential of a request for one security scheme. */
export type Credential =
  | { readonly kind: 'missing'; readonly message: string }
  | { readonly kind: 'malformed'; readonly message: string }
  /** The candidates of which one must be a known key, and the message if none is. */
  | { readonly kind: 'present'; readonly secrets: readonly string[]; readonly unknown: string }
  /** A credential that cannot be compared with a key. */
  | { readonly kind: 'accepted' }
  /**
   * A scheme that cannot be verified: mutual TLS without client certificates, or an undeclared
   * scheme.
   */
  | { readonly kind: 'unjudged' };

/** The parts of a request that can contain credentials. */
export interface CredentialSource {
  readonly headers: HeaderList;
  /** Decoded query pairs, in order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The result of TLS verification, if a client certificate was requested. */
  readonly certificate?: ClientCertificate | undefined;
}

/**
 * Reads the credential of a scheme: RFC 6750 for bearer, RFC 7617 for basic, a named field for API
 * keys. For any other scheme of the header `Authorization` (Digest, HOBA, …), its presence is
 * enough.
 */
export function readCredential(scheme: SecurityScheme, source: CredentialSource): Credential {
  switch (scheme.kind) {
    case 'bearer':
      return readBearer(source.headers);
    case 'basic':
      return readBasic(source.headers);
    case 'http':
      return readOther(scheme.scheme, source.headers);
    case 'apiKey':
      return readKey(scheme, source);
    case 'mutualTLS':
      return readCertificate(source.certificate);
    case 'unsupported':
      return { kind: 'unjudged' };
  }
}

/** The result of TLS verification, if the server requests certificates. */
function readCertificate(certificate: ClientCertificate | undefined): Credential {
  if (certificate === undefined) return { kind: 'unjudged' };
  if (certificate.kind === 'verified') return { kind: 'accepted' };
  if (certificate.kind === 'missing')
    return { kind: 'missing', message: 'A client certificate is required. Connect with one.' };
  return {
    kind: 'present',
    secrets: [],
    unknown:
      `The client certificate is not trusted here (${certificate.reason}). Connect ` +
      'with one that the authority of --tls-client-ca has signed.',
  };
}

function malformed(message: string): Extract<Credential, { kind: 'malformed' }> {
  return { kind: 'malformed', message };
}

function readOther(scheme: string, headers: HeaderList): Credential {
  const field = readAuthorization(headers, scheme);
  if (field.kind !== 'given') return field;
  return field.rest === ''
    ? malformed(`The header Authorization names the scheme ${scheme}, but holds nothing after it.`)
    : { kind: 'accepted' };
}

/** `token68` (RFC 9110, section 11.2), the syntax of bearer tokens. */
const token68 = /^[A-Za-z0-9._~+/-]+=*$/;

function readBearer(headers: HeaderList): Credential {
  const field = readAuthorization(headers, 'Bearer');
  if (field.kind !== 'given') return field;
  const { rest } = field;
  if (rest === '')
    return malformed(
      'The header Authorization names the scheme Bearer, but holds no token after it.',
    );
  if (!token68.test(rest))
    return malformed(
      'The token in the header Authorization holds characters that a bearer token ' +
        'cannot have. Send it as it was given, after Bearer and one space.',
    );
  return {
    kind: 'present',
    secrets: [rest],
    unknown: 'The bearer token is not known here. Send a key that is valid.',
  };
}

function readBasic(headers: HeaderList): Credential {
  const field = readAuthorization(headers, 'Basic');
  if (field.kind !== 'given') return field;
  const pair = decodeBase64Text(field.rest);
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0)
    return malformed(
      'The header Authorization must hold the base64 form of user:password after Basic.',
    );
  const [user, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
  return {
    kind: 'present',
    secrets: [pair, password === '' ? user : password],
    unknown:
      'The user and password are not known here. Send a key that is valid as the ' +
      'password, or as the user with no password.',
  };
}

type Authorization =
  | { readonly kind: 'given'; readonly rest: string }
  | Extract<Credential, { kind: 'missing' | 'malformed' }>;

const placeholders: Readonly<Record<string, string>> = { Basic: 'BASE64', Bearer: 'KEY' };

/** The value after the scheme, whose name is case-insensitive (RFC 9110, section 11.1). */
function readAuthorization(headers: HeaderList, wanted: string): Authorization {
  const [field] = headerValues(headers, 'authorization');
  if (field === undefined || field.trim() === '')
    return {
      kind: 'missing',
      message:
        `The header Authorization is ${field === undefined ? 'missing' : 'empty'}. ` +
        `Send Authorization: ${wanted} ${placeholders[wanted] ?? '…'}.`,
    };
  const text = field.trim();
  const blank = text.search(/[ \t]/);
  const scheme = blank === -1 ? text : text.slice(0, blank);
  if (isSameName(scheme, wanted))
    return { kind: 'given', rest: text.slice(scheme.length).trimStart() };
  return malformed(
    `The header Authorization must use the scheme ${wanted}, but begins with ` +
      `${quoteExcerpt(scheme)}.`,
  );
}

const places = {
  header: 'The header',
  query: 'The query parameter',
  cookie: 'The cookie',
} as const;

type ApiKey = Extract<SecurityScheme, { kind: 'apiKey' }>;

function readKey(scheme: ApiKey, source: CredentialSource): Credential {
  const [value, ...others] = keyValues(scheme, source);
  const name = `${places[scheme.in]} ${scheme.key}`;
  if (value === undefined)
    return { kind: 'missing', message: `${name}, which carries the API key, is missing.` };
  if (others.length > 0)
    return malformed(`${name}, which carries the API key, is given twice. Send it once.`);
  if (value === '') return malformed(`${name}, which carries the API key, is empty.`);
  return {
    kind: 'present',
    secrets: [value, ...withoutWord(scheme, value)],
    unknown: `${name} holds an API key that is not known here. Send one that is valid.`,
  };
}

/**
 * Some contracts declare the header Authorization as an API key; its value then starts with a
 * scheme such as Bearer.
 */
function withoutWord({ in: location, key }: ApiKey, value: string): string[] {
  const token =
    location === 'header' && key.toLowerCase() === 'authorization'
      ? /^[A-Za-z][\w-]* +(\S+)$/.exec(value)?.[1]
      : undefined;
  return token === undefined ? [] : [token];
}

function keyValues({ in: location, key }: ApiKey, { headers, query }: CredentialSource): string[] {
  if (location === 'header') return headerValues(headers, key).map((value) => value.trim());
  if (location === 'query') return query.filter(([name]) => name === key).map(([, value]) => value);
  return headerValues(headers, 'cookie')
    .flatMap((field) => field.split(';'))
    .flatMap((pair) => {
      const [name, ...value] = pair.split('=');
      // RFC 6265, section 5.2: the first `=` ends the name; the value can contain more of them.
      return name?.trim() === key && value.length > 0
        ? value
            .join('=')
            .trim()
            .replace(/^"(.*)"$/s, '$1')
        : [];
    });
}

/** A key of the mock with its scopes; a plain text has all. */
export type MockKey =
  | string
  | {
      readonly key: string /** Left out: it holds every scope. */;
      readonly scopes?: readonly string[];
    };

/** The scopes of a credential, or all. */
export type Grant = { readonly scopes: readonly string[] | 'all' };

const everything: Grant = { scopes: 'all' };

/** The text of a key as a client sends it. */
export function keyText(key: MockKey): string {
  return typeof key === 'string' ? key : key.key;
}

/** The grant of a key, of the last one if two are equal. Compares in constant time. */
export function findGrant(text: string, keys: readonly MockKey[]): Grant | undefined {
  let grant: Grant | undefined;
  for (const key of keys) grant = isSame(text, keyText(key)) ? grantOf(key) : grant;
  return grant;
}

/** The key of a mock that is given none: no secret, so that messages may show it. */
export const demoKey = 'demo-key';

export function isKnownKey(text: string, keys: readonly MockKey[]): boolean {
  return findGrant(text, keys) !== undefined;
}

function grantOf(key: MockKey): Grant {
  return typeof key === 'string' || key.scopes === undefined ? everything : { scopes: key.scopes };
}

function isSame(text: string, key: string): boolean {
  let difference = text.length ^ key.length;
  // Beyond its end a text yields NaN, which XOR treats as 0; the lengths were compared above.
  for (let index = 0; index < key.length; index += 1)
    difference |= text.charCodeAt(index) ^ key.charCodeAt(index);
  return difference === 0;
}

/** Three base64url parts (RFC 7515, section 7.1); the last one is empty without a signature. */
export const looksLikeToken = looksLike(/^[\w-]{4,}\.[\w-]{2,}\.[\w-]*$/);
