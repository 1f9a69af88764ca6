import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../http/media-type.ts';
import { type HeaderList, headerValue, type HttpResponse } from '../http/message.ts';

/** What the package exports, for who has loaded it. */
export type PrismHttp = typeof import('@stoplight/prism-http');
type Request = ReturnType<PrismHttp['createInstance']>['request'];
type Made = Extract<Awaited<ReturnType<ReturnType<Request>>>, { readonly _tag: 'Right' }>['right'];

/**
 * The header fields that say where a message ends or what the connection does: ours to write,
 * whatever the contract makes up.
 */
const framing = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
  'upgrade',
]);
const maxAnswerBytes = 4 * 1024 * 1024;
const maxViolationCharacters = 8_000;

/**
 * The answer that Prism made. Throws where it cannot be sent: a status, a header or a body that
 * HTTP or a limit does not allow.
 */
export function writeAnswer({ output, validations }: Made): HttpResponse {
  const made = Object.entries(output.headers ?? {}).filter(
    ([name, value]) => value !== null && !framing.has(name.toLowerCase()),
  );
  const headers: HeaderList = [
    ...made.map(([name, value]) => [name, String(value)] as const),
    ...writeViolations(validations),
  ];
  for (const [name, value] of headers) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  if (!(output.statusCode >= 200 && output.statusCode <= 599))
    throw new Error(`The status ${output.statusCode} cannot be sent.`);
  const body = new TextEncoder().encode(
    serializeBody(output.body, headerValue(headers, 'content-type')),
  );
  if (body.length > maxAnswerBytes)
    throw new Error(
      `Prism made a body of ${body.length} bytes; ${maxAnswerBytes} are sent at most.`,
    );
  return { status: output.statusCode, headers, body };
}

/**
 * Prism's header for what the request or its own answer breaks. Non-ASCII is escaped, since a
 * header cannot carry it.
 */
function writeViolations({ input, output }: Made['validations']): HeaderList {
  const violations = [
    ...input.map((found) => ['request', found] as const),
    ...output.map((found) => ['response', found] as const),
  ];
  if (violations.length === 0) return [];
  const text = JSON.stringify(
    violations.map(([side, { path = [], severity, code, message }]) => ({
      location: [side, ...path],
      severity: (['Error', 'Warning', 'Information', 'Hint'] as const)[severity],
      code,
      message,
    })),
  ).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (text.length <= maxViolationCharacters) return [['sl-violations', text]];
  return [['sl-violations', `Too many violations! ${text.slice(0, maxViolationCharacters)}`]];
}

/**
 * What went wrong, as Prism itself tells it: its own type and members, and status 500 for what it
 * did not foresee.
 */
export function writeError(http: PrismHttp, error: unknown): HttpResponse {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const { headers, ...members } = http.ProblemJsonError.toProblemJson(thrown) as ReturnType<
    PrismHttp['ProblemJsonError']['toProblemJson']
  > & {
    readonly headers?: Readonly<Record<string, string>>;
  };
  return {
    status: members.status,
    headers: [['Content-Type', 'application/problem+json'], ...Object.entries(headers ?? {})],
    body: new TextEncoder().encode(JSON.stringify(members)),
  };
}

/**
 * The text of a body that Prism made, in the media type that it chose; `''` where it made none.
 * Throws where the value has no text in that media type, as Prism's own server does.
 */
export function serializeBody(value: unknown, mediaType: string | undefined): string {
  if (value === undefined) return '';
  if (mediaType !== undefined && isJsonMediaType(mediaType)) return JSON.stringify(value);
  if (typeof value === 'string') return value;
  if (mediaType !== undefined && isXmlMediaType(mediaType)) return writeXml('xml', value);
  throw new Error(
    'Prism made a value that has no text as ' +
      `${mediaType ?? 'a body without a media type'}: ${JSON.stringify(value)}`,
  );
}

function isXmlMediaType(mediaType: string): boolean {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  return (
    essence.endsWith('+xml') ||
    matchesMediaRange(mediaType, 'application/xml') ||
    matchesMediaRange(mediaType, 'text/xml')
  );
}

function writeXml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => writeXml(name, item)).join('');
  return `<${name}>${writeContent(value)}</${name}>`;
}

function writeContent(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return escapeXml(String(value));
  return Object.entries(value)
    .map(([name, member]) => writeXml(name, member))
    .join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
