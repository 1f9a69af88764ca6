import type { Operation } from '../../contract/model.ts';
import type { Case, Sequence } from '../model/case.ts';
import type { Phase } from '../model/phase.ts';
import type { Stage } from '../model/plan.ts';
import { isSafe } from '../plan/draft/is-safe.ts';
import { mayBeAsked } from './ask-others.ts';

/** A stage of a plan: its sequences are taken once, in order. */
export interface QueuedStage {
  readonly phase: Phase;
  readonly sequences: Iterable<Sequence>;
}

/**
 * The part of a plan that is still to be sent. Sequences that were taken are released, to keep the
 * memory of a long run small; what is needed of the whole plan is collected before.
 */
export class PlanQueue {
  /** How many requests were planned. */
  readonly requests: number;
  /** The operations that get requests. */
  readonly operations: ReadonlySet<Operation>;
  /** The first case of each operation that can be sent out of turn. */
  readonly askable: readonly Case[];
  /** The operations with a valid request that needs no known record. */
  readonly open: ReadonlySet<Operation>;
  /** Whether some request may change something on the target. */
  readonly changes: boolean;
  readonly #stages: { readonly phase: Phase; readonly left: Sequence[] }[];

  constructor(stages: readonly Stage[]) {
    const cases = stages.flatMap(({ sequences }) =>
      sequences.flatMap((sequence) => sequence.cases),
    );
    this.requests = cases.length;
    this.operations = new Set(cases.map(({ operation }) => operation));
    const firsts = new Map(
      cases
        .filter(mayBeAsked)
        .toReversed()
        .map((testCase) => [testCase.operation, testCase]),
    );
    this.askable = [...firsts.values()].toReversed();
    this.open = new Set(
      cases
        .filter((testCase) => testCase.intent.kind === 'valid' && needsNothing(testCase))
        .map(({ operation }) => operation),
    );
    this.changes = cases.some(
      ({ operation, request }) => !isSafe({ method: request.method ?? operation.method }),
    );
    this.#stages = stages
      .map(({ phase, sequences }) => ({ phase, left: sequences.toReversed() }))
      .toReversed();
  }

  /** The remaining stages. */
  *stages(): Generator<QueuedStage, void> {
    for (let stage = this.#stages.pop(); stage !== undefined; stage = this.#stages.pop())
      yield { phase: stage.phase, sequences: handOut(stage.left) };
  }
}

function* handOut(left: Sequence[]): Generator<Sequence, void> {
  for (let sequence = left.pop(); sequence !== undefined; sequence = left.pop()) yield sequence;
}

function needsNothing({ request }: Case): boolean {
  return request.arguments.every(
    ({ source }) =>
      source.kind === 'value' ||
      source.kind === 'unique' ||
      source.kind === 'text' ||
      source.kind === 'raw',
  );
}
