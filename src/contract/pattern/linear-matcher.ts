import { parseRegex } from './parse-regex.ts';
import type { Assertion, RegexTree } from './regex-tree.ts';

/** Whether a text has a match, in time that grows with the length of the text alone. */
export type LinearMatcher = (text: string) => boolean;

/** One step of a program: reads a character, goes two ways at once, holds something against the place, or has found a match. */
type Step =
  | { readonly kind: 'read'; readonly fits: (point: number) => boolean; readonly next: number }
  | { readonly kind: 'fork'; readonly ways: readonly number[] }
  | { readonly kind: 'assert'; readonly what: Assertion; readonly next: number }
  | { readonly kind: 'match' };

const mostSteps = 4_000;

/**
 * A matcher that follows all ways of a pattern side by side instead of one after the other (Thompson's construction), so that no
 * text can hold it up. Undefined for a pattern with look-arounds or back references, which cannot be matched so, or with one of
 * several thousand steps.
 */
export function makeLinearMatcher({ source, unicode }: Pick<RegExp, 'source' | 'unicode'>): LinearMatcher | undefined {
  const tree = parseRegex(source);
  const program = tree && new ProgramBuilder(unicode).build(tree);
  return program && ((text) => run(program, text, unicode));
}

interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

/** Builds from the end to the beginning: each part is told what comes after it. */
class ProgramBuilder {
  readonly #steps: Step[] = [{ kind: 'match' }];
  readonly #unicode: boolean;

  constructor(unicode: boolean) {
    this.#unicode = unicode;
  }

  build(tree: RegexTree): Program | undefined {
    const start = this.#part(tree, 0);
    return start === undefined || this.#steps.length > mostSteps ? undefined : { steps: this.#steps, start };
  }

  #part(tree: RegexTree, next: number): number | undefined {
    if (this.#steps.length > mostSteps) return undefined;
    switch (tree.kind) {
      case 'point':
        return this.#point(tree.source, next);
      case 'sequence':
        if (tree.asserts !== undefined) return this.#add({ kind: 'assert', what: tree.asserts, next });
        return tree.parts.reduceRight<number | undefined>((after, part) => (after === undefined ? undefined : this.#part(part, after)), next);
      case 'choice':
        return this.#fork(tree.options.map((option) => this.#part(option, next)));
      case 'repeat':
        return this.#repeat(tree, next);
      case 'group':
        return this.#part(tree.part, next);
      case 'echo':
      case 'look':
        return undefined;
    }
  }

  #point(source: string, next: number): number | undefined {
    // Without the flag `u` a character beyond the first plane is two, and no class can hold it.
    if (!this.#unicode && source.length > 1 && /[\ud800-\udfff]/.test(source)) return undefined;
    return this.#add({ kind: 'read', fits: makeTest(source, this.#unicode), next });
  }

  #repeat({ part, min, max }: Extract<RegexTree, { kind: 'repeat' }>, next: number): number | undefined {
    let after: number | undefined = next;
    if (max === Infinity) after = this.#loop(part, next);
    else for (let times = min; times < max && after !== undefined; times += 1) after = this.#fork([this.#part(part, after), next]);
    for (let times = 0; times < min && after !== undefined; times += 1) after = this.#part(part, after);
    return after;
  }

  #loop(part: RegexTree, next: number): number | undefined {
    const ways: number[] = [next];
    const fork = this.#add({ kind: 'fork', ways });
    const body = this.#part(part, fork);
    if (body === undefined) return undefined;
    ways.push(body);
    return fork;
  }

  #fork(ways: readonly (number | undefined)[]): number | undefined {
    const known = ways.filter((way) => way !== undefined);
    return known.length === ways.length ? this.#add({ kind: 'fork', ways: known }) : undefined;
  }

  #add(step: Step): number {
    return this.#steps.push(step) - 1;
  }
}

/** Whether one character fits one point of a pattern, as the engine itself says; what it says of ASCII is remembered. */
function makeTest(source: string, unicode: boolean): (point: number) => boolean {
  const pattern = new RegExp(`^(?:${source})$`, unicode ? 'us' : 's');
  // The flag `s` would let a plain point take line breaks, which it does not.
  const judge = (point: number): boolean => (source !== '.' || !/[\n\r\u2028\u2029]/.test(String.fromCodePoint(point))) && pattern.test(String.fromCodePoint(point));
  const known: (boolean | undefined)[] = [];
  return (point) => (point < 128 ? (known[point] ??= judge(point)) : judge(point));
}

function run({ steps, start }: Program, text: string, unicode: boolean): boolean {
  let here: number[] = [];
  // Which place each step was last seen at; places count from 1.
  const seen = new Uint32Array(steps.length);
  for (let at = 0; ; ) {
    const reading: number[] = [];
    const open = [start, ...here];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen[index] === at + 1) continue;
      seen[index] = at + 1;
      const step = steps[index];
      if (step?.kind === 'match') return true;
      if (step?.kind === 'read') reading.push(index);
      else if (step?.kind === 'fork') open.push(...step.ways);
      else if (step?.kind === 'assert' && holds(step.what, text, at)) open.push(step.next);
    }
    if (at >= text.length) return false;
    const point = (unicode ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0;
    here = advance(steps, reading, point);
    at += unicode && point > 0xffff ? 2 : 1;
  }
}

function advance(steps: readonly Step[], reading: readonly number[], point: number): number[] {
  const next: number[] = [];
  for (const index of reading) {
    const step = steps[index];
    if (step?.kind === 'read' && step.fits(point)) next.push(step.next);
  }
  return next;
}

function holds(what: Assertion, text: string, at: number): boolean {
  if (what === '^') return at === 0;
  if (what === '$') return at === text.length;
  const isBoundary = isWord(text[at - 1]) !== isWord(text[at]);
  return what === 'b' ? isBoundary : !isBoundary;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
