import type { Operation } from '../../../contract/model.ts';
import type { Case, Sequence } from '../../model/case.ts';
import { isPlain } from '../learn/lessons.ts';

/** Sequences, and those of them that are sent before. */
interface Divided {
  readonly plain: readonly Sequence[];
  /** By the given groups. */
  readonly left: readonly (readonly Sequence[])[];
}

/**
 * Takes out the shortest sequence with a plain request of each operation that has none in
 * `earlier`: what an operation needs, and what its answers show, is known before its variations are
 * sent. Deterministic.
 */
export function takePlain(
  groups: readonly (readonly Sequence[])[],
  earlier: readonly Sequence[],
): Divided {
  const known = new Set(earlier.flatMap(plainOperations));
  const shortest = new Map<Operation, Sequence>();
  for (const sequence of groups.flat()) {
    if (sequence.concurrent === true) continue;
    for (const operation of plainOperations(sequence)) {
      const before = shortest.get(operation);
      if (before === undefined || sequence.cases.length < before.cases.length)
        shortest.set(operation, sequence);
    }
  }
  const taken = new Set<Sequence>();
  // A sequence of one request serves only its operation; a longer one may serve others too.
  for (const [operation, sequence] of [...shortest].toSorted(byLength)) {
    if (known.has(operation)) continue;
    taken.add(sequence);
    for (const other of plainOperations(sequence)) known.add(other);
  }
  return {
    plain: groups.flat().filter((sequence) => taken.has(sequence)),
    left: groups.map((group) => group.filter((sequence) => !taken.has(sequence))),
  };
}

type Entry = readonly [Operation, Sequence];

function byLength([, { cases: one }]: Entry, [, { cases: other }]: Entry): number {
  return one.length - other.length;
}

function plainOperations({ cases }: Sequence): Operation[] {
  return cases.filter(isOwnPlain).map(({ operation }) => operation);
}

/** Whether a case is plain, and sent as the run itself. */
function isOwnPlain(testCase: Case): boolean {
  return isPlain(testCase) && testCase.request.identity === undefined;
}
