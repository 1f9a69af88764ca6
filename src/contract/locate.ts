import type * as Yaml from 'js-yaml';
import { type ErrorCode, type Place, VouchError } from '../errors.ts';
import { unescapeName } from '../json/find-json-fault.ts';
import { placesOfYaml } from '../json/locate-yaml.ts';
import { joinPointer, type Pointer, splitPointer } from '../json/pointer.ts';
import { loadPackage } from '../platform.ts';
import { remember } from '../remember.ts';

/** Finds pointers in the text of a document, and shows the lines around them. */
export interface Locator {
  locate(pointer: Pointer): Place;
  frame(pointer: Pointer): string;
}

/** Makes an error at a place of a document. */
export type FaultAt = (pointer: Pointer, message: string, hint?: string) => VouchError;

/** Makes errors of one code, with their place in a document and the lines around it. */
export function faultsIn(locator: Locator, code: ErrorCode): FaultAt {
  return (pointer, message, hint) => {
    const place = locator.locate(pointer);
    return new VouchError(code, message, { place, frame: locator.frame(pointer), hint });
  };
}

/** The text of a document, or undefined if it can no longer be read. */
export type ReadText = () => string | undefined;

/**
 * A locator over YAML or JSON text. The text is parsed on the first call; if it can no longer be
 * read, every place is the beginning of the file. `readAs` is the text after syntax repairs, with
 * the same lines.
 */
export function makeLocator(file: string, source: string | ReadText, readAs?: string): Locator {
  let opened: OpenText | undefined;
  const open = (): OpenText =>
    (opened ??= openText(typeof source === 'string' ? source : (source() ?? ''), readAs));
  const locate = (pointer: Pointer): Place => ({ file, ...open().positionOf(pointer) });
  return {
    locate,
    frame: (pointer) => open().memberFrame(pointer) ?? frameOf(open(), locate(pointer)),
  };
}

/** A text in which places can be found. */
interface OpenText extends Lines {
  positionOf(pointer: Pointer): Pick<Place, 'line' | 'column'>;
  /** The frame of a pointer whose line is too long to show: one line per neighbor. */
  memberFrame(pointer: Pointer): string | undefined;
}

/** The lines of a text by number, from 1. */
interface Lines {
  readonly count: number;
  line(number: number): string;
}

function openText(text: string, readAs = text): OpenText {
  const starts = lineStarts(readAs);
  const finder = isJson(readAs) ? makeJsonFinder(readAs) : { find: makeYamlFinder(readAs) };
  const lines = linesOf(text, readAs === text ? starts : lineStarts(text));
  const positionOf = (pointer: Pointer): Pick<Place, 'line' | 'column'> =>
    positionIn(starts, finder.find(pointer));
  return {
    ...lines,
    positionOf,
    memberFrame: (pointer) =>
      'neighborsOf' in finder && lines.line(positionOf(pointer).line).length > longestLine
        ? memberFrame(finder.neighborsOf(pointer))
        : undefined,
  };
}

function linesOf(text: string, starts: readonly number[]): Lines {
  return {
    count: starts.length,
    line: (number) => text.slice(starts[number - 1], starts[number]).replace(/\r?\n$/, ''),
  };
}

/** A text that begins like JSON but is YAML is read as YAML. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function positionIn(starts: readonly number[], offset: number): Pick<Place, 'line' | 'column'> {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

function makeYamlFinder(text: string): FindOffset {
  // The cast uses the package's own types.
  const root = placesOfYaml(loadPackage('js-yaml') as typeof Yaml, text);
  return (pointer) => {
    let place = root;
    for (const token of splitPointer(pointer)) {
      const inner = place.inside.get(token);
      if (inner === undefined) break;
      place = inner;
    }
    return place.at;
  };
}

/**
 * Two lines before a place, the line itself with a `>` and a caret below, and two after; tabs are
 * kept, long lines cut.
 */
export function codeFrame(text: string, place: Pick<Place, 'line' | 'column'>): string {
  return frameOf(linesOf(text, lineStarts(text)), place);
}

function frameOf(lines: Lines, place: Pick<Place, 'line' | 'column'>): string {
  const first = Math.max(1, place.line - 2);
  const last = Math.min(lines.count, place.line + 2);
  const width = String(last).length;
  const shown: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const isMarked = number === place.line;
    const { line, column } = cutLine(lines.line(number), isMarked ? place.column : 1);
    shown.push(`${isMarked ? '>' : ' '} ${String(number).padStart(width)} | ${line}`.trimEnd());
    if (isMarked)
      shown.push(
        `  ${' '.repeat(width)} | ${line.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')}^`,
      );
  }
  return shown.join('\n');
}

/** Lines are shown up to this length. */
const longestLine = 160;

/** The part of a line around a column, and the column in it. */
function cutLine(line: string, column: number): { readonly line: string; readonly column: number } {
  if (column <= longestLine - 40) return { line: line.slice(0, longestLine), column };
  const start = column - 1 - 60;
  const cut = `…${line.slice(start, start + longestLine - 1)}`;
  return { line: cut, column: column - start + 1 };
}

/** A member of a container in a text of one line, and its neighbors. */
interface Neighbors {
  readonly pointer: Pointer;
  /** The source of the members from two before it to two after it. */
  readonly sources: readonly string[];
  /** Which of them it is. */
  readonly marked: number;
}

/** A frame without line numbers: the pointer, then one line per neighbor. */
function memberFrame({ pointer, sources, marked }: Neighbors): string {
  const lines = sources.flatMap((source, index) => [
    `${index === marked ? '>' : ' '} |   ${source.slice(0, longestLine - 2)}`,
    ...(index === marked ? ['  |   ^'] : []),
  ]);
  return [`  | ${pointer === '' ? 'the whole document' : pointer}`, ...lines].join('\n');
}

/**
 * Where a member's key and its value begin in a text; for an item, which has no key, both are the
 * start of its value.
 */
interface Member {
  readonly at: number;
  readonly value: number;
}

/** The offset of a pointer in a JSON text: of the deepest existing member on its path. */
type FindOffset = (pointer: Pointer) => number;

/** Finds pointers in JSON text, and their neighbors. */
interface JsonFinder {
  readonly find: FindOffset;
  readonly neighborsOf: (pointer: Pointer) => Neighbors;
}

/**
 * A finder over JSON text. Caches the members of each container that it scans, so that many
 * pointers cost only a few scans of the text: thousands of places in a document of many megabytes
 * take one second.
 */
function makeJsonFinder(text: string): JsonFinder {
  const containers = new Map<number, ReadonlyMap<string, Member>>();
  const membersAt = (offset: number): ReadonlyMap<string, Member> => {
    return remember(containers, offset, () => readMembers(text, offset));
  };
  /** The deepest existing member of a pointer, its container, and its path. */
  const reach = (pointer: Pointer): { found: number; container: number; way: string[] } => {
    let offset = skipBlank(text, 0);
    let found = offset;
    let container = offset;
    const way: string[] = [];
    for (const token of splitPointer(pointer)) {
      const member = membersAt(offset).get(token);
      if (member === undefined) break;
      [container, found, offset] = [offset, member.at, member.value];
      way.push(token);
    }
    return { found, container, way };
  };
  return {
    find: (pointer) => reach(pointer).found,
    neighborsOf: (pointer) => {
      const { container, way } = reach(pointer);
      const members = [...membersAt(container)];
      const own = Math.max(
        members.findIndex(([name]) => name === way.at(-1)),
        0,
      );
      const first = Math.max(own - 2, 0);
      return {
        pointer: joinPointer('', ...way),
        sources: members
          .slice(first, own + 3)
          .map(([, { at, value }]) => sourceOf(text, at, value)),
        marked: own - first,
      };
    },
  };
}

/** The source of a member; blanks are added if the text has none, and long sources are cut. */
function sourceOf(text: string, at: number, value: number): string {
  const end = skipValue(text, value);
  const name = at === value ? '' : `${text.slice(at, skipString(text, at))}: `;
  const source = text.slice(value, Math.min(end, value + longestLine)).replaceAll(/\s+/g, ' ');
  return `${name}${source}${end - value > longestLine ? '…' : ''}`;
}

const quote = 0x22;
const backslash = 0x5c;

function readMembers(text: string, start: number): Map<string, Member> {
  const members = new Map<string, Member>();
  const opener = text.charCodeAt(start);
  if (opener !== 0x7b && opener !== 0x5b) return members;
  let at = skipBlank(text, start + 1);
  for (let index = 0; at < text.length && text.charCodeAt(at) !== opener + 2; index += 1) {
    const keyAt = at;
    let name = String(index);
    if (opener === 0x7b) {
      at = skipString(text, at);
      name = unescapeName(text.slice(keyAt, at));
      // After the colon.
      at = skipBlank(text, skipBlank(text, at) + 1);
    }
    members.set(name, { at: keyAt, value: at });
    at = skipBlank(text, skipValue(text, at));
    if (text.charCodeAt(at) === 0x2c) at = skipBlank(text, at + 1);
  }
  return members;
}

function skipBlank(text: string, start: number): number {
  let at = start;
  for (
    let code = text.charCodeAt(at);
    code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
    code = text.charCodeAt(at)
  )
    at += 1;
  return at;
}

/** The offset after a value: a container ends when every opened bracket is closed. */
function skipValue(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) open += 1;
    else if (code === 0x7d || code === 0x5d) open -= 1;
    else if (open === 0 && code === 0x2c) return at;
    if (open < 0) return at;
    if (open === 0 && (code === quote || code === 0x7d || code === 0x5d)) return at + 1;
  }
  return text.length;
}

function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at += 1;
  }
  return text.length;
}
