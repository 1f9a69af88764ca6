import { countWords } from '../../model/step.ts';
import type { Case, Plan, Priority, Sequence, Stage } from '../../model/case.ts';
import type { Phase } from '../../model/phase.ts';

/** A run that passes must have sent every request up to this priority. */
const maxLeftOut: Priority = 1;

/**
 * The same requests, the most informative first: the plain request of every operation, then
 * credentials and one broken rule of each kind, then single values, then random and exotic ones.
 * Within each group the operations take turns, so that a run that ends early has covered them
 * equally. Deterministic.
 */
export function prioritizePlan({ stages, ...plan }: Plan): Plan {
  const seen = new Set<string>();
  const worths = new Map<string, Priority>();
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

/** The requests that the others depend on. */
function isFirstLook(phase: Phase): boolean {
  return phase === 'probe' || phase === 'read';
}

/**
 * The priority of a sequence is that of its best case. `seen` has the kinds of cases before it: the
 * first of a kind is the most informative.
 */
function worthOf({ cases }: Sequence, seen: Set<string>): Priority {
  const worths = cases.map((testCase) => worthOfCase(testCase, seen));
  return worths.reduce((best, worth) => (worth < best ? worth : best), 3);
}

function worthOfCase(testCase: Case, seen: Set<string>): Priority {
  const { intent, isRepeat, operation, phase } = testCase;
  if (phase === 'random' || isRepeat === true) return 3;
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
    case 'relation':
    case 'identity':
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

/** The first sequence of each operation, then the second of each, and so on. */
function inTurn(sequences: readonly Sequence[]): Sequence[] {
  const queues = [...Map.groupBy(sequences, ({ cases }) => cases.at(-1)?.operation).values()];
  const max = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: max }, (_, turn) =>
    queues.flatMap((queue) => queue[turn] ?? []),
  ).flat();
}

/** The cases of a plan by their ids, without the requests: a run holds them until it ends. */
export interface PlannedCases extends Pick<Plan, 'worths'> {
  readonly phases: ReadonlyMap<string, Phase>;
}

export function plannedCases({ stages, worths }: Pick<Plan, 'stages' | 'worths'>): PlannedCases {
  const cases = stages.flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));
  const phases = new Map(cases.map(({ id, phase }) => [id, phase] as const));
  return worths === undefined ? { phases } : { phases, worths };
}

/** What a run that ended early did not send of its plan. */
export interface LeftOut {
  readonly planned: number;
  readonly requests: number;
  /**
   * Requests without which the run has no result for an operation; undefined if the plan has no
   * priorities.
   */
  readonly mattering?: number | undefined;
  /** `40 boundary, 12 negative`. */
  readonly phases: string;
}

/**
 * Counts what was planned and not sent. `passedOver` has the ids of cases that could not be
 * written, regardless of the budget.
 */
export function findLeftOut(
  { phases, worths }: PlannedCases,
  {
    sent,
    passedOver,
  }: { readonly sent: ReadonlySet<string>; readonly passedOver: ReadonlySet<string> },
): LeftOut {
  const missing = [...phases].filter(([id]) => !sent.has(id) && !passedOver.has(id));
  const byPhase = Map.groupBy(missing, ([, phase]) => phase);
  const mattering = (known: ReadonlyMap<string, Priority>): number =>
    missing.filter(([id]) => (known.get(id) ?? 0) <= maxLeftOut).length;
  return {
    planned: phases.size,
    requests: missing.length,
    mattering: worths && mattering(worths),
    phases: [...byPhase].map(([phase, members]) => `${String(members.length)} ${phase}`).join(', '),
  };
}

/** What was not sent, as a sentence; empty if everything was sent. */
export function describeLeftOut({ planned, requests, mattering, phases }: LeftOut): string {
  if (requests === 0) return '';
  const leftOut =
    ` It left out ${String(requests)} of ` +
    `${countWords(planned, 'planned request')} (${phases})`;
  if (mattering === undefined) return `${leftOut}.`;
  const rest =
    mattering === 0
      ? 'every operation got its plain requests, its credentials and one broken rule of each kind'
      : `${String(mattering)} of them are plain requests, credential tests ` +
        'or the first test of a rule';
  return `${leftOut}; ${rest}.`;
}
