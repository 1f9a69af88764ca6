import type { Case, Sequence } from '../model/case.ts';
import type { Phase } from '../model/phase.ts';
import type { Plan, Stage, Worth } from '../model/plan.ts';

/** Up to here nothing may be left out of a run that says that a contract is kept. */
export const mostLeftOut: Worth = 1;

/**
 * The same requests, the most telling first: every operation as a person would ask it, then
 * credentials and one broken rule of each kind, then single values, then what chance and the exotic
 * add. Within each, operation by operation in turn, so that whenever the run ends, no operation
 * knows more of it than another. Deterministic.
 */
export function orderByWorth({ stages, ...plan }: Plan): Plan {
  const seen = new Set<string>();
  const worths = new Map<string, Worth>();
  const weighed = stages.flatMap(({ phase, sequences }) =>
    sequences.map((sequence) => {
      const worth = isFirstLook(phase) ? 0 : worthOf(sequence, seen);
      for (const { id } of sequence.cases) worths.set(id, worth);
      return { phase, sequence, worth };
    }),
  );
  const byWorth = Map.groupBy(
    weighed.filter(({ phase }) => !isFirstLook(phase)),
    ({ worth }) => worth,
  );
  const later = [...byWorth].sort(([left], [right]) => left - right);
  const ordered = later.map(([, members]): Stage => ({
    phase: members[0]?.phase ?? 'sequence',
    sequences: inTurn(members.map(({ sequence }) => sequence)),
  }));
  return {
    ...plan,
    stages: [...stages.filter(({ phase }) => isFirstLook(phase)), ...ordered],
    worths,
  };
}

/** What the others build on. */
function isFirstLook(phase: Phase): boolean {
  return phase === 'probe' || phase === 'read';
}

/**
 * A sequence is worth what its best case is; `seen` holds what was tried before, for the first of a
 * kind tells the most.
 */
function worthOf({ cases }: Sequence, seen: Set<string>): Worth {
  const worths = cases.map((tried) => worthOfCase(tried, seen));
  return worths.reduce((best, worth) => (worth < best ? worth : best), 3);
}

function worthOfCase(tried: Case, seen: Set<string>): Worth {
  const { intent, operation, phase } = tried;
  if (phase === 'random') return 3;
  switch (intent.kind) {
    case 'valid':
      if (intent.rigour === 'exotic') return 3;
      return isFirst(seen, `valid ${operation.id}`) || phase === 'sequence' ? 0 : 2;
    case 'invalid':
      if (intent.accepted === 'fine') return 3;
      return isFirst(seen, `invalid ${operation.id} ${intent.part} ${intent.rule}`) ? 1 : 2;
    case 'credential':
      return 1;
    case 'missing':
      return isFirst(seen, `missing ${operation.id}`) ? 1 : 3;
    case 'condition':
      return 1;
    case 'method':
      return 3;
  }
}

function isFirst(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** One sequence of each operation, then the second of each, and so on. */
function inTurn(sequences: readonly Sequence[]): Sequence[] {
  const queues = [...Map.groupBy(sequences, ({ cases }) => cases.at(-1)?.operation).values()];
  const most = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) =>
    queues.flatMap((queue) => queue[turn] ?? []),
  ).flat();
}
