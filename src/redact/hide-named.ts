import { decodePercent } from '../http/target.ts';
import type { NamedSecret, SecretNames } from './secret-names.ts';

/** What replaces a secret. */
export const redacted = '[redacted]';

/** Whether a text has the place of a secret in it. */
export function isHidden(text: string): boolean {
  return text.includes(redacted) || text.includes('$VOUCH_TOKEN');
}

/** Finds values by their names. */
export interface NamedSearch {
  readonly names: SecretNames;
  /** Whether a value may be shown: a placeholder, or a credential that was made up. */
  readonly isHarmless: (value: string) => boolean;
  /** Called with each secret that is found, as it is written. */
  readonly found?: ((value: string) => void) | undefined;
}

/** A part of a text that is replaced. */
interface Cut {
  readonly from: number;
  readonly to: number;
  /** Default: `[redacted]`. */
  readonly shown?: string;
}

/**
 * Hides the values of secrets that have a name: members of JSON at any depth, also of JSON within a
 * text of JSON; pairs of queries, fragments and forms; attributes and elements of XML; parts of
 * multipart forms. All else stays as it is, byte for byte, and what was JSON stays JSON: a text
 * becomes `[redacted]`, a number 0. A text that was cut short is hidden to its end.
 */
export function hideNamed(text: string, search: NamedSearch): string {
  let shown = text;
  if (shown.includes('"')) shown = cutAll(shown, memberName, search, cutMember);
  if (shown.includes('=')) shown = cutAll(shown, pairName, search, cutPair);
  if (shown.includes('</')) shown = cutAll(shown, elementTag, search, cutElement);
  if (shown.includes('form-data')) shown = cutAll(shown, partHeader, search, cutPart);
  return shown;
}

const memberName = /(\\{0,15})"((?:[^"\\]|\\{1,8}u[0-9a-fA-F]{4}){1,200})\1"\s*:\s*/g;
/** Read backwards from its sign: forwards, each character of a long word would begin a search. */
const pairName = /(?<=([^\s=&?#;,"'<>(){}|\\]{1,200}))=/g;
const elementTag = /<([\w.:-]{1,100})(?:\s[^<>]*)?>/g;
/** The rest of the header is bounded: each beginning of one would be searched to the end. */
const partHeader =
  /[; ]name="?([^"\r\n;]{1,200})"?[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,200}\r?\n){0,5}\r?\n/g;

/** What to cut after the name that was found; `text` is the whole text. */
type FindCuts = (text: string, match: RegExpExecArray, search: NamedSearch) => readonly Cut[];

/** Replaces what `cut` names after each match. */
function cutAll(text: string, pattern: RegExp, search: NamedSearch, find: FindCuts): string {
  const pieces: string[] = [];
  let at = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    for (const { from, to, shown = redacted } of find(text, match, search)) {
      pieces.push(text.slice(at, from), shown);
      at = to;
      pattern.lastIndex = Math.max(pattern.lastIndex, to);
    }
  }
  return at === 0 ? text : pieces.join('') + text.slice(at);
}

const number = /-?\d[\d.eE+-]*/y;

function cutMember(text: string, match: RegExpExecArray, search: NamedSearch): Cut[] {
  const [, escapes = '', written = ''] = match;
  const kind = search.names.member(unescapeName(written));
  if (kind === undefined) return [];
  const start = match.index + match[0].length;
  const quote = `${escapes}"`;
  if (text.startsWith(quote, start))
    return cutText(text, start, { escapes: escapes.length, search });
  if (text[start] === '[') return cutTexts(text, start, { escapes: escapes.length, search });
  number.lastIndex = start;
  const digits = kind === 'one' ? number.exec(text)?.[0] : undefined;
  return digits === undefined ? [] : [{ from: start, to: start + digits.length, shown: '0' }];
}

function unescapeName(written: string): string {
  return written.replaceAll(/\\+u([0-9a-fA-F]{4})/g, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

interface Quoting {
  /** The backslashes before each quote: 0 in JSON, 1 in JSON within a text of JSON. */
  readonly escapes: number;
  readonly search: NamedSearch;
}

/** The content of a text; `start` is where its quote begins. */
function cutText(text: string, start: number, { escapes, search }: Quoting): Cut[] {
  const from = start + escapes + 1;
  const end = endOfText(text, from, escapes);
  return cutValue(text, { from, to: end === -1 ? text.length : end }, search);
}

/**
 * The index after the content; -1 without an end. Quotes within it are deeper; a quote less deep
 * ends a text around it, in which this one was cut short.
 */
function endOfText(text: string, from: number, escapes: number): number {
  const wanted = depthOf(escapes);
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > from && text[at - run - 1] === '\\') run += 1;
    const depth = depthOf(run);
    if (depth <= wanted) return at - (2 ** depth - 1);
  }
  return -1;
}

/**
 * In how many texts of JSON a quote after so many backslashes stands: 0 for an even number, 1 for
 * 1, 5, 9, 2 for 3, 11. Each text around it doubles them and adds one.
 */
function depthOf(backslashes: number): number {
  let depth = 0;
  for (let rest = backslashes + 1; rest % 2 === 0; rest /= 2) depth += 1;
  return depth;
}

/** The texts of a list. */
function cutTexts(text: string, start: number, quoting: Quoting): Cut[] {
  const cuts: Cut[] = [];
  const opening = new RegExp(`[\\[,]\\s*(?=\\\\{${String(quoting.escapes)}}")`, 'y');
  let at = start;
  for (;;) {
    opening.lastIndex = at;
    const before = opening.exec(text);
    if (before === null) return cuts;
    const from = at + before[0].length + quoting.escapes + 1;
    const end = endOfText(text, from, quoting.escapes);
    const to = end === -1 ? text.length : end;
    cuts.push(...cutValue(text, { from, to }, quoting.search));
    at = to + quoting.escapes + 1;
    while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
  }
}

/** What begins like the rest of JSON does not: there, the quote ends the text before it. */
const quoted = /(\\{0,15}["'])(?![\s,:}\]])([^"'\\\r\n]*)(?=\1)/y;
/** Within a text of JSON, a value ends at an escape, but for that of a slash. */
const unquoted = /(?:[^&#\s"'<>;\\]|;(?![ \t\r\n]|$)|\\\/|\\(?!["\\/bfnrtu]))*/y;

function cutPair(text: string, match: RegExpExecArray, search: NamedSearch): Cut[] {
  const [, written = ''] = match;
  if (!isNamed(search.names.parameter(decodeName(written)))) return [];
  const start = match.index + match[0].length;
  quoted.lastIndex = start;
  const [, quote, inQuotes] = quoted.exec(text) ?? [];
  if (quote !== undefined && inQuotes !== undefined) {
    const from = start + quote.length;
    return cutValue(text, { from, to: from + inQuotes.length }, search);
  }
  unquoted.lastIndex = start;
  const value = unquoted.exec(text)?.[0] ?? '';
  return cutValue(text, { from: start, to: start + value.length }, search);
}

function cutElement(text: string, match: RegExpExecArray, search: NamedSearch): Cut[] {
  const [, written = ''] = match;
  const name = written.slice(written.indexOf(':') + 1);
  if (!isNamed(search.names.member(name))) return [];
  const start = match.index + match[0].length;
  const isCoded = text.startsWith('<![CDATA[', start);
  const from = isCoded ? start + '<![CDATA['.length : start;
  const end = text.indexOf(isCoded ? ']]>' : '<', from);
  // Else the tag is a word of a text, and what follows it something else.
  const isElement =
    isCoded || end === -1 || closingTag(written).some((tag) => text.startsWith(tag, end));
  const to = end === -1 ? text.length : end;
  const value = text.slice(from, to);
  if (!isElement || value.trim() === '' || (end === -1 && value.includes('"'))) return [];
  return cutValue(text, { from, to }, search);
}

/** As in XML, and as in a text of JSON that escapes slashes. */
function closingTag(name: string): string[] {
  return [`</${name}`, `<\\/${name}`];
}

function cutPart(text: string, match: RegExpExecArray, search: NamedSearch): Cut[] {
  const [, name = ''] = match;
  if (!isNamed(search.names.member(decodeName(name)))) return [];
  const from = match.index + match[0].length;
  const end = text.indexOf('\n--', from);
  const to = end === -1 ? text.length : text[end - 1] === '\r' ? end - 1 : end;
  return cutValue(text, { from, to: Math.max(from, to) }, search);
}

function isNamed(kind: NamedSecret): boolean {
  return kind !== undefined;
}

function cutValue(text: string, { from, to }: Cut, { found, isHarmless }: NamedSearch): Cut[] {
  const value = text.slice(from, to);
  if (value === '' || isHarmless(value)) return [];
  found?.(value);
  return [{ from, to }];
}

/** A name in a query or a form, decoded; as it stands if that fails. */
function decodeName(written: string): string {
  return decodePercent(written.replaceAll('+', ' ')) ?? written;
}

/** Hides the secrets of a form or a query as a whole: a value ends only at the next `&`. */
export function hideForm(form: string, { names, isHarmless, found }: NamedSearch): string {
  const pieces = form.split('&').map((piece): string => {
    const equals = piece.indexOf('=');
    if (equals === -1) return piece;
    const [name, value] = [piece.slice(0, equals), piece.slice(equals + 1)];
    if (value === '' || isHarmless(value)) return piece;
    if (!isNamed(names.parameter(decodeName(name)))) return piece;
    found?.(decodeName(value));
    return `${name}=${redacted}`;
  });
  return pieces.join('&');
}
