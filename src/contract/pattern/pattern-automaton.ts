import type { PointRange, RegexTree } from './regex-tree.ts';

/**
 * The positions of a pattern (each place where it reads one character) and the steps between them
 * (Glushkov's construction).
 */
export interface Automaton {
  /** For each position, those that may come next, and in how many ways the pattern says so. */
  readonly edges: readonly ReadonlyMap<number, number>[];
  /** Whether one character fits both positions. */
  overlaps(left: number, right: number): boolean;
}

const mostPositions = 60;
/**
 * A part that may be repeated as often as this is as good as endless for an engine that tries every
 * way.
 */
const asGoodAsEndless = 10;

/**
 * A part of the pattern: whether it can be empty, and the positions that it can begin and end with.
 */
interface Part {
  readonly empty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const nothing: Part = { empty: true, first: [], last: [] };

/** The automaton of a pattern, or undefined where it has more than 60 positions. */
export function readAutomaton(tree: RegexTree): Automaton | undefined {
  const builder = new AutomatonBuilder();
  builder.read(tree);
  const { ranges, edges } = builder;
  if (ranges.length > mostPositions) return undefined;
  return { edges, overlaps: (left, right) => meet(ranges[left] ?? [], ranges[right] ?? []) };
}

function meet(left: readonly PointRange[], right: readonly PointRange[]): boolean {
  return left.some(([from, to]) => right.some(([start, end]) => from <= end && start <= to));
}

class AutomatonBuilder {
  readonly ranges: (readonly PointRange[])[] = [];
  readonly edges: Map<number, number>[] = [];

  read(tree: RegexTree): Part {
    if (this.ranges.length > mostPositions) return nothing;
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

  #repeat({
    part,
    min,
    max,
  }: {
    readonly part: RegexTree;
    readonly min: number;
    readonly max: number;
  }): Part {
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
