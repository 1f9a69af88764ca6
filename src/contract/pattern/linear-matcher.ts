import { remember } from '../../remember.ts';
import { parseRegex } from './parse-regex.ts';
import type { Assertion, RegexTree } from './regex-tree.ts';
import { looksLike } from '../../words-in.ts';

/** Receives the work done, in units of about ten nanoseconds. May throw to stop it. */
export type Spend = (units: number) => void;

/** Whether a text has a match, in time linear in its length. */
export type LinearMatcher = (text: string, spend?: Spend) => boolean;

/** One step of a program: reads a character, branches, tests an assertion, or reports a match. */
type Step =
  | { readonly kind: 'read'; readonly fits: (point: number) => boolean; readonly next: number }
  | { readonly kind: 'fork'; readonly ways: readonly number[] }
  | { readonly kind: 'assert'; readonly what: Assertion; readonly next: number }
  | { readonly kind: 'match' };

const maxSteps = 4_000;

/**
 * A matcher that follows all branches of a pattern in parallel (Thompson's construction), so that
 * no text causes backtracking. Undefined for a pattern with look-arounds or back references, which
 * this method cannot match, or with several thousand steps.
 */
export function makeLinearMatcher({
  source,
  unicode,
}: Pick<RegExp, 'source' | 'unicode'>): LinearMatcher | undefined {
  const tree = parseRegex(source);
  const program = tree && new ProgramBuilder(unicode).build(tree);
  if (program === undefined) return undefined;
  const matcher = new StateMatcher(program, unicode);
  return (text, spend = free) => matcher.test(text, spend);
}

const free: Spend = () => {};

interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

/** Builds a program from its end to its start: each part gets the index of the step after it. */
class ProgramBuilder {
  readonly #steps: Step[] = [{ kind: 'match' }];
  readonly #unicode: boolean;
  /** By source: a repeated part has the same points, and an expression of the engine is costly. */
  readonly #tests = new Map<string, (point: number) => boolean>();

  constructor(unicode: boolean) {
    this.#unicode = unicode;
  }

  build(tree: RegexTree): Program | undefined {
    const start = this.#part(tree, 0);
    return start === undefined || this.#steps.length > maxSteps
      ? undefined
      : { steps: this.#steps, start };
  }

  #part(tree: RegexTree, next: number): number | undefined {
    if (this.#steps.length > maxSteps) return undefined;
    switch (tree.kind) {
      case 'point':
        return this.#point(tree.source, next);
      case 'sequence':
        if (tree.asserts !== undefined)
          return this.#add({ kind: 'assert', what: tree.asserts, next });
        return tree.parts.reduceRight<number | undefined>(
          (after, part) => (after === undefined ? undefined : this.#part(part, after)),
          next,
        );
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
    // Without the flag `u`, a character beyond the first plane is two code units, which no class
    // can hold.
    if (!this.#unicode && source.length > 1 && /[\ud800-\udfff]/.test(source)) return undefined;
    const fits = remember(this.#tests, source, () => makeTest(source, this.#unicode));
    return this.#add({ kind: 'read', fits, next });
  }

  #repeat(
    { part, min, max }: Extract<RegexTree, { kind: 'repeat' }>,
    next: number,
  ): number | undefined {
    let after: number | undefined = next;
    if (max === Infinity) after = this.#loop(part, next);
    else
      for (let times = min; times < max && after !== undefined; times += 1)
        after = this.#fork([this.#part(part, after), next]);
    for (let times = 0; times < min && after !== undefined; times += 1)
      after = this.#part(part, after);
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

/**
 * Whether one character matches one point of a pattern according to the engine; results for ASCII
 * are cached.
 */
function makeTest(source: string, unicode: boolean): (point: number) => boolean {
  const pattern = new RegExp(`^(?:${source})$`, unicode ? 'us' : 's');
  // The flag `s` would let a plain point match line breaks.
  const judge = (point: number): boolean =>
    (source !== '.' || !/[\n\r\u2028\u2029]/.test(String.fromCodePoint(point))) &&
    pattern.test(String.fromCodePoint(point));
  const known: (boolean | undefined)[] = [];
  return (point) => (point < 128 ? (known[point] ??= judge(point)) : judge(point));
}

/** The character before a position, as far as assertions need it. */
type Before = 'start' | 'word' | 'other';

/** The states of a pattern after some characters, and the transitions for further characters. */
interface State {
  readonly here: readonly number[];
  readonly before: Before;
  /** By code point. ASCII, which covers nearly all, uses an array. */
  readonly ascii: (State | undefined)[];
  readonly others: Map<number, State>;
  atEnd: boolean | undefined;
}

/** The cache is cleared when it holds this number of states and transitions. */
const maxCachedStates = 5_000;

/**
 * Follows all branches of a pattern at once and caches the transitions between sets of branches (a
 * lazily built deterministic automaton): most characters cost one array access.
 */
class StateMatcher {
  readonly #steps: readonly Step[];
  readonly #start: number;
  readonly #unicode: boolean;
  readonly #matched: State = makeState([], 'other');
  #states = new Map<string, State>();
  #first: State = makeState([], 'start');
  #remembered = 0;

  constructor({ steps, start }: Program, unicode: boolean) {
    [this.#steps, this.#start, this.#unicode] = [steps, start, unicode];
  }

  test(text: string, spend: Spend): boolean {
    spend(1 + text.length / 2);
    let state = this.#first;
    for (let at = 0; at < text.length; at += 1) {
      const point = (this.#unicode ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0;
      if (point > 0xffff) at += 1;
      state =
        (point < 128 ? state.ascii[point] : state.others.get(point)) ??
        this.#advance(state, point, spend);
      if (state === this.#matched) return true;
    }
    return (state.atEnd ??= this.#reading(state, undefined, spend) === undefined);
  }

  /** The state after a character, cached. */
  #advance(state: State, point: number, spend: Spend): State {
    const reading = this.#reading(state, point, spend);
    const next =
      reading === undefined ? this.#matched : this.#stateOf(this.#read(reading, point), point);
    if (this.#remembered > maxCachedStates) this.#forget();
    this.#remembered += 1;
    if (point < 128) state.ascii[point] = next;
    else state.others.set(point, next);
    return next;
  }

  #forget(): void {
    this.#states = new Map();
    this.#first = makeState([], 'start');
    this.#remembered = 0;
  }

  #stateOf(here: readonly number[], point: number): State {
    const before: Before = point < 128 && isWord(String.fromCharCode(point)) ? 'word' : 'other';
    const key = `${before} ${here.join(' ')}`;
    return remember(this.#states, key, () => makeState(here, before));
  }

  /** The steps that read the next character; undefined if there is a match before. */
  #reading({ here, before }: State, next: number | undefined, spend: Spend): number[] | undefined {
    const reading: number[] = [];
    const seen = new Set<number>();
    const open = [this.#start, ...here];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const step = this.#steps[index];
      if (step?.kind === 'match') return undefined;
      if (step?.kind === 'read') reading.push(index);
      else if (step?.kind === 'fork') open.push(...step.ways);
      else if (step?.kind === 'assert' && holds(step.what, before, next)) open.push(step.next);
    }
    spend(20 + seen.size * 10);
    return reading;
  }

  #read(reading: readonly number[], point: number): number[] {
    const next = new Set<number>();
    for (const index of reading) {
      const step = this.#steps[index];
      if (step?.kind === 'read' && step.fits(point)) next.add(step.next);
    }
    return [...next].sort((left, right) => left - right);
  }
}

function makeState(here: readonly number[], before: Before): State {
  return { here, before, ascii: [], others: new Map(), atEnd: undefined };
}

function holds(what: Assertion, before: Before, next: number | undefined): boolean {
  if (what === '^') return before === 'start';
  if (what === '$') return next === undefined;
  const isNextWord = next !== undefined && next < 128 && isWord(String.fromCharCode(next));
  const isBoundary = (before === 'word') !== isNextWord;
  return what === 'b' ? isBoundary : !isBoundary;
}

const isWord = looksLike(/\w/);
