import { escapeCharacter } from '../json/json-problem.ts';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../http/media-type.ts';
import { type HeaderList, headerValue, type HttpResponse } from '../http/message.ts';

/** The exports of the package, for callers that have loaded it. */
export type PrismHttp = typeof import('@stoplight/prism-http');
type Request = ReturnType<PrismHttp['createInstance']>['request'];
type Made = Extract<Awaited<ReturnType<ReturnType<Request>>>, { readonly _tag: 'Right' }>['right'];

/** Header fields about message framing and the connection, which this server sets itself. */
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
 * Converts Prism's response. Throws if its status, a header or its body is invalid in HTTP or
 * exceeds a limit.
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
 * Prism's header that lists violations of the request or response. Non-ASCII characters are
 * escaped, because a header cannot contain them.
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
  ).replaceAll(/[^ -~]/g, escapeCharacter);
  if (text.length <= maxViolationCharacters) return [['sl-violations', text]];
  return [['sl-violations', `Too many violations! ${text.slice(0, maxViolationCharacters)}`]];
}

/** Converts an error of Prism: its type and members, and status 500 for an unexpected one. */
export function writeError(http: PrismHttp, error: unknown): HttpResponse {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const { headers, ...members } = http.ProblemJsonError.toProblemJson(thrown) as ReturnType<
    PrismHttp['ProblemJsonError']['toProblemJson']
  > & { readonly headers?: Readonly<Record<string, string>> };
  return {
    status: members.status,
    headers: [['Content-Type', 'application/problem+json'], ...Object.entries(headers ?? {})],
    body: new TextEncoder().encode(JSON.stringify(members)),
  };
}

/**
 * Serializes a body of Prism in the chosen media type; `''` if there is none. Throws if the value
 * cannot be written in that media type, as Prism's own server does.
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
