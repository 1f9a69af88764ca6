import type { Operation } from '../../../contract/model.ts';
import { type PlannedCases, plannedCases } from '../choose/prioritize.ts';
import type { Case, Sequence, Stage } from '../../model/case.ts';
import type { Phase } from '../../model/phase.ts';
import { isSafe } from '../../model/step.ts';
import { roundsOf } from './plan-rounds.ts';
import type { PlanInParts } from './plan-run.ts';

/** A stage of a plan: its sequences are taken once, in order. */
export interface QueuedStage {
  readonly phase: Phase;
  readonly sequences: Iterable<Sequence>;
}

/** What a queue stores of its plan. */
export interface PlanQueueOptions {
  /** Whether `planned` is used: a run that may end early reports what it left out. */
  readonly keepsCases?: boolean;
  /** The most requests in flight, for the size of the plan. Default: 1. */
  readonly atOnce?: number;
}

/** The requests of a complete plan, and how many answers it waits for one after the other. */
export interface PlanSize {
  readonly requests: number;
  readonly rounds: number;
}

/**
 * The remaining part of a plan. The first stages are known from the start; the others are planned
 * on demand, so that the first request does not wait for them. Sequences that were taken are
 * released, to keep the memory of a long run small; facts about the whole plan are collected
 * before.
 */
export class PlanQueue {
  /** The operations that may get requests. */
  readonly operations: ReadonlySet<Operation>;
  readonly #plan: PlanInParts;
  readonly #options: PlanQueueOptions;
  readonly #left: Stage[] = [];
  readonly #firsts = new Map<Operation, Case>();
  readonly #open = new Set<Operation>();
  readonly #phases = new Map<string, Phase>();
  #requests = 0;
  #rounds = 0;
  #changes = false;
  #completing: Promise<boolean> | undefined;
  #isComplete = false;
  #notify: (size: PlanSize) => void = () => {};

  constructor(plan: PlanInParts, options: PlanQueueOptions = {}) {
    this.#plan = plan;
    this.#options = options;
    this.operations = plan.operations;
    this.#add(plan.first);
    this.#isComplete = plan.rest === undefined;
  }

  /** The first case of each operation that can be sent out of turn, of what is planned so far. */
  get askable(): readonly Case[] {
    return [...this.#firsts.values()];
  }

  /** The operations with a valid request that needs no known record, as far as it is planned. */
  get open(): ReadonlySet<Operation> {
    return this.#open;
  }

  /** Whether some request of what is planned so far may change something on the target. */
  get changes(): boolean {
    return this.#changes;
  }

  /** The cases of the whole plan, if they are kept and the plan is complete. */
  get planned(): PlannedCases | undefined {
    const { worths } = this.#plan;
    if (!this.#isComplete || this.#options.keepsCases !== true) return undefined;
    return { phases: this.#phases, worths };
  }

  /** Calls `notify` with the size of the plan, once it is complete. */
  whenComplete(notify: (size: PlanSize) => void): void {
    if (this.#isComplete) notify(this.#size);
    else this.#notify = notify;
  }

  /** Plans what is left. False if the signal is aborted before: the plan then ends here. */
  complete(signal: AbortSignal): Promise<boolean> {
    return (this.#completing ??= this.#complete(signal));
  }

  async #complete(signal: AbortSignal): Promise<boolean> {
    if (this.#isComplete) return true;
    const rest = await this.#plan.rest?.(signal);
    if (rest === undefined) return false;
    this.#add(rest);
    this.#isComplete = true;
    this.#notify(this.#size);
    return true;
  }

  /** The remaining stages. Those after the first ones are planned when the first ones are done. */
  async *stages(signal: AbortSignal): AsyncGenerator<QueuedStage, void> {
    yield* this.#handOut();
    if (await this.complete(signal)) yield* this.#handOut();
  }

  *#handOut(): Generator<QueuedStage, void> {
    for (let stage = this.#left.shift(); stage !== undefined; stage = this.#left.shift())
      yield { phase: stage.phase, sequences: handOut(stage.sequences.toReversed()) };
  }

  get #size(): PlanSize {
    return { requests: this.#requests, rounds: this.#rounds };
  }

  #add(stages: readonly Stage[]): void {
    this.#left.push(...stages);
    this.#rounds += roundsOf(stages, this.#options.atOnce ?? 1);
    for (const { sequences } of stages)
      for (const { cases } of sequences) for (const testCase of cases) this.#note(testCase);
    if (this.#options.keepsCases !== true) return;
    for (const [id, phase] of plannedCases({ stages }).phases) this.#phases.set(id, phase);
  }

  #note(testCase: Case): void {
    const { operation, request, intent } = testCase;
    this.#requests += 1;
    if (!this.#firsts.has(operation) && mayBeAsked(testCase)) this.#firsts.set(operation, testCase);
    if (intent.kind === 'valid' && needsNothing(testCase)) this.#open.add(operation);
    this.#changes ||= !isSafe({ method: request.method ?? operation.method });
  }
}

function* handOut(left: Sequence[]): Generator<Sequence, void> {
  for (let sequence = left.pop(); sequence !== undefined; sequence = left.pop()) yield sequence;
}

function needsNothing({ request }: Case): boolean {
  return request.arguments.every(({ source }) =>
    ['value', 'unique', 'text', 'raw'].includes(source.kind),
  );
}

/**
 * Whether a case can be sent out of turn: with the run's own credential, and with known values.
 * Deletions and replacements cannot.
 */
export function mayBeAsked(testCase: Case): boolean {
  const { operation, intent, request } = testCase;
  if (request.credential !== 'given' || (intent.kind !== 'valid' && intent.kind !== 'missing'))
    return false;
  if (!isSafe(operation) && operation.method !== 'POST') return false;
  return needsNothing(testCase);
}
