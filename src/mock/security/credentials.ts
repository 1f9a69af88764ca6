import type { SecurityScheme } from '../../contract/model.ts';
import { decodeBase64Text } from '../../http/base64.ts';
import { type ClientCertificate, type HeaderList, headerValues } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';

/** What a request holds for one security scheme. */
export type Credential =
  | { readonly kind: 'missing'; readonly message: string }
  | { readonly kind: 'malformed'; readonly message: string }
  /** The texts of which one must be a known key, and what to say where none is. */
  | { readonly kind: 'present'; readonly secrets: readonly string[]; readonly unknown: string }
  /** It is there, in a form that holds nothing to compare with a key. */
  | { readonly kind: 'accepted' }
  /**
   * A scheme that cannot be judged by the parts of a request: mutual TLS where no certificate is
   * asked for, or one that the contract does not declare.
   */
  | { readonly kind: 'unjudged' };

/** The parts of a request in which credentials travel. */
export interface CredentialSource {
  readonly headers: HeaderList;
  /** Query pairs, decoded, in the order of the target. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** What TLS found out about the client, where it was asked for a certificate. */
  readonly certificate?: ClientCertificate | undefined;
}

/**
 * Reads what a request holds for a scheme: RFC 6750 for bearer, RFC 7617 for basic, a named field
 * for API keys. Any other scheme of the header `Authorization` (Digest, HOBA, …) is judged by being
 * there.
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

/** What TLS found out, where the server asks for certificates at all. */
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

function readOther(scheme: string, headers: HeaderList): Credential {
  const field = readAuthorization(headers, scheme);
  if (field.kind !== 'given') return field;
  return field.rest === ''
    ? {
        kind: 'malformed',
        message: `The header Authorization names the scheme ${scheme}, but holds nothing after it.`,
      }
    : { kind: 'accepted' };
}

/** `token68` (RFC 9110, section 11.2), which a bearer token is made of. */
const token68 = /^[A-Za-z0-9._~+/-]+=*$/;

function readBearer(headers: HeaderList): Credential {
  const field = readAuthorization(headers, 'Bearer');
  if (field.kind !== 'given') return field;
  const { rest } = field;
  if (rest === '')
    return {
      kind: 'malformed',
      message: 'The header Authorization names the scheme Bearer, but holds no token after it.',
    };
  if (!token68.test(rest))
    return {
      kind: 'malformed',
      message:
        'The token in the header Authorization holds characters that a bearer token ' +
        'cannot have. Send it as it was given, after Bearer and one space.',
    };
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
    return {
      kind: 'malformed',
      message: 'The header Authorization must hold the base64 form of user:password after Basic.',
    };
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

/** What stands after the scheme, whose name is case-insensitive (RFC 9110, section 11.1). */
function readAuthorization(headers: HeaderList, wanted: string): Authorization {
  const [field] = headerValues(headers, 'authorization');
  if (field === undefined || field.trim() === '')
    return {
      kind: 'missing',
      message:
        `The header Authorization is ${field === undefined ? 'missing' : 'empty'}. ` +
        `Send Authorization: ${wanted} ${placeholders[wanted] ?? '…'}.`,
    };
  const [, scheme = '', rest = ''] = /^([^ \t]*)[ \t]*(.*)$/s.exec(field.trim()) ?? [];
  if (scheme.toLowerCase() === wanted.toLowerCase()) return { kind: 'given', rest };
  return {
    kind: 'malformed',
    message:
      `The header Authorization must use the scheme ${wanted}, but begins with ` +
      `${quoteExcerpt(scheme)}.`,
  };
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
    return {
      kind: 'malformed',
      message: `${name}, which carries the API key, is given twice. Send it once.`,
    };
  if (value === '')
    return { kind: 'malformed', message: `${name}, which carries the API key, is empty.` };
  return {
    kind: 'present',
    secrets: [value, ...withoutWord(scheme, value)],
    unknown: `${name} holds an API key that is not known here. Send one that is valid.`,
  };
}

/**
 * Contracts call a token in the header Authorization an API key too; what is sent there then begins
 * with a word such as Bearer.
 */
function withoutWord({ in: place, key }: ApiKey, value: string): string[] {
  const token =
    place === 'header' && key.toLowerCase() === 'authorization'
      ? /^[A-Za-z][\w-]* +(\S+)$/.exec(value)?.[1]
      : undefined;
  return token === undefined ? [] : [token];
}

function keyValues({ in: place, key }: ApiKey, { headers, query }: CredentialSource): string[] {
  if (place === 'header') return headerValues(headers, key).map((value) => value.trim());
  if (place === 'query') return query.filter(([name]) => name === key).map(([, value]) => value);
  return headerValues(headers, 'cookie')
    .flatMap((field) => field.split(';'))
    .flatMap((pair) => {
      const [name, ...value] = pair.split('=');
      // RFC 6265, section 5.2: the first `=` ends the name; the value may hold more of them.
      return name?.trim() === key && value.length > 0
        ? [
            value
              .join('=')
              .trim()
              .replace(/^"(.*)"$/s, '$1'),
          ]
        : [];
    });
}

/** A key that the mock knows, and what it opens; a plain text opens everything. */
export type MockKey =
  | string
  | {
      readonly key: string /** Left out: it holds every scope. */;
      readonly scopes?: readonly string[];
    };

/** What a credential allows: these scopes, or whatever is asked for. */
export type Grant = { readonly scopes: readonly string[] | 'all' };

const everything: Grant = { scopes: 'all' };

/** The text of a key, as a client sends it. */
export function keyText(key: MockKey): string {
  return typeof key === 'string' ? key : key.key;
}

/**
 * What a text opens where it is one of the keys; the last of them, where two are the same. Every
 * key is compared to its end, so that the time taken tells nothing of how much of one was right.
 */
export function findGrant(text: string, keys: readonly MockKey[]): Grant | undefined {
  let grant: Grant | undefined;
  for (const key of keys) grant = isSame(text, keyText(key)) ? grantOf(key) : grant;
  return grant;
}

/** Whether a text is one of the keys. */
export function isKnownKey(text: string, keys: readonly MockKey[]): boolean {
  return findGrant(text, keys) !== undefined;
}

function grantOf(key: MockKey): Grant {
  return typeof key === 'string' || key.scopes === undefined ? everything : { scopes: key.scopes };
}

function isSame(text: string, key: string): boolean {
  let difference = text.length ^ key.length;
  // Beyond its end a text yields NaN, which XOR takes for 0; the lengths were compared above.
  for (let index = 0; index < key.length; index += 1)
    difference |= text.charCodeAt(index) ^ key.charCodeAt(index);
  return difference === 0;
}

/**
 * Three parts in base64url (RFC 7515, section 7.1); the last one is empty where nothing is signed.
 */
export function looksLikeToken(text: string): boolean {
  return /^[\w-]{4,}\.[\w-]{2,}\.[\w-]*$/.test(text);
}
