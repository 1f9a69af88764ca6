import { parseRegex } from './parse-regex.ts';
import { strongComponents } from './strong-components.ts';
import { readAutomaton, type Automaton } from './pattern-automaton.ts';

/**
 * Whether a backtracking engine may take time exponential in the length of a text: whether some
 * part of the pattern can lead back to itself over one text in two ways (exponential ambiguity of
 * its position automaton). Look-arounds and back references are passed over; a pattern that is not
 * understood, or has more than 60 positions, is not called runaway.
 */
export function isRunaway(pattern: string): boolean {
  const tree = parseRegex(pattern);
  const automaton = tree === undefined ? undefined : readAutomaton(tree);
  return automaton !== undefined && (hasDoubleEdge(automaton) || hasTwoWays(automaton));
}

/** Of a pattern with more pairs of steps than these nothing is said. */
const mostPairs = 13_000_000;

/**
 * One step that two parts of the pattern both make, on a way that comes round: the inner and the
 * outer loop of `(a+)+`.
 */
function hasDoubleEdge({ edges }: Automaton): boolean {
  const next = edges.map((targets) => [...targets.keys()]);
  return edges.some((targets, from) =>
    [...targets].some(([to, times]) => times > 1 && reaches(to, from, (at) => next[at] ?? [])),
  );
}

/**
 * Two ways round over the same text: in the square of the automaton, a way from (p, p) through (q,
 * r) and back.
 */
function hasTwoWays({ edges, overlaps }: Automaton): boolean {
  const size = edges.length;
  // Each pair of steps is looked at.
  if (edges.reduce((sum, targets) => sum + targets.size, 0) ** 2 > mostPairs) return false;
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

function reaches(from: number, to: number, next: (at: number) => readonly number[]): boolean {
  return visit([from], next).has(to);
}

/** Everything that can be reached, the starts included. */
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
