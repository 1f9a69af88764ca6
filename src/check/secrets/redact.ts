import type { Contract } from '../../contract/model.ts';
import {
  headerValues,
  type HttpRequest,
  type HttpResponse,
  withoutHeader,
} from '../../http/message.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { decodeContent } from '../evidence/answer/decode-content.ts';
import type { RunEvent } from '../model/event.ts';
import type { Exchange } from '../model/exchange.ts';
import { credentialHeaderNames } from './credential.ts';
import {
  codedWritings,
  escapedWriting,
  makeCutHider,
  makeFormHider,
  type SecretForm,
} from './hide-forms.ts';
import {
  inOtherCase,
  inventedCredentials,
  type Secret,
  type Secrets,
  shellSecrets,
} from './secrets.ts';

/**
 * Takes secrets out of what is shown: the token becomes `$VOUCH_TOKEN`, other credentials
 * `[redacted]`.
 */
export interface Redactor {
  /** For what the server or the run says. */
  text(text: string): string;
  /** For names and texts of the document: a secret that looks like a word stays. */
  name(text: string): string;
  exchange(exchange: Exchange): Exchange;
}

/**
 * What a redactor needs: the secrets by value, made-up credentials that may be shown, names of
 * headers with keys.
 */
export interface RedactorOptions {
  readonly secrets: readonly Secret[];
  readonly invented: readonly string[];
  readonly headerNames: readonly string[];
}

const sensitive = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-amz-security-token',
];

/**
 * A shorter text probably occurs in harmless texts; in a header with credentials it is still
 * hidden.
 */
const shortest = 4;

/**
 * Makes a redactor: by value (plain, percent-encoded, base64, hexadecimal, escaped for JSON and
 * HTML, with letters of any case) and by the names of header fields.
 */
export function makeRedactor({ secrets, invented, headerNames }: RedactorOptions): Redactor {
  const forms = secrets.flatMap(formsOf);
  const strange = secrets.filter(({ value }) => !looksLikeWord(value));
  const harmless = new Set(invented.flatMap((value) => [value, encodeBase64(value)]));
  // The placeholder of a secret that is already hidden.
  for (const { shell } of secrets) harmless.add(shell);
  const names = new Set([...sensitive, ...headerNames.map((name) => name.toLowerCase())]);
  const hideEscaped = makeEscapedHider(secrets);
  const hideForms = makeFormHider(forms);
  const hideCut = makeCutHider(forms);
  const text = (from: string): string => hideCut(hideEscaped(hideForms(from)));
  const header = ([name, value]: readonly [string, string]): readonly [string, string] => {
    const shown = text(value);
    return [text(name), names.has(name.toLowerCase()) ? hideCredential(shown, harmless) : shown];
  };
  const hideBytes = makeFormHider([...forms.map(inUtf8), ...forms]);
  const bytes = (from: string): string => hideEscaped(hideBytes(from));
  return {
    text,
    name: makeFormHider(strange.flatMap(formsOf)),
    exchange: (exchange) => redactExchange(exchange, { text, header, bytes }),
  };
}

/** Bytes are searched as Latin-1, which keeps each of them; a secret may be there in UTF-8. */
function inUtf8(form: SecretForm): SecretForm {
  return { ...form, text: Buffer.from(form.text, 'utf8').toString('latin1') };
}

function formsOf(secret: Secret): SecretForm[] {
  return textsOf(secret).flatMap((text) => {
    const isExact = looksLikeWord(text);
    const cased = isExact ? [text] : casingsOf(text);
    const writings = new Set([...new Set(cased)].flatMap(writingsOf));
    return [...writings].map((writing) => ({ text: writing, shown: secret.shell, isExact }));
  });
}

/** Of a text that is coded as a whole, each casing looks different. */
function casingsOf(text: string): string[] {
  const swapped = inOtherCase(text);
  const common = [text, text.toLowerCase(), text.toUpperCase()];
  return swapped === undefined ? common : [...common, swapped];
}

/** A longer text of letters is no word. */
const longestWord = 11;

/**
 * Whether a secret may be a common word, such as `admin`: without regard to case, it occurs in too
 * many harmless texts, so it is hidden only in its exact form.
 */
function looksLikeWord(text: string): boolean {
  return text.length <= longestWord && /^(?:\p{L}?\p{Ll}+|\p{Lu}+)$/u.test(text);
}

/** Hides texts of which some characters are escaped, in any way; the longest first. */
function makeEscapedHider(secrets: readonly Secret[]): (text: string) => string {
  const texts = secrets.flatMap((secret) =>
    textsOf(secret).map((text) => ({ text, shown: secret.shell })),
  );
  const escaped = texts
    .sort((left, right) => right.text.length - left.text.length)
    .map(({ text, shown }) => ({ pattern: escapedWriting(text, looksLikeWord(text)), shown }));
  return (from) => {
    if (!/[%\\&]/.test(from)) return from;
    return escaped.reduce((rest, { pattern, shown }) => {
      return rest.replaceAll(pattern, () => shown);
    }, from);
  };
}

/**
 * The secret; for a pair also its password, and the encoded pair, which a server may write in yet
 * another form.
 */
function textsOf({ value }: Secret): string[] {
  if (value.length < shortest) return [];
  if (!value.includes(':')) return [value];
  const password = value.slice(value.indexOf(':') + 1);
  return [value, encodeBase64(value), ...(password.length < shortest ? [] : [password])];
}

/** The ways in which a text may be written in a URL, a header, a JSON or an HTML body. */
function writingsOf(text: string): string[] {
  const encoded = encodeURIComponent(text);
  const base64 = encodeBase64(text);
  return [
    text,
    encoded,
    encoded.replaceAll('%20', '+'),
    base64,
    // A token that is sent by basic without a password.
    encodeBase64(`${text}:`),
    base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    JSON.stringify(text).slice(1, -1),
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
    ...codedWritings(text),
  ];
}

function encodeBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

const withScheme = /^([A-Za-z][\w-]*) +(.+)$/s;

function hideCredential(shown: string, harmless: ReadonlySet<string>): string {
  const [, scheme, rest] = withScheme.exec(shown) ?? [];
  const credential = rest ?? shown;
  if (
    credential === '' ||
    harmless.has(credential) ||
    /^\$(VOUCH_TOKEN|\{VOUCH_TOKEN)/.test(credential)
  )
    return shown;
  return scheme === undefined ? '[redacted]' : `${scheme} [redacted]`;
}

interface Hiding {
  readonly text: (text: string) => string;
  readonly header: (field: readonly [string, string]) => readonly [string, string];
  readonly bytes: (latin1: string) => string;
}

function redactExchange(exchange: Exchange, hiding: Hiding): Exchange {
  const { response, fault, request } = exchange;
  return {
    ...exchange,
    baseUrl: hiding.text(exchange.baseUrl),
    request: redactRequest(request, hiding),
    ...(response === undefined ? {} : { response: redactResponse(response, hiding) }),
    ...(fault === undefined ? {} : { fault: { ...fault, message: hiding.text(fault.message) } }),
    ...(exchange.resent === undefined ? {} : { resent: hiding.text(exchange.resent) }),
    ...(exchange.breaches === undefined
      ? {}
      : {
          breaches: exchange.breaches.map((breach) => ({
            ...breach,
            message: hiding.text(breach.message),
          })),
        }),
  };
}

function redactRequest(request: HttpRequest, hiding: Hiding): HttpRequest {
  return { ...request, target: hiding.text(request.target), ...redactContent(request, hiding) };
}

function redactResponse(response: HttpResponse, hiding: Hiding): HttpResponse {
  return { status: response.status, ...redactContent(response, hiding) };
}

function redactContent(message: Content, hiding: Hiding): Content {
  const plain = readable(message);
  const body = redactBytes(plain.body, hiding);
  return {
    headers: (body === plain.body ? message : plain).headers.map(hiding.header),
    body: body === plain.body ? message.body : body,
  };
}

type Content = Pick<HttpResponse, 'headers' | 'body'>;

/** A content coding hides the bytes of a secret, so the decoded body is searched. */
function readable(message: Content): Content {
  if (headerValues(message.headers, 'content-encoding').length === 0) return message;
  const decoded = decodeContent(message);
  return decoded.ok
    ? { headers: withoutHeader(message.headers, 'content-encoding'), body: decoded.bytes }
    : message;
}

function redactBytes(body: Uint8Array, { bytes }: Hiding): Uint8Array {
  if (body.length === 0) return body;
  const before = Buffer.from(body).toString('latin1');
  const after = bytes(before);
  return after === before ? body : new Uint8Array(Buffer.from(after, 'latin1'));
}

/**
 * The same event without secrets in texts of the document: names, titles, paths, files and code
 * frames. An exchange is redacted when it is recorded.
 */
export function redactEvent(event: RunEvent, { name }: Redactor): RunEvent {
  if (event.type === 'exchange-recorded') return event;
  if (event.type !== 'gap-observed') return redactPlain(event, name);
  const { gap } = event;
  return { ...event, gap: { ...gap, id: name(gap.id), message: name(gap.message) } };
}

/** The same plain data with every text in it hidden, names of members included. Bytes stay. */
export function redactPlain<Value>(value: Value, hide: (text: string) => string): Value {
  // Texts stay texts, and so the type stays.
  return redactAny(value, hide) as Value;
}

function redactAny(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((item) => redactAny(item, hide));
  if (!isPlain(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    hide(name),
    redactAny(member, hide),
  ]);
  return Object.fromEntries(members);
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/**
 * Hides every secret of a run, and others that are known: by value, and by the headers in which
 * credentials travel.
 */
export function redactorFor(
  contract: Contract,
  secrets: Secrets,
  others: readonly Secret[] = [],
): Redactor {
  const secretHeaders = secrets.headers.flatMap(({ name, shell }) =>
    shell === undefined ? [] : [name],
  );
  return makeRedactor({
    secrets: [...shellSecrets(secrets), ...others],
    invented: inventedCredentials(secrets),
    headerNames: [...credentialHeaderNames(contract.securitySchemes.values()), ...secretHeaders],
  });
}

/** The same value with every text in it redacted, names included. */
export function redactValue(value: JsonObject, text: (from: string) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [text(name), redactMember(member, text)]),
  );
}

function redactMember(value: JsonValue, text: (from: string) => string): JsonValue {
  if (typeof value === 'string') return text(value);
  if (isJsonArray(value)) return value.map((item) => redactMember(item, text));
  return isJsonObject(value) ? redactValue(value, text) : value;
}
