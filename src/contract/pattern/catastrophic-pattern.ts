import { parseRegex } from './parse-regex.ts';
import type { PointRange, RegexTree } from './regex-tree.ts';

/**
 * Whether a backtracking engine may take time exponential in the length of a text: whether a part
 * of the pattern can lead back to itself over one text in two ways (exponential ambiguity of its
 * position automaton). Ignores look-arounds and back references; returns false for a pattern that
 * cannot be parsed, or has more than 60 positions.
 */
export function isCatastrophicPattern(pattern: string): boolean {
  const tree = parseRegex(pattern);
  const automaton = tree === undefined ? undefined : readAutomaton(tree);
  return automaton !== undefined && (hasDoubleEdge(automaton) || hasTwoWays(automaton));
}

/** A pattern with more pairs of steps is not analysed. */
const maxPairs = 13_000_000;

/**
 * Two parts of the pattern make the same step in a cycle: the inner and the outer loop of `(a+)+`.
 */
function hasDoubleEdge({ edges }: Automaton): boolean {
  const next = edges.map((targets) => [...targets.keys()]);
  return edges.some((targets, from) =>
    [...targets].some(([to, times]) => times > 1 && visit([to], (at) => next[at] ?? []).has(from)),
  );
}

/**
 * Two cycles over the same text: in the square of the automaton, a path from (p, p) through (q, r)
 * and back.
 */
function hasTwoWays({ edges, overlaps }: Automaton): boolean {
  const size = edges.length;
  // The search visits each pair of steps.
  if (edges.reduce((sum, targets) => sum + targets.size, 0) ** 2 > maxPairs) return false;
  const next = (pair: number): number[] => {
    const [left, right] = [edges[Math.floor(pair / size)], edges[pair % size]];
    return [...(left?.keys() ?? [])].flatMap((a) =>
      [...(right?.keys() ?? [])].filter((b) => overlaps(a, b)).map((b) => a * size + b),
    );
  };
  const homes = Array.from({ length: size }, (_, at) => at * size + at);
  const components = strongComponents(size * size, next);
  const split = new Set<number | undefined>();
  for (const pair of visit(homes, next))
    if (Math.floor(pair / size) !== pair % size) split.add(components[pair]);
  return homes.some((home) => split.has(components[home]));
}

/** Everything reachable, the starts included. */
function visit(starts: readonly number[], next: (at: number) => readonly number[]): Set<number> {
  const seen = new Set(starts);
  const open = [...starts];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of next(at)) {
      if (seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return seen;
}

/**
 * The positions of a pattern (each place where it reads one character) and the steps between them
 * (Glushkov's construction).
 */
interface Automaton {
  /** For each position, the possible next ones, and the number of ways to each. */
  readonly edges: readonly ReadonlyMap<number, number>[];
  /** Whether one character fits both positions. */
  overlaps(left: number, right: number): boolean;
}

const maxPositions = 60;
/**
 * For a backtracking engine, a part with this maximum of repetitions is as bad as an endless one.
 */
const asGoodAsEndless = 10;

/** A part of the pattern: whether it can be empty, and its possible first and last positions. */
interface Part {
  readonly empty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const nothing: Part = { empty: true, first: [], last: [] };

/** The automaton of a pattern, or undefined if it has more than 60 positions. */
function readAutomaton(tree: RegexTree): Automaton | undefined {
  const builder = new AutomatonBuilder();
  builder.read(tree);
  const { ranges, edges } = builder;
  if (ranges.length > maxPositions) return undefined;
  return { edges, overlaps: (left, right) => meet(ranges[left] ?? [], ranges[right] ?? []) };
}

function meet(left: readonly PointRange[], right: readonly PointRange[]): boolean {
  return left.some(([from, to]) => right.some(([start, end]) => from <= end && start <= to));
}

class AutomatonBuilder {
  readonly ranges: (readonly PointRange[])[] = [];
  readonly edges: Map<number, number>[] = [];

  read(tree: RegexTree): Part {
    if (this.ranges.length > maxPositions) return nothing;
    switch (tree.kind) {
      case 'point':
        return this.#position(tree.ranges);
      case 'sequence':
        return tree.parts.reduce<Part>((part, next) => this.#join(part, this.read(next)), nothing);
      case 'choice':
        return tree.options
          .map((option) => this.read(option))
          .reduce((left, right) => ({
            empty: left.empty || right.empty,
            first: [...left.first, ...right.first],
            last: [...left.last, ...right.last],
          }));
      case 'repeat':
        return this.#repeat(tree);
      case 'group':
        return this.read(tree.part);
      case 'echo':
      case 'look':
        return nothing;
    }
  }

  #position(ranges: readonly PointRange[]): Part {
    const at = this.ranges.push(ranges) - 1;
    this.edges.push(new Map());
    return { empty: false, first: [at], last: [at] };
  }

  #join(left: Part, right: Part): Part {
    this.#connect(left.last, right.first);
    return {
      empty: left.empty && right.empty,
      first: left.empty ? [...left.first, ...right.first] : left.first,
      last: right.empty ? [...left.last, ...right.last] : right.last,
    };
  }

  #repeat({ part, min, max }: Extract<RegexTree, { kind: 'repeat' }>): Part {
    if (max >= asGoodAsEndless) {
      const copy = this.read(part);
      this.#connect(copy.last, copy.first);
      return { ...copy, empty: copy.empty || min === 0 };
    }
    let joined = nothing;
    for (let times = 1; times <= max; times += 1) {
      const copy = this.read(part);
      joined = this.#join(joined, times > min ? { ...copy, empty: true } : copy);
    }
    return joined;
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const source of from) {
      const targets = this.edges[source];
      for (const target of to) targets?.set(target, (targets.get(target) ?? 0) + 1);
    }
  }
}

/**
 * The strongly connected components of a graph whose nodes are the numbers below `size` (Tarjan's
 * algorithm, without recursion): two nodes have the same number if each can be reached from the
 * other.
 */
function strongComponents(size: number, next: (node: number) => readonly number[]): Int32Array {
  const search = new ComponentSearch(size, next);
  for (let node = 0; node < size; node += 1) search.visit(node);
  return search.components;
}

class ComponentSearch {
  readonly components: Int32Array;
  readonly #next: (node: number) => readonly number[];
  readonly #order: Int32Array;
  readonly #lowest: Int32Array;
  readonly #path: number[] = [];
  #visited = 0;
  #found = 0;

  constructor(size: number, next: (node: number) => readonly number[]) {
    this.#next = next;
    this.components = new Int32Array(size).fill(-1);
    this.#order = new Int32Array(size).fill(-1);
    this.#lowest = new Int32Array(size);
  }

  visit(start: number): void {
    if (this.#order[start] !== -1) return;
    const open = [this.#enter(start)];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const target = last.targets[last.at];
      last.at += 1;
      if (target === undefined) {
        open.pop();
        this.#leave(last.node, open.at(-1)?.node);
      } else if (this.#order[target] === -1) open.push(this.#enter(target));
      else if (this.components[target] === -1) this.#lower(last.node, this.#order[target] ?? 0);
    }
  }

  #enter(node: number): { readonly node: number; readonly targets: readonly number[]; at: number } {
    this.#order[node] = this.#visited;
    this.#lowest[node] = this.#visited;
    this.#visited += 1;
    this.#path.push(node);
    return { node, targets: this.#next(node), at: 0 };
  }

  #leave(node: number, from: number | undefined): void {
    if (from !== undefined) this.#lower(from, this.#lowest[node] ?? 0);
    if (this.#lowest[node] !== this.#order[node]) return;
    for (let member = this.#path.pop(); member !== undefined; member = this.#path.pop()) {
      this.components[member] = this.#found;
      if (member === node) break;
    }
    this.#found += 1;
  }

  #lower(node: number, order: number): void {
    this.#lowest[node] = Math.min(this.#lowest[node] ?? 0, order);
  }
}
