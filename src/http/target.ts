import { binaryText } from './media-type.ts';
import { looksLike } from '../words-in.ts';

/** The parts of a request target. */
export interface Target {
  /** The path on the wire, still percent-encoded; starts with `/`. */
  readonly path: string;
  /** The path's segments, decoded: `/a%2Fb/` is `['a/b', '']`. */
  readonly segments: readonly string[];
  /**
   * Names and values of the query, decoded, in order; `+` is a space, a name alone has the value
   * `''`.
   */
  readonly query: readonly (readonly [name: string, value: string])[];
  /**
   * The query on the wire, without `?`: the delimiters of array styles must be split before
   * decoding.
   */
  readonly rawQuery: string;
}

/** Why a text is not a valid request target, and which part is invalid. */
interface TargetProblem {
  readonly at: 'path' | 'query';
  readonly message: string;
}

/** A parsed request target, or the reason why it is invalid. */
export type TargetReading =
  ({ readonly ok: true } & Target) | { readonly ok: false; readonly problem: TargetProblem };

/** Splits a request target at its `?`, without validation. */
export function splitTarget(target: string): { readonly path: string; readonly rawQuery: string } {
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, rawQuery: '' }
    : { path: target.slice(0, mark), rawQuery: target.slice(mark + 1) };
}

const absoluteForm = /^https?:\/\/[^/?]*/i;

/**
 * Parses a request target in origin-form or absolute-form (RFC 9112, sections 3.2.1 and 3.2.2).
 * Refuses invalid percent-escapes, escapes that are not UTF-8, fragments, and characters that must
 * be escaped in a URI.
 */
export function parseTarget(target: string): TargetReading {
  const local = target.startsWith('/') ? target : target.replace(absoluteForm, '');
  const { path: beforeMark, rawQuery } = splitTarget(local);
  const path = beforeMark === '' && local !== target ? '/' : beforeMark;
  if (!path.startsWith('/')) {
    const shown = path.length > 60 ? `${path.slice(0, 60)}…` : path;
    return refuse('path', `the path must begin with \`/\`, but is \`${shown}\``);
  }
  const segments = path.slice(1).split('/').map(decodePercent);
  const query =
    rawQuery === ''
      ? noPairs
      : splitQuery(rawQuery).map(
          ([name, value]) => [decodeQueryPercent(name), decodeQueryPercent(value)] as const,
        );
  if (isStray(path) || !isWhole(segments)) return refuse('path', `the path ${describeStray(path)}`);
  if (isStray(rawQuery) || !query.every(isWholePair))
    return refuse('query', `the query ${describeStray(rawQuery)}`);
  return { ok: true, path, segments, query, rawQuery };
}

const noPairs: readonly (readonly [string, string])[] = [];

/** The names and values of a query on the wire, still encoded; empty pieces are left out. */
export function splitQuery(rawQuery: string): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (const piece of rawQuery.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    pairs.push(equals === -1 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)]);
  }
  return pairs;
}

/**
 * Characters that are invalid in a request target: white space, control characters, a fragment,
 * anything outside ASCII.
 */
const stray = /[^!-~]|#/u;

const isStray = looksLike(stray);

function describeStray(text: string): string {
  const found = stray.exec(text)?.[0];
  if (found === undefined) return describeBrokenPercent(text);
  if (found === '#') return 'holds `#`: a fragment is not sent (write a plain # as %23)';
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `holds the character U+${code}, which must be percent-encoded`;
}

function refuse(at: TargetProblem['at'], message: string): TargetReading {
  return { ok: false, problem: { at, message } };
}

function isWhole(texts: readonly (string | undefined)[]): texts is readonly string[] {
  return !texts.includes(undefined);
}

function isWholePair(
  pair: readonly [string | undefined, string | undefined],
): pair is readonly [string, string] {
  return isWhole(pair);
}

/**
 * Percent-decodes a text (RFC 3986, section 2.1). Returns undefined for an invalid escape or bytes
 * that are not UTF-8. `+` stays `+`.
 */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Like `decodePercent` for a query, where `+` is a space (application/x-www-form-urlencoded). */
export function decodeQueryPercent(text: string): string | undefined {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

const unreserved = /^[\w.~-]*$/;

const notUnreserved = /[!'()*]/g;

/**
 * Percent-encodes every character that is not unreserved (RFC 3986, section 2.3). Half of a
 * surrogate pair becomes U+FFFD.
 */
export function encodePercent(text: string): string {
  if (unreserved.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    notUnreserved,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const brokenEscape = /%(?![0-9a-fA-F]{2})/;

/** Why `decodePercent` refuses a text, as a clause: `holds \`%zz\`, which is no percent-escape`. */
export function describeBrokenPercent(text: string): string {
  const broken = brokenEscape.exec(text);
  if (broken !== null) {
    const found = text.slice(broken.index, broken.index + 3);
    return `holds \`${found}\`, which is not a valid percent-escape (write % as %25)`;
  }
  return 'holds percent-escapes that are not UTF-8';
}

const suspectedLine = Symbol('suspectedLine');

/**
 * The parts of Node's HTTP parser that this module uses. It also accepts request lines of RTSP and
 * ICE.
 */
interface LineParser {
  /** A copy of the current chunk. */
  getCurrentBuffer(): Uint8Array;
  /** Called at the start of a message; `HTTPParser.kOnMessageBegin` is 0. */
  0?: unknown;
  /** A possible request line of another protocol in the current message. */
  [suspectedLine]?: string;
}

/** The parts of a request that Node provides; the name of its protocol is missing. */
interface ParsedRequest {
  readonly socket: object;
  readonly httpVersion: string;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** Prepares a connection so that `isNonHttpRequest` works for its requests. */
export function watchRequestLines({ parser }: { readonly parser?: unknown }): void {
  if (isLineParser(parser)) parser[0] = noteChunk;
}

/** A longer line is refused for its length. */
const maxLineLength = 16_384;

function noteChunk(this: LineParser): void {
  const chunk = binaryText(this.getCurrentBuffer());
  const suspect = chunk.includes('RTSP') || chunk.includes('ICE/') ? chunk : unfinishedLine(chunk);
  this[suspectedLine] = suspect;
}

/** The unfinished last line of a chunk, which may continue in the next one. */
function unfinishedLine(chunk: string): string {
  const line = chunk.slice(chunk.lastIndexOf('\n') + 1);
  return line.length > maxLineLength ? '' : line;
}

/**
 * Whether the request line that was just parsed names another protocol than HTTP. A line that is
 * spread over more than two chunks counts as HTTP. After a request of HTTP/1.1, which RTSP and ICE
 * have no version of, the lines of a connection are not watched: that copies each chunk.
 */
export function isNonHttpRequest(request: ParsedRequest): boolean {
  const { socket, httpVersion, method = '', url = '' } = request;
  const parser = 'parser' in socket ? socket.parser : undefined;
  if (!isLineParser(parser)) return false;
  const isWatched = parser[0] === noteChunk;
  if (!isWatched && httpVersion === '1.1') return false;
  const suspect = isWatched ? (parser[suspectedLine] ?? '') : binaryText(parser.getCurrentBuffer());
  if (httpVersion === '1.1') parser[0] = undefined;
  if (suspect === '' || !suspect.includes(method.slice(0, suspect.length))) return false;
  const rest = suspect.endsWith('\n') ? '' : binaryText(parser.getCurrentBuffer());
  return namesOther(suspect + rest, `${method} ${url}`);
}

/** A chunk can contain several requests, some with the same method and target. */
function namesOther(text: string, start: string): boolean {
  const ends = text.split(/\r?\n/).flatMap((line) => {
    return line.startsWith(`${start} `) ? [line.slice(start.length).trimStart()] : [];
  });
  return ends.length > 0 && ends.every((end) => /^(?:RTSP|ICE)\//.test(end));
}

function isLineParser(parser: unknown): parser is LineParser {
  return typeof parser === 'object' && parser !== null && 'getCurrentBuffer' in parser;
}
