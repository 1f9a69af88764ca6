import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Place } from '../errors.ts';
import { splitPointer, type Pointer } from '../json/pointer.ts';

/** Finds pointers in the text of a document, and shows the lines around them. */
export interface Locator {
  locate(pointer: Pointer): Place;
  frame(pointer: Pointer): string;
}

/** A locator over YAML or JSON text. The text is parsed for places once, when the first one is asked for. */
export function makeLocator(file: string, text: string): Locator {
  let tree: { node: Yaml.Document.Parsed; lines: Yaml.LineCounter } | undefined;
  const locate = (pointer: Pointer): Place => {
    tree ??= parseForPlaces(text);
    const { line, col } = tree.lines.linePos(offsetOf(tree.node.contents, splitPointer(pointer)));
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  let lines: readonly string[] | undefined;
  const frame = (pointer: Pointer): string => {
    lines ??= text.split(/\r?\n/);
    return frameOf(lines, locate(pointer));
  };
  return { locate, frame };
}

/** `yaml` takes 262 ms for half a megabyte, so it is loaded and run only when a place is really asked for. */
function parseForPlaces(text: string): { node: Yaml.Document.Parsed; lines: Yaml.LineCounter } {
  // The cast names the types that the package itself declares; `require` cannot carry them.
  const yaml = createRequire(import.meta.url)('yaml') as typeof Yaml;
  const lines = new yaml.LineCounter();
  const node = yaml.parseDocument(text, { lineCounter: lines, keepSourceTokens: false, uniqueKeys: false, logLevel: 'silent' });
  return { node, lines };
}

interface YamlPair {
  readonly key: { readonly value?: unknown; readonly range?: readonly [number, number, number] | null };
  readonly value: unknown;
}

/** The offset of the deepest node on the way that the text really has: a member is shown at its key. */
function offsetOf(root: unknown, tokens: readonly string[]): number {
  let node = root;
  let offset = startOf(root) ?? 0;
  for (const token of tokens) {
    const step = stepInto(node, token);
    if (step === undefined) return offset;
    offset = step.offset ?? offset;
    node = step.node;
  }
  return offset;
}

function stepInto(node: unknown, token: string): { node: unknown; offset: number | undefined } | undefined {
  const items = (node as { items?: unknown } | null)?.items;
  if (!Array.isArray(items)) return undefined;
  const pair = items.find((item): item is YamlPair => isPair(item) && String(item.key.value) === token);
  if (pair !== undefined) return { node: pair.value, offset: pair.key.range?.[0] };
  const item: unknown = isPair(items[0]) ? undefined : items[Number(token)];
  return item === undefined ? undefined : { node: item, offset: startOf(item) };
}

function isPair(item: unknown): item is YamlPair {
  return typeof item === 'object' && item !== null && 'key' in item && typeof item.key === 'object' && item.key !== null;
}

function startOf(node: unknown): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null)?.range;
  return range?.[0];
}

/** Two lines before a place, the line itself with a `>` and a caret below, and two after; tabs are kept, long lines cut. */
export function codeFrame(text: string, place: Pick<Place, 'line' | 'column'>): string {
  return frameOf(text.split(/\r?\n/), place);
}

function frameOf(lines: readonly string[], place: Pick<Place, 'line' | 'column'>): string {
  const first = Math.max(1, place.line - 2);
  const last = Math.min(lines.length, place.line + 2);
  const width = String(last).length;
  const shown: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const line = (lines[number - 1] ?? '').slice(0, 160);
    shown.push(`${number === place.line ? '>' : ' '} ${String(number).padStart(width)} | ${line}`.trimEnd());
    if (number === place.line) shown.push(`  ${' '.repeat(width)} | ${line.slice(0, place.column - 1).replaceAll(/[^\t]/g, ' ')}^`);
  }
  return shown.join('\n');
}
