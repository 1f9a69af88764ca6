import { decodeBase64Text } from '../../http/base64.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { decodeUtf8 } from '../../json/decode-utf8.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Secret } from '../secrets/secrets.ts';
import { shellQuote } from './shell-quote.ts';

/**
 * The POSIX shell command that sends an exchange's request again. Secrets are written as
 * `$VOUCH_TOKEN`; a body that is no text is piped in byte for byte. `-i` shows the status,
 * `--path-as-is` keeps the path, `--data-raw` reads no file.
 */
export function toCurl(
  { baseUrl, request, response }: Exchange,
  secrets: readonly Secret[],
): string {
  const coded =
    response !== undefined && headerValue(response.headers, 'content-encoding') !== undefined;
  const options = [
    'curl',
    '-sS',
    '-i',
    '--path-as-is',
    ...(coded ? ['--compressed'] : []),
    ...method(request),
  ];
  const headers = request.headers
    .filter(([name]) => !isCurlsOwn(name))
    .map((field) => header(field, secrets));
  const body = bodyOf(request);
  const words = [
    ...options,
    quote(new URL(baseUrl).origin + request.target, secrets),
    ...headers,
    ...body.words,
  ];
  return `${body.pipe}${words.join(' ')}`;
}

function method(request: HttpRequest): string[] {
  if (request.method === 'GET') return request.body.length === 0 ? [] : ['-X GET'];
  return request.method === 'HEAD' ? ['-I'] : [`-X ${request.method}`];
}

function isCurlsOwn(name: string): boolean {
  return [
    'user-agent',
    'vouch-run',
    'accept-encoding',
    'content-length',
    'host',
    'connection',
  ].includes(name.toLowerCase());
}

function header([name, value]: readonly [string, string], secrets: readonly Secret[]): string {
  const pair =
    name.toLowerCase() === 'authorization'
      ? decodeBase64Text(/^basic (.+)$/i.exec(value)?.[1] ?? '')
      : undefined;
  if (pair !== undefined) return `-u ${quote(pair, secrets)}`;
  const strayed = strayedPair([name, value], secrets);
  if (strayed !== undefined)
    return `-H "${name}: Bearer $(printf %s ${quote(strayed, secrets)} | base64 | tr -d '\\n')"`;
  // curl leaves a field out that has no value after the colon, and sends an empty one after a
  // semicolon.
  return `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`, secrets)}`;
}

/**
 * The pair of a basic credential that is sent under another scheme: a shell has to code it, since
 * only the plain one is in its environment.
 */
function strayedPair(
  [name, value]: readonly [string, string],
  secrets: readonly Secret[],
): string | undefined {
  const pair =
    name.toLowerCase() === 'authorization'
      ? decodeBase64Text(/^bearer (.+)$/i.exec(value)?.[1] ?? '')
      : undefined;
  return secrets.some((secret) => pair === secret.value || pair === `${secret.value}:`)
    ? pair
    : undefined;
}

interface BodyWords {
  readonly pipe: string;
  readonly words: readonly string[];
}

function bodyOf({ body, headers }: HttpRequest): BodyWords {
  if (body.length === 0) return { pipe: '', words: [] };
  // curl would add a Content-Type of its own.
  const type = headerValue(headers, 'content-type') === undefined ? [`-H 'Content-Type:'`] : [];
  const text = textOf(body);
  if (text !== undefined) return { pipe: '', words: [...type, `--data-raw ${quote(text, [])}`] };
  return { pipe: `printf ${quoteOctets(body)} | `, words: [...type, '--data-binary @-'] };
}

/** The text of a body, where a shell can carry it in an argument: UTF-8 without NUL. */
function textOf(body: Uint8Array): string | undefined {
  const reading = decodeUtf8(body);
  return reading.ok && !reading.text.includes('\0') ? reading.text : undefined;
}

/** Every byte in octal, which each POSIX `printf` understands. */
function quoteOctets(body: Uint8Array): string {
  return `'${[...body].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;
}

/**
 * Single quotes, in which a shell reads nothing; double quotes where a secret has to be read from
 * the environment.
 */
function quote(text: string, secrets: readonly Secret[]): string {
  const parts = splitAtSecrets(text, secrets);
  if (parts.every((part) => typeof part === 'string')) return shellQuote(text);
  return `"${parts.map((part, index) => (typeof part === 'string' ? part.replaceAll(/[\\"$`]/g, '\\$&') : expansion(part, parts[index + 1]))).join('')}"`;
}

/** Braces where the shell would take what follows for a part of the name. */
function expansion({ shell }: Secret, next: string | Secret | undefined): string {
  const runsOn = typeof next === 'string' && /^\w/.test(next);
  return runsOn ? shell.replace(/^\$(\w+)$/, '${$1}') : shell;
}

function splitAtSecrets(text: string, secrets: readonly Secret[]): (string | Secret)[] {
  const known = secrets
    .filter(({ value }) => value !== '')
    .flatMap((secret) => [secret, { ...secret, value: encodeURIComponent(secret.value) }]);
  const longestFirst = known.sort((left, right) => right.value.length - left.value.length);
  return longestFirst.reduce<(string | Secret)[]>(
    (parts, secret) =>
      parts.flatMap((part) => (typeof part === 'string' ? splitAt(part, secret) : [part])),
    [text],
  );
}

function splitAt(text: string, secret: Secret): (string | Secret)[] {
  return text
    .split(secret.value)
    .flatMap((piece, index) => (index === 0 ? [piece] : [secret, piece]));
}
