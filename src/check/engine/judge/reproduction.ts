import type { Contract } from '../../../contract/model.ts';
import { curlBody, curlField, shellQuote } from '../../../http/curl.ts';
import { decodeBase64Text, headerValue, type HttpRequest } from '../../../http/message.ts';
import type { JsonValue } from '../../../json/value.ts';
import { createdIdentifier } from '../../reading/created-record.ts';
import type { Exchange } from '../../model/exchange.ts';
import { roleOf, type Step } from '../../model/step.ts';
import type { Secret } from '../../secrets/secrets.ts';

/**
 * The shell commands that send the steps again, in order, to a server that has none of their
 * records: identifiers of created records are taken from the responses and used by later commands,
 * also those of parent records.
 */
export function toCommands(
  steps: readonly Step[],
  contract: Contract,
  secrets: readonly Secret[],
): string[] {
  const captured: CapturedIdentifier[] = [];
  return steps.map((step, index) => {
    const curl = toCurl(step.exchange, secrets);
    const command = usesCreated(step) ? replaceInUrl(curl, captured) : curl;
    const own = steps.slice(index + 1).some(usesCreated)
      ? captureFrom(step, contract, variableName(captured.length))
      : undefined;
    if (own === undefined) return command;
    captured.push(own);
    return withCapture(command, own);
  });
}

/** An identifier in a response, the shell variable for it, and the `sed` script that finds it. */
interface CapturedIdentifier {
  readonly variable: string;
  readonly identifier: string;
  readonly pattern: string;
}

/** `VOUCH_ID`, then `VOUCH_ID_2` and so on. */
function variableName(index: number): string {
  return index === 0 ? 'VOUCH_ID' : `VOUCH_ID_${String(index + 1)}`;
}

/** How to find the identifier in the response; undefined if a simple pattern does not find it. */
function captureFrom(
  step: Step,
  contract: Contract,
  variable: string,
): CapturedIdentifier | undefined {
  const role = roleOf(contract, step.case.operation);
  const { response } = step.exchange;
  if (role?.action !== 'create' || response === undefined) return undefined;
  const identifier: JsonValue | undefined = createdIdentifier(role.resource, step);
  const { field } = role.resource.identifier;
  if (identifier === undefined || !/^[\w-]+$/.test(String(identifier)) || !/^\w+$/.test(field))
    return undefined;
  const text = new TextDecoder().decode(response.body).replaceAll('\n', '');
  const found = new RegExp(`.*"${field}" *: *"?([^",} ]*).*`).exec(text)?.[1];
  return found === String(identifier)
    ? { variable, identifier: found, pattern: `s/.*"${field}" *: *"?([^",} ]*).*/\\1/` }
    : undefined;
}

/** The response is still printed, but without headers, which could match the pattern too. */
function withCapture(command: string, { variable, pattern }: CapturedIdentifier): string {
  const bodyOnly = command.replace(/ -i /, ' ');
  return `${variable}=$(${bodyOnly} | tee /dev/stderr | tr -d '\\n' | sed -E '${pattern}')`;
}

function usesCreated({ case: { request, phase } }: Step): boolean {
  return request.arguments.some(
    ({ parameter, source }) =>
      parameter.in === 'path' &&
      (source.kind === 'created' || (source.kind === 'link' && phase === 'workflow')),
  );
}

/** Replaces identifiers in the URL, which is the first word that begins with http, by variables. */
function replaceInUrl(command: string, captured: readonly CapturedIdentifier[]): string {
  const at = command.search(/['"]https?:\/\//);
  const quoteMark = command[at] ?? "'";
  const end = command.indexOf(quoteMark, at + 1);
  if (at === -1 || end === -1) return command;
  const [path = '', ...query] = command.slice(at + 1, end).split('?');
  const written = replaceSegments(path.split('/'), captured, quoteMark).join('/');
  const url = `${quoteMark}${[written, ...query].join('?')}${quoteMark}`.replace(/"''$/, '"');
  return `${command.slice(0, at)}${url}${command.slice(end + 1)}`;
}

/** The last created record is the last in the path: `/lists/LIST/items/ITEM`. */
function replaceSegments(
  segments: readonly string[],
  captured: readonly CapturedIdentifier[],
  quoteMark: string,
): string[] {
  const written = [...segments];
  for (const { identifier, variable } of captured.toReversed()) {
    const place = written.lastIndexOf(identifier);
    if (place !== -1) written[place] = quoteMark === '"' ? `$${variable}` : `'"$${variable}"'`;
  }
  return written;
}

/**
 * The POSIX shell command that sends the request of an exchange again. Secrets are written as
 * `$VOUCH_TOKEN`; a binary body is piped in. `-i` shows the status, `--path-as-is` keeps the path,
 * `--data-raw` reads no file.
 */
export function toCurl(
  { baseUrl, request, response }: Exchange,
  secrets: readonly Secret[],
): string {
  const isCoded =
    response !== undefined && headerValue(response.headers, 'content-encoding') !== undefined;
  const headers = request.headers
    .filter(([name]) => !isSetByCurl(name))
    .map((field) => headerOption(field, secrets));
  const body = curlBody(request, shellQuote);
  const words = [
    'curl',
    '-sS',
    '-i',
    '--path-as-is',
    ...(isCoded ? ['--compressed'] : []),
    ...methodOptions(request),
    quote(new URL(baseUrl).origin + request.target, secrets),
    ...headers,
    ...body.words,
  ];
  return `${body.pipe}${words.join(' ')}`;
}

function methodOptions(request: HttpRequest): string[] {
  if (request.method === 'GET') return request.body.length === 0 ? [] : ['-X GET'];
  return request.method === 'HEAD' ? ['-I'] : [`-X ${request.method}`];
}

function isSetByCurl(name: string): boolean {
  return [
    'user-agent',
    'vouch-run',
    'accept-encoding',
    'content-length',
    'host',
    'connection',
  ].includes(name.toLowerCase());
}

function headerOption(
  [name, value]: readonly [string, string],
  secrets: readonly Secret[],
): string {
  const isAuthorization = name.toLowerCase() === 'authorization';
  const basic = isAuthorization ? decodedCredential(value, /^basic (.+)$/i) : undefined;
  if (basic !== undefined) return `-u ${quote(basic, secrets)}`;
  const bearer = isAuthorization ? decodedCredential(value, /^bearer (.+)$/i) : undefined;
  if (bearer !== undefined && isSecretPair(bearer, secrets)) {
    // The environment only has the plain pair, so the shell has to encode it.
    const coded = `$(printf %s ${quote(bearer, secrets)} | base64 | tr -d '\\n')`;
    return `-H "${name}: Bearer ${coded}"`;
  }
  return `-H ${quote(curlField(name, value), secrets)}`;
}

function decodedCredential(value: string, scheme: RegExp): string | undefined {
  return decodeBase64Text(scheme.exec(value)?.[1] ?? '');
}

/** Whether a text is a basic credential: it is sent under another scheme in some cases. */
function isSecretPair(pair: string, secrets: readonly Secret[]): boolean {
  return secrets.some(({ value }) => pair === value || pair === `${value}:`);
}

/** In single quotes; in double quotes if the shell has to insert a secret. */
function quote(text: string, secrets: readonly Secret[]): string {
  const parts = splitAtSecrets(text, secrets);
  if (parts.every((part) => typeof part === 'string')) return shellQuote(text);
  const written = parts.map((part, index) =>
    typeof part === 'string'
      ? part.replaceAll(/[\\"$`]/g, '\\$&')
      : expansion(part, parts[index + 1]),
  );
  return `"${written.join('')}"`;
}

/** In braces if the next character could be part of the variable's name. */
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
