import type { HeaderList, HttpRequest, HttpResponse } from '../http/message.ts';
import { decodeBase64Text, headerValue } from '../http/message.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonArray, isJsonObject, isNumeric } from '../json/value.ts';
import { hideForm, hideNamed, type NamedSearch, redacted } from './hide-named.ts';
import type { SecretNames } from './secret-names.ts';

/** Header fields and body of a message. */
export type Content = Pick<HttpResponse, 'headers' | 'body'>;

/** Hides secrets in everything that is shown or written, in the same way everywhere. */
export interface Redactor {
  /** A text with all that is known: values, forms, and names. */
  text(text: string): string;
  header(field: HeaderList[number]): HeaderList[number];
  /** A request target, or a URL. */
  target(target: string): string;
  /** A value of JSON; every value keeps its type. */
  value(value: JsonObject): JsonObject;
  /** Header fields and body; a body without a secret is the same object. */
  content(content: Content): Content;
}

/** What a redactor knows. */
export interface Knowledge {
  readonly names: SecretNames;
  /** Hides the known secrets by value in a text. Default: none is known. */
  readonly byValue?: (text: string) => string;
  /** The same for bytes as Latin-1. Default: as in a text. */
  readonly byValueInBytes?: (latin1: string) => string;
  /** Whether a credential or a placeholder may be shown. Default: none. */
  readonly isHarmless?: (value: string) => boolean;
  /** Takes the content codings from a message. Default: such a body is not looked into. */
  readonly decode?: ((content: Content) => Content) | undefined;
  /** Called with each secret that is found by name. */
  readonly found?: (value: string) => void;
}

/** Makes the redactor of everything that is written. */
export function makeRedactorOf(knowledge: Knowledge): Redactor {
  const { names, byValue = same, byValueInBytes = byValue, decode = same, found } = knowledge;
  const isHarmless = (value: string): boolean =>
    value === redacted || knowledge.isHarmless?.(value) === true;
  const search: NamedSearch = { names, isHarmless, found };
  const hide = (plain: string): string => hideShaped(hideNamed(plain, search), isHarmless);
  const text = (from: string): string => hide(byValue(from));
  const target = (from: string): string => {
    const [, path = '', query, fragment] =
      /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(byValue(from)) ?? [];
    const parts = [
      hideNamed(path, search),
      ...(query === undefined ? [] : [`?${hideForm(query, search)}`]),
      ...(fragment === undefined ? [] : [`#${hideForm(fragment, search)}`]),
    ];
    return hideShaped(parts.join(''), isHarmless);
  };
  const header = ([name, value]: HeaderList[number]): HeaderList[number] => {
    const shown = text(value);
    if (!names.isHeader(name)) return [byValue(name), shown];
    return [byValue(name), hideCredential(byValue(value), isHarmless)];
  };
  const hideBody = (body: string, type: string): string => {
    const known = byValueInBytes(body);
    return /^\s*application\/x-www-form-urlencoded/i.test(type)
      ? hideShaped(hideForm(known, search), isHarmless)
      : hide(known);
  };
  return {
    text,
    target,
    header,
    value: (value) => hideObject(value, { text, search }),
    content: (message) => {
      const plain = decode(message);
      const type = headerValue(plain.headers, 'content-type') ?? '';
      const body = hideBytes(plain.body, (latin1) => hideBody(latin1, type));
      const isSame = body === plain.body;
      return {
        headers: (isSame ? message : plain).headers.map(header),
        body: isSame ? message.body : body,
      };
    },
  };
}

function same<Value>(value: Value): Value {
  return value;
}

/** Hides secrets in bytes, as Latin-1, which keeps each of them; the same bytes without any. */
export function hideBytes(body: Uint8Array, hide: (latin1: string) => string): Uint8Array {
  if (body.length === 0) return body;
  const before = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const after = hide(before);
  return after === before ? body : new Uint8Array(Buffer.from(after, 'latin1'));
}

const withScheme = /^([A-Za-z][\w-]*) +(.+)$/s;

/** The value of a header with a credential: its scheme stays. */
function hideCredential(value: string, isHarmless: (value: string) => boolean): string {
  const [, scheme, rest] = withScheme.exec(value) ?? [];
  const credential = rest ?? value;
  if (credential === '' || isHarmless(credential)) return value;
  return scheme === undefined ? redacted : `${scheme} ${redacted}`;
}

interface Hiding {
  readonly text: (text: string) => string;
  readonly search: NamedSearch;
}

function hideObject(value: JsonObject, hiding: Hiding): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const kind = hiding.search.names.member(name);
      const isCount = kind === 'several' && isNumeric(member);
      const shown =
        kind === undefined || isCount ? hideAny(member, hiding) : hideSecret(member, hiding);
      return [hiding.text(name), shown];
    }),
  );
}

function hideAny(value: JsonValue, hiding: Hiding): JsonValue {
  if (typeof value === 'string') return hiding.text(value);
  if (isJsonArray(value)) return value.map((item) => hideAny(item, hiding));
  return isJsonObject(value) ? hideObject(value, hiding) : value;
}

/** What stands under the name of a secret. */
function hideSecret(value: JsonValue, hiding: Hiding): JsonValue {
  if (typeof value === 'string') {
    if (value === '' || hiding.search.isHarmless(value)) return value;
    hiding.search.found?.(value);
    return redacted;
  }
  if (isNumeric(value)) return 0;
  if (isJsonArray(value))
    return value.map((item) =>
      typeof item === 'string' ? hideSecret(item, hiding) : hideAny(item, hiding),
    );
  return isJsonObject(value) ? hideObject(value, hiding) : value;
}

/** The secrets of a message: the credentials in its fields and target, and what it has besides. */
export interface MessageSecrets {
  readonly credentials: readonly string[];
  readonly others: readonly string[];
}

/** Finds the secrets of a message by their names. */
export function secretsIn(
  { headers, body, target = '' }: Content & Partial<Pick<HttpRequest, 'target'>>,
  names: SecretNames,
  decode?: Knowledge['decode'],
): MessageSecrets {
  const [credentials, others] = [new Set<string>(), new Set<string>()];
  const finding = (found: Set<string>): Redactor =>
    makeRedactorOf({ names, found: (value) => void found.add(value), decode });
  finding(credentials).target(target);
  for (const [name, value] of headers)
    if (names.isHeader(name)) for (const each of credentialsOf(name, value)) credentials.add(each);
  finding(others).content({ headers, body });
  return {
    credentials: [...credentials].filter((value) => value !== ''),
    others: [...others].filter((value) => !credentials.has(value)),
  };
}

/**
 * The credentials of a header: what follows the scheme, for basic ones the decoded pair too (RFC
 * 7617), and the values of cookies (RFC 6265).
 */
function credentialsOf(name: string, value: string): string[] {
  if (/^cookie$/i.test(name)) return value.split(';').map(valueOfPair);
  if (/^set-cookie$/i.test(name)) return [valueOfPair(value.replace(/;.*$/s, ''))];
  const [, scheme = '', credential = ''] = withScheme.exec(value.trim()) ?? [];
  const pair = /^basic$/i.test(scheme) ? decodeBase64Text(credential) : undefined;
  return credential === '' ? [value.trim()] : [credential, ...(pair === undefined ? [] : [pair])];
}

function valueOfPair(pair: string): string {
  return pair
    .slice(pair.indexOf('=') + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1');
}

/** A signed or encrypted token (RFC 7519): its first part is the start of an object. */
const signedToken = /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*){1,3}/g;
/** A credential of a header (RFC 6750, 7617); words of a sentence are shorter, without a digit. */
const schemeValue = /\b(Bearer|Basic) +(?=[^\s"',;]*\d|[^\s"',;]{24})([\w.~+/-]{8,}=*)/gi;
const privateKey = /-----BEGIN ([A-Z ]{0,30}PRIVATE KEY)-----[^]*?(?:-----END \1-----|$)/g;
const userPassword =
  /\b([a-z][a-z0-9+.-]{0,20}:(?:\\?\/){2}[^\s/:@"'<>?#\\]{0,200}):([^\s/@"'<>?#]{1,200})@/gi;
const word = /[^\s"'<>]+/g;

/**
 * Hides secrets by their form alone, whatever their name: signed tokens, credentials after their
 * scheme, private keys, passwords in URLs, and codes of an authorization response.
 */
function hideShaped(text: string, isHarmless: (value: string) => boolean): string {
  let shown = text;
  if (shown.includes('eyJ')) shown = shown.replaceAll(signedToken, redacted);
  if (shown.includes('-----BEGIN ')) shown = shown.replaceAll(privateKey, redacted);
  if (shown.includes('@')) shown = shown.replaceAll(userPassword, `$1:${redacted}@`);
  if (shown.includes('code=') && shown.includes('state=')) shown = shown.replaceAll(word, hideCode);
  return shown.replaceAll(schemeValue, (all, scheme: string, value: string) =>
    isHarmless(value) ? all : `${scheme} ${redacted}`,
  );
}

/** The code of an authorization response stands beside a state (RFC 6749, section 4.1.2). */
function hideCode(url: string): string {
  return /[?&#]state=/.test(url) ? url.replaceAll(/([?&#]code=)[^&#]+/g, `$1${redacted}`) : url;
}
