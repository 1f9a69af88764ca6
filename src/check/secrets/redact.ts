import { headerValues, withoutHeader, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { decodeContent } from '../evidence/answer/decode-content.ts';
import type { Exchange } from '../finding.ts';
import { codedWritings, escapedWriting } from './secret-writings.ts';
import type { Secret } from './secrets.ts';

/** Takes secrets out of what is shown: the token becomes `$VOUCH_TOKEN`, other credentials `[redacted]`. */
export interface Redactor {
  text(text: string): string;
  exchange(exchange: Exchange): Exchange;
}

/** What a redactor must know: the secrets by value, credentials that were made up and may be shown, header names that hold keys. */
export interface RedactorOptions {
  readonly secrets: readonly Secret[];
  readonly invented: readonly string[];
  readonly headerNames: readonly string[];
}

const sensitive = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-csrf-token', 'x-amz-security-token'];

/** A shorter text is too likely to be part of something harmless; it still never shows in a header that holds credentials. */
const shortest = 4;

interface Form {
  readonly text: string;
  readonly shown: string;
}

/** Makes a redactor: by value (plain, percent-encoded, base64, escaped for JSON and HTML) and by the names of header fields. */
export function makeRedactor({ secrets, invented, headerNames }: RedactorOptions): Redactor {
  const forms = secrets.flatMap(formsOf).sort((left, right) => right.text.length - left.text.length);
  const harmless = new Set(invented.flatMap((value) => [value, encodeBase64(value)]));
  // What stands for a secret that is hidden already.
  for (const { shell } of secrets) harmless.add(shell);
  const names = new Set([...sensitive, ...headerNames.map((name) => name.toLowerCase())]);
  const escaped = escapedForms(secrets);
  const hideEscaped = (from: string): string => (/[%\\&]/.test(from) ? escaped.reduce((rest, { pattern, shown }) => rest.replaceAll(pattern, () => shown), from) : from);
  const text = (from: string): string => hideCutForms(hideEscaped(forms.reduce(hideForm, from)), forms);
  const header = ([name, value]: readonly [string, string]): readonly [string, string] => {
    const shown = text(value);
    return [text(name), names.has(name.toLowerCase()) ? hideCredential(shown, harmless) : shown];
  };
  // Bytes are looked through as Latin-1, which keeps every one of them; the secret may stand there in UTF-8 or in Latin-1.
  const inBytes = [...forms.map((form) => ({ ...form, text: Buffer.from(form.text, 'utf8').toString('latin1') })), ...forms];
  const bytes = (from: string): string => hideEscaped(inBytes.reduce(hideForm, from));
  return { text, exchange: (exchange) => redactExchange(exchange, { text, header, bytes }) };
}

/** Nearly no text holds any of them, and to look for one is much cheaper than to be ready to replace it. */
function hideForm(text: string, { text: secret, shown }: Form): string {
  return text.includes(secret) ? text.replaceAll(secret, () => shown) : text;
}

function formsOf(secret: Secret): Form[] {
  const { shell } = secret;
  const texts = textsOf(secret).flatMap(writingsOf);
  return [...new Set(texts)].map((text) => ({ text, shown: shell }));
}

/** The same for texts of which only some characters are escaped, in whatever way; the longest first. */
function escapedForms(secrets: readonly Secret[]): { readonly pattern: RegExp; readonly shown: string }[] {
  const texts = secrets.flatMap((secret) => textsOf(secret).map((text) => ({ text, shown: secret.shell })));
  return texts.sort((left, right) => right.text.length - left.text.length).map(({ text, shown }) => ({ pattern: escapedWriting(text), shown }));
}

/** The secret; of a pair its password too, and the pair as it travels, which a server may write in yet another way. */
function textsOf({ value }: Secret): string[] {
  if (value.length < shortest) return [];
  if (!value.includes(':')) return [value];
  const password = value.slice(value.indexOf(':') + 1);
  return [value, encodeBase64(value), ...(password.length < shortest ? [] : [password])];
}

/** A value that was cut short may end in the middle of a secret: what stands before `…` is looked at as the beginning of one. */
function hideCutForms(text: string, forms: readonly Form[]): string {
  if (!text.includes('…')) return text;
  const pieces = text.split('…');
  return pieces.map((piece, index) => (index === pieces.length - 1 ? piece : hideEnding(piece, forms))).join('…');
}

function hideEnding(piece: string, forms: readonly Form[]): string {
  for (const { text, shown } of forms) {
    for (let length = text.length - 1; length >= shortest; length -= 1) {
      if (piece.endsWith(text.slice(0, length))) return piece.slice(0, -length) + shown;
    }
  }
  return piece;
}

/** The ways in which a text may be written in a URL, a header, a JSON or an HTML body. */
function writingsOf(text: string): string[] {
  const encoded = encodeURIComponent(text);
  const base64 = encodeBase64(text);
  return [
    text,
    encoded,
    encoded.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    base64,
    // A token that is sent by basic without a password.
    encodeBase64(`${text}:`),
    base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
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
  if (credential === '' || harmless.has(credential) || /^\$(VOUCH_TOKEN|\{VOUCH_TOKEN)/.test(credential)) return shown;
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
    ...(exchange.breaches === undefined ? {} : { breaches: exchange.breaches.map((breach) => ({ ...breach, message: hiding.text(breach.message) })) }),
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
  return { headers: (body === plain.body ? message : plain).headers.map(hiding.header), body: body === plain.body ? message.body : body };
}

type Content = Pick<HttpResponse, 'headers' | 'body'>;

/** A coded body hides a secret from whoever looks for its bytes, so it is looked for in what the coding hides. */
function readable(message: Content): Content {
  if (headerValues(message.headers, 'content-encoding').length === 0) return message;
  const decoded = decodeContent(message);
  return decoded.ok ? { headers: withoutHeader(message.headers, 'content-encoding'), body: decoded.bytes } : message;
}

function redactBytes(body: Uint8Array, { bytes }: Hiding): Uint8Array {
  if (body.length === 0) return body;
  const before = Buffer.from(body).toString('latin1');
  const after = bytes(before);
  return after === before ? body : new Uint8Array(Buffer.from(after, 'latin1'));
}
