import type { Contract } from '../../contract/model.ts';
import { decodeBase64Text } from '../../http/base64.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { decodeUtf8 } from '../../json/decode-utf8.ts';
import type { JsonValue } from '../../json/value.ts';
import { createdIdentifier } from '../evidence/record/created-identifier.ts';
import type { Exchange } from '../finding.ts';
import type { Secret } from '../secrets/secrets.ts';
import { roleOf, type Step } from '../subject.ts';
import { shellQuote } from './shell-quote.ts';

/**
 * The shell variables that carry new records' identifiers from one command to the next: `VOUCH_ID`,
 * then `VOUCH_ID_2` and so on.
 */
const variableOf = (index: number): string =>
  index === 0 ? 'VOUCH_ID' : `VOUCH_ID_${String(index + 1)}`;

/**
 * The shell commands that send the steps again, in order, on a server that has none of their
 * records: the identifiers that creates answer with are taken out of the answers and used by the
 * commands after them, those of records below others too.
 */
export function toCommands(
  steps: readonly Step[],
  contract: Contract,
  secrets: readonly Secret[],
): string[] {
  const taken: Taken[] = [];
  return steps.map((step, index) => {
    const curl = toCurl(step.exchange, secrets);
    const command = usesCreated(step) ? replaceInUrl(curl, taken) : curl;
    const own = steps.slice(index + 1).some(usesCreated)
      ? takenFrom(step, contract, variableOf(taken.length))
      : undefined;
    if (own === undefined) return command;
    taken.push(own);
    return capture(command, own);
  });
}

interface Taken {
  readonly variable: string;
  readonly identifier: string;
  readonly pattern: string;
}

/**
 * How the identifier is cut out of the answer, where a plain pattern finds the right one in this
 * very answer.
 */
function takenFrom(step: Step, contract: Contract, variable: string): Taken | undefined {
  const role = roleOf(contract, step.case.operation);
  const { response } = step.exchange;
  if (role?.action !== 'create' || response === undefined) return undefined;
  const identifier: JsonValue | undefined = createdIdentifier(role.resource, step.answer, response);
  const { field } = role.resource.identifier;
  if (identifier === undefined || !/^[\w-]+$/.test(String(identifier)) || !/^\w+$/.test(field))
    return undefined;
  const text = new TextDecoder().decode(response.body).replaceAll('\n', '');
  const found = new RegExp(`.*"${field}" *: *"?([^",} ]*).*`).exec(text)?.[1];
  return found === String(identifier)
    ? { variable, identifier: found, pattern: `s/.*"${field}" *: *"?([^",} ]*).*/\\1/` }
    : undefined;
}

/** The answer is shown on the way, without its header, which could hold the pattern too. */
function capture(command: string, { variable, pattern }: Taken): string {
  return `${variable}=$(${command.replace(/ -i /, ' ')} | tee /dev/stderr | tr -d '\\n' | sed -E '${pattern}')`;
}

function usesCreated({ case: { request } }: Step): boolean {
  return request.arguments.some(
    ({ parameter, source }) => parameter.in === 'path' && source.kind === 'created',
  );
}

/**
 * The URL is the first word that begins with http; what was quoted whole is quoted in parts around
 * the variables.
 */
function replaceInUrl(command: string, taken: readonly Taken[]): string {
  const at = command.search(/['"]https?:\/\//);
  const quote = command[at] ?? "'";
  const end = command.indexOf(quote, at + 1);
  if (at === -1 || end === -1) return command;
  const [path = '', ...query] = command.slice(at + 1, end).split('?');
  const written = replaceSegments(path.split('/'), taken, quote).join('/');
  const url = [written, ...query].join('?');
  return `${command.slice(0, at)}${`${quote}${url}${quote}`.replace(/"''$/, '"')}${command.slice(end + 1)}`;
}

/** What was made last stands furthest to the right: `/lists/LIST/items/ITEM`. */
function replaceSegments(
  segments: readonly string[],
  taken: readonly Taken[],
  quote: string,
): string[] {
  const written = [...segments];
  for (const { identifier, variable } of taken.toReversed()) {
    const place = written.lastIndexOf(identifier);
    if (place !== -1) written[place] = quote === '"' ? `$${variable}` : `'"$${variable}"'`;
  }
  return written;
}

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
