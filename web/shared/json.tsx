import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countOf, indentJson } from './text.ts';

/** A range of characters: from `start` to before `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

interface JsonViewProps {
  /** JSON as it was sent. It is not parsed: every digit, duplicate name and fault stays. */
  readonly text: string;
  /** The accessible name: `The body of the response`. */
  readonly label: string;
  /** What to highlight, as ranges of `indentJson(text)`; objects around it start unfolded. */
  readonly marks?: readonly TextRange[];
}

/**
 * JSON with colors, in which objects and arrays fold. The style is `shared/json.css`.
 *
 * - The element is a `<pre class="json">`; a highlighted range is a `<mark>`, and the first one is
 *   scrolled to the middle.
 * - The caller decides whether a text is JSON: other text is broken at its brackets and commas.
 * - Of long texts, containers from the third level on start folded (over 300 lines), and a button
 *   shows more lines (over 1,000) or the rest of a string (over 600 characters).
 * - Keys: Up and Down move between the containers, Left folds, Right unfolds, Home and End go to
 *   the first and the last. Tab reaches the text and one container.
 */
export function JsonView({ text, label, marks = [] }: JsonViewProps): VNode {
  const pre = useRef<HTMLPreElement>(null);
  const lines = useMemo(() => readLines(indentJson(text)), [text]);
  const [folded, setFolded] = useState(() => firstFolds(lines, marks));
  const [max, setMax] = useState(() => firstMost(lines, marks));
  useLayoutEffect(() => {
    setFolded(firstFolds(lines, marks));
    setMax(firstMost(lines, marks));
  }, [lines]);
  useLayoutEffect(() => {
    if (pre.current !== null) scrollToFirstMark(pre.current);
  }, [lines, marks]);
  const fold = (at: number, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(at);
    else next.delete(at);
    setFolded(next);
  };
  const shown = visibleLines(lines, folded);
  const first = shown.find(({ end }) => end !== undefined)?.at;
  return (
    <pre
      ref={pre}
      class="json"
      tabIndex={0}
      role="group"
      aria-label={label}
      onKeyDown={(event) => pressed(event)}
    >
      {shown.slice(0, max).map((line) => (
        <LineView
          key={line.at}
          line={line}
          closing={folded.has(line.at) ? lines[line.end ?? -1]?.text : undefined}
          marks={marks}
          isTabStop={line.at === first}
          fold={(isFolded) => fold(line.at, isFolded)}
        />
      ))}
      {shown.length > max ? (
        <button type="button" class="json-more" onClick={() => setMax(max + 10 * linesAtOnce)}>
          {`Show ${countOf(shown.length - max, 'more line')}`}
        </button>
      ) : undefined}
    </pre>
  );
}

const linesAtOnce = 1000;
const linesUnfolded = 300;
const longestString = 600;
/** Deeper levels are not indented further: the style sheet has a class for each level. */
const deepest = 16;

/** One line of indented JSON. */
interface Line {
  readonly at: number;
  /** Without its indentation. */
  readonly text: string;
  readonly depth: number;
  /** The offset of the text in the whole. */
  readonly start: number;
  /** The line that closes the container that this one opens. */
  end?: number;
  /** The number of members of the container. */
  size: number;
  /** The name of the container: that of its member, or its position. */
  readonly name: string;
}

function readLines(pretty: string): readonly Line[] {
  const lines: Line[] = [];
  const open: Line[] = [];
  let offset = 0;
  for (const [at, written] of pretty.split('\n').entries()) {
    const text = written.trimStart();
    if (/^[}\]]/.test(text)) {
      const opened = open.pop();
      if (opened !== undefined) opened.end = at;
    }
    const parent = open.at(-1);
    if (parent !== undefined && !/^[}\]]/.test(text)) parent.size += 1;
    const depth = Math.min(deepest, Math.floor((written.length - text.length) / 2));
    const start = offset + written.length - text.length;
    const line: Line = { at, text, depth, start, size: 0, name: nameOf(text, parent) };
    if (/[{[]$/.test(text)) open.push(line);
    lines.push(line);
    offset += written.length + 1;
  }
  return lines;
}

function nameOf(text: string, parent: Line | undefined): string {
  const member = /^"((?:[^"\\]|\\.){0,80})": /.exec(text)?.[1];
  return member ?? (parent === undefined ? 'all of it' : `item ${String(parent.size)}`);
}

function firstFolds(lines: readonly Line[], marks: readonly TextRange[]): ReadonlySet<number> {
  if (lines.length <= linesUnfolded) return new Set();
  const isMarked = ({ start, end = 0 }: Line): boolean =>
    marks.some((mark) => mark.end > start && mark.start < (lines[end]?.start ?? Infinity));
  const folds = lines.filter((line) => line.end !== undefined && line.depth > 1 && !isMarked(line));
  return new Set(folds.map(({ at }) => at));
}

/** The number of lines at first: enough to reach the first highlight. */
function firstMost(lines: readonly Line[], [first]: readonly TextRange[]): number {
  if (first === undefined) return linesAtOnce;
  const shown = visibleLines(lines, firstFolds(lines, [first]));
  return Math.max(linesAtOnce, 100 + shown.findLastIndex(({ start }) => start <= first.start));
}

/** The lines outside of folded containers. */
function visibleLines(lines: readonly Line[], folded: ReadonlySet<number>): readonly Line[] {
  const shown: Line[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined) break;
    shown.push(line);
    if (line.end !== undefined && folded.has(at)) at = line.end;
  }
  return shown;
}

interface LineViewProps {
  readonly line: Line;
  /** The end of a folded container. */
  readonly closing: string | undefined;
  readonly marks: readonly TextRange[];
  readonly isTabStop: boolean;
  readonly fold: (isFolded: boolean) => void;
}

function LineView({ line, closing, marks, isTabStop, fold }: LineViewProps): VNode {
  const isFolded = closing !== undefined;
  const { text, depth, start, end, name, size } = line;
  return (
    <span class="json-line" ref={(span) => span?.style.setProperty('--depth', String(depth))}>
      {end === undefined ? undefined : (
        <button
          type="button"
          class="fold"
          tabIndex={isTabStop ? 0 : -1}
          aria-expanded={!isFolded}
          aria-label={name}
          onClick={() => fold(!isFolded)}
        />
      )}
      {'  '.repeat(depth)}
      <Tokens text={text} start={start} marks={marks} />
      {isFolded ? (
        <>
          <span class="json-rest">{` ${countOf(size, 'item')} `}</span>
          <Tokens text={closing} start={Infinity} marks={[]} />
        </>
      ) : undefined}
    </span>
  );
}

const token =
  /("(?:[^"\\]|\\.)*")(?=:)|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null)\b|[^"\d\w-]+|./gs;
const kinds = ['key', 'string', 'number', 'literal'] as const;

interface TokensProps {
  readonly text: string;
  readonly start: number;
  readonly marks: readonly TextRange[];
}

function Tokens({ text, start, marks }: TokensProps): VNode {
  return (
    <>
      {[...text.matchAll(token)].map(({ 0: part, index, ...groups }) => {
        const kind = kinds.find((_kind, at) => groups[at + 1] !== undefined);
        const marked = <Marked text={part} start={start + index} marks={marks} />;
        return kind === undefined ? marked : <span class={`json-${kind}`}>{marked}</span>;
      })}
    </>
  );
}

/** A part of the text with its highlights. A long string is cut unless something in it is marked. */
function Marked({ text, start, marks }: TokensProps): VNode {
  const [isWhole, setWhole] = useState(false);
  const here = marks.filter((mark) => mark.end > start && mark.start < start + text.length);
  if (here.length === 0) {
    if (isWhole || text.length <= longestString) return <>{text}</>;
    return (
      <>
        {text.slice(0, longestString)}
        <button type="button" class="json-more" onClick={() => setWhole(true)}>
          {`Show ${countOf(text.length - longestString, 'more character')}`}
        </button>
      </>
    );
  }
  const parts: (VNode | string)[] = [];
  let at = 0;
  for (const mark of here) {
    const from = Math.max(at, mark.start - start);
    const to = Math.min(text.length, mark.end - start);
    if (to <= from) continue;
    parts.push(text.slice(at, from), <mark>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}

/** Scrolls within the text; the page does not scroll. */
function scrollToFirstMark(pre: HTMLElement): void {
  const mark = pre.querySelector('mark');
  if (mark === null) return;
  const distance = mark.getBoundingClientRect().top - pre.getBoundingClientRect().top;
  pre.scrollTop += distance - pre.clientHeight / 2;
}

function pressed(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const { key, currentTarget } = event;
  const folds = [...currentTarget.querySelectorAll<HTMLElement>('.fold')];
  const at = folds.findIndex((fold) => fold === document.activeElement);
  const current = folds[at];
  const next = {
    ArrowUp: folds[at - 1],
    ArrowDown: folds[at + 1],
    Home: folds[0],
    End: folds.at(-1),
  }[key];
  const expected = { ArrowLeft: 'true', ArrowRight: 'false' }[key];
  if (current === undefined || (next === undefined && expected === undefined)) return;
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
  if (expected !== undefined && current.ariaExpanded === expected) current.click();
}
