import type { TextProblem } from './json-problem.ts';
/** A text in which some faults are repaired. Every line is still the same line. */
export interface RepairedText {
  readonly text: string;
  /** What YAML does not allow, and how it is read all the same. */
  readonly repairs: readonly TextProblem[];
}

/**
 * Repairs common mistakes in YAML that many parsers accept: brackets, quotes and plain text that
 * continue with too little indentation, tabs as indentation, text that needs quotes (`a: b: c`,
 * `@name`, `[old] text`), and unknown escapes (`"\d"`). For texts that a strict parser refuses;
 * valid parts stay unchanged.
 */
export function repairYamlText(text: string): RepairedText {
  return new Repairer(text.split('\n')).repair();
}

/** The value of a key or of a list item: its line, its column, and the indentation of its owner. */
interface Entry {
  readonly line: number;
  /** The column of the key, or of the dash: what belongs to the value is indented by more. */
  readonly indent: number;
  readonly at: number;
  readonly isItem: boolean;
}

const dashes = /^((?:- +)*)/;
const key =
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[^\s"'#[\]{}|>&*!%@`,?-]|-(?=\S)).*?)\s*:(?=\s|$)/;
const properties = /^(?:[&!][^\s]*\s+)*/;
const aside = /^\s*(?:#|$|---(?:\s|$)|\.\.\.(?:\s|$)|%)/;
const comment = /^(?:\s+#.*|\s*)$/;

class Repairer {
  readonly #lines: string[];
  readonly #repairs: TextProblem[] = [];
  /** The entry whose text may go on in the next line. */
  #open: Entry | undefined;

  constructor(lines: string[]) {
    this.#lines = lines;
  }

  repair(): RepairedText {
    this.#cleanIndentation();
    for (let at = 0; at < this.#lines.length;) at = this.#takeLine(at);
    return { text: this.#lines.join('\n'), repairs: this.#repairs };
  }

  /** Tabs and no-break spaces at the beginning of a line are read as spaces. */
  #cleanIndentation(): void {
    const unit = usualIndent(this.#lines);
    for (const [index, line] of this.#lines.entries()) {
      const indent = /^[ \t\u00a0]*/.exec(line)?.[0] ?? '';
      if (!/[\t\u00a0]/.test(indent) || indent.length === line.trimEnd().length) continue;
      this.#lines[index] = widen(indent, unit) + line.slice(indent.length);
      this.#note(index, 0, 'A tab or a no-break space indents this line; it is read as spaces.');
    }
  }

  /** Reads a line with all lines of its value; returns the number of the next line. */
  #takeLine(at: number): number {
    const line = this.#line(at);
    if (aside.test(line)) return at + 1;
    const entry = readEntry(line, at);
    if (entry === undefined) return this.#takeText(at);
    this.#open = undefined;
    const rest = line.slice(entry.at);
    if (rest === '' || rest.startsWith('#')) return at + 1;
    if (/^[|>][-+\d]*\s*(?:#.*)?$/.test(rest)) return this.#takeBlock(entry);
    if (/^["'[{]/.test(rest)) return this.#takeEnclosed(entry);
    return this.#takePlain(entry);
  }

  /** A line that is neither a key nor an item goes on with the text above. */
  #takeText(at: number): number {
    const open = this.#open;
    if (open === undefined || indentOf(this.#line(at)) > open.indent) return at + 1;
    this.#indent(at, open.indent + 1, 'This text');
    return at + 1;
  }

  /** A block scalar: the lines below it that are further in than its key. */
  #takeBlock({ line, indent }: Entry): number {
    let at = line + 1;
    while (at < this.#lines.length && this.#line(at).trim() === '') at += 1;
    const within = indentOf(this.#line(at));
    if (within <= indent) return at;
    for (; at < this.#lines.length; at += 1) {
      const text = this.#line(at);
      const own = indentOf(text);
      if (text.trim() === '' || own >= within) continue;
      if (own <= indent && (aside.test(text) || readEntry(text, at) !== undefined)) return at;
      this.#indent(at, within, 'This text');
    }
    return at;
  }

  /** A value in quotes or brackets, which may take up several lines. */
  #takeEnclosed(entry: Entry): number {
    const end = closingOf(this.#lines, { line: entry.line, at: entry.at });
    if (end === undefined) return entry.line + 1;
    if (!comment.test(this.#line(end.line).slice(end.at)))
      return end.line === entry.line ? this.#takePlain(entry, true) : entry.line + 1;
    this.#escape(entry, end);
    for (let at = entry.line + 1; at <= end.line; at += 1) {
      const line = this.#line(at);
      if (line.trim() !== '' && indentOf(line) <= entry.indent)
        this.#indent(at, entry.indent + 1, 'What is in quotes or brackets');
    }
    return end.line + 1;
  }

  /** Doubles each backslash that begins no escape of double quotes. */
  #escape({ line: first, at: start }: Entry, end: TextPosition): void {
    if (this.#line(first)[start] !== '"') return;
    for (let at = first; at <= end.line; at += 1) {
      const line = this.#line(at);
      const from = at === first ? start : 0;
      const to = at === end.line ? end.at : line.length;
      const fixed = line
        .slice(from, to)
        .replaceAll(/\\(?:([0abt\tnvfre "/\\N_LPxuU])|$)|\\/g, doubled);
      if (fixed.length === to - from) continue;
      this.#lines[at] = line.slice(0, from) + fixed + line.slice(to);
      this.#note(at, from, 'A backslash here begins no escape of YAML; it is read as a backslash.');
    }
  }

  /** Plain text with the lines below that are further in. */
  #takePlain(entry: Entry, needsQuotes = false): number {
    let last = entry.line;
    for (let at = last + 1; at < this.#lines.length; at += 1) {
      const line = this.#line(at);
      if (line.trim() === '') continue;
      if (indentOf(line) <= entry.indent) break;
      last = at;
    }
    const [first = '', ...more] = this.#lines.slice(entry.line, last + 1);
    const text = first.slice(entry.at);
    if (needsQuotes || isNoPlainText(text) || isProse(text, more)) this.#quote(entry, last);
    else if (!text.startsWith('*')) this.#open = entry;
    return last + 1;
  }

  #quote({ line: first, at: start }: Entry, last: number): void {
    for (let at = first; at <= last; at += 1) {
      const line = this.#line(at);
      const from = at === first ? start : 0;
      const text = line.slice(from).trimEnd().replaceAll("'", "''");
      this.#lines[at] =
        `${line.slice(0, from)}${at === first ? "'" : ''}${text}${at === last ? "'" : ''}`;
    }
    this.#note(first, start, 'This text needs quotes in YAML; it is read as text.');
  }

  #indent(at: number, width: number, what: string): void {
    const line = this.#line(at);
    this.#lines[at] = ' '.repeat(width) + line.trimStart();
    this.#note(
      at,
      indentOf(line),
      `${what} is indented by too little to belong to its key; it is read as if it were.`,
    );
  }

  #line(at: number): string {
    return this.#lines[at] ?? '';
  }

  #note(line: number, column: number, message: string): void {
    this.#repairs.push({ message, line: line + 1, column: column + 1 });
  }
}

/** A lone backslash that begins no escape is written twice; one at the end joins two lines. */
function doubled(found: string, escape: string | undefined, at: number, text: string): string {
  return found === '\\' && escape === undefined && at < text.length - 1 ? '\\\\' : found;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The most common step of indentation, in spaces; 2 by default. */
function usualIndent(lines: readonly string[]): number {
  const steps = new Map<number, number>();
  let above = 0;
  for (const line of lines) {
    if (aside.test(line) || line.startsWith('\t')) continue;
    const step = indentOf(line) - above;
    above = indentOf(line);
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return [...steps].sort(([, left], [, right]) => right - left)[0]?.[0] ?? 2;
}

function widen(indent: string, unit: number): string {
  let width = 0;
  for (const character of indent) width += character === '\t' ? unit - (width % unit) : 1;
  return ' '.repeat(width);
}

function readEntry(line: string, at: number): Entry | undefined {
  const begin = indentOf(line);
  const items = dashes.exec(line.slice(begin))?.[0].length ?? 0;
  const text = line.slice(begin + items);
  const found = key.exec(text)?.[0];
  if (found === undefined || (!/^["']/.test(found) && /\s#/.test(found))) {
    if (items === 0) return undefined;
    const indent = begin + line.slice(begin, begin + items).lastIndexOf('-');
    return { line: at, indent, at: begin + items + lengthOf(properties, text), isItem: true };
  }
  const rest = text.slice(found.length);
  const blank = lengthOf(/^\s*/, rest);
  const skipped = blank + lengthOf(properties, rest.slice(blank));
  const indent = begin + items;
  return { line: at, indent, at: indent + found.length + skipped, isItem: false };
}

function lengthOf(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.[0].length ?? 0;
}

/**
 * Whether lines below a text have `word: ` in them and belong to it all the same: a sentence goes
 * on. Below a single word, they are more likely keys with a wrong indentation.
 */
function isProse(text: string, more: readonly string[]): boolean {
  return more.some((line) => /:(?:\s|$)/.test(line)) && text.trim().split(/\s+/).length > 3;
}

/** Whether text that stands behind a key or a dash cannot be plain in YAML. */
function isNoPlainText(text: string): boolean {
  if (/^[@`%]/.test(text) || /^[-?] /.test(text)) return true;
  if (text.startsWith('*'))
    return !/^\*[^\s,[\]{}]+\s*(?:#.*)?$/.test(text) || /^\*[.*]/.test(text);
  return /:(?:\s|$)/.test(text.replace(/\s#.*$/, ''));
}

/** A place in a text by its lines; both count from 0. */
interface TextPosition {
  readonly line: number;
  readonly at: number;
}

/** A value in quotes or brackets that goes on for more lines than the last is not closed. */
const windows = [1, 10, 100, 5_000];

/**
 * The position after a value that begins with a quote or a bracket; undefined if it is not closed.
 */
function closingOf(lines: readonly string[], start: TextPosition): TextPosition | undefined {
  for (const count of windows) {
    const text = lines.slice(start.line, start.line + count).join('\n');
    const end = endOf(text, start.at);
    if (end === undefined) continue;
    const passed = text.slice(0, end).split('\n');
    return { line: start.line + passed.length - 1, at: passed.at(-1)?.length ?? 0 };
  }
  return undefined;
}

/** The offset after the value that begins at an offset. */
function endOf(text: string, start: number): number | undefined {
  if (/["']/.test(text[start] ?? '')) return quoteEnd(text, start);
  let depth = 0;
  // A quote opens a text only at the beginning of a key or a value.
  let mayBegin = true;
  for (let at = start; at < text.length; at += 1) {
    const skipped = mayBegin ? passedOver(text, at) : passedComment(text, at);
    if (skipped === undefined) return undefined;
    // What was passed over is text to the brackets around it.
    const character = skipped === at ? (text[at] ?? '') : '_';
    at = skipped;
    if (/[[{]/.test(character)) depth += 1;
    if (/[\]}]/.test(character)) depth -= 1;
    if (depth === 0) return at + 1;
    if (/\S/.test(character)) mayBegin = /[[{,:]/.test(character);
  }
  return undefined;
}

/** The last offset of a quoted text or a comment that begins at one; that one itself elsewhere. */
function passedOver(text: string, at: number): number | undefined {
  if (!/["']/.test(text[at] ?? '')) return passedComment(text, at);
  const end = quoteEnd(text, at);
  return end === undefined ? undefined : end - 1;
}

function passedComment(text: string, at: number): number | undefined {
  if (text[at] !== '#' || !/\s/.test(text[at - 1] ?? '')) return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? undefined : end - 1;
}

function quoteEnd(text: string, start: number): number | undefined {
  const pattern = text[start] === '"' ? /"(?:[^"\\]|\\[^])*"/y : /'(?:[^']|'')*'(?!')/y;
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
