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
  const local = target.replace(absoluteForm, '');
  const { path: beforeMark, rawQuery } = splitTarget(local);
  const path = beforeMark === '' && local !== target ? '/' : beforeMark;
  if (!path.startsWith('/')) {
    const shown = path.length > 60 ? `${path.slice(0, 60)}…` : path;
    return refuse('path', `the path must begin with \`/\`, but is \`${shown}\``);
  }
  const segments = path.slice(1).split('/').map(decodePercent);
  const query = splitQuery(rawQuery).map(
    ([name, value]) => [decodeQueryPercent(name), decodeQueryPercent(value)] as const,
  );
  if (isStray(path) || !isWhole(segments)) return refuse('path', `the path ${describeStray(path)}`);
  if (isStray(rawQuery) || !query.every(isWholePair))
    return refuse('query', `the query ${describeStray(rawQuery)}`);
  return { ok: true, path, segments, query, rawQuery };
}

/** The names and values of a query on the wire, still encoded; empty pieces are left out. */
export function splitQuery(rawQuery: string): [name: string, value: string][] {
  return rawQuery
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const equals = piece.indexOf('=');
      return equals === -1 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
    });
}

/**
 * Characters that are invalid in a request target: white space, control characters, a fragment,
 * anything outside ASCII.
 */
const stray = /[^!-~]|#/u;

function isStray(text: string): boolean {
  return stray.test(text);
}

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
  return decodePercent(text.replaceAll('+', ' '));
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
