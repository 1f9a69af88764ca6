import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../../contract/model.ts';
import type { Plan, SkippedOperation, Stage } from '../../model/plan.ts';
import { PlanCache } from '../../plan/plan-cache.ts';
import { prioritizePlan } from '../choose/prioritize.ts';
import { shardPlan } from '../choose/shard.ts';
import type { Settings } from '../settings.ts';
import { planAll, planFirst, planRest } from './make-plan.ts';
import { planRequest, type PlanRequest } from './plan-request.ts';

/** A plan whose first requests are known: they are sent before the others are planned. */
export interface PlanInParts {
  /** The probe and the plain reads, or the whole plan. */
  readonly first: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
  /** The operations that may get requests. */
  readonly operations: ReadonlySet<Operation>;
  /** The priority of each case, by its id, if the plan is ordered by it. */
  readonly worths?: Plan['worths'] | undefined;
  /**
   * Plans the following stages in short turns between which the process handles signals, timers and
   * connections. Undefined if the signal is aborted before. Absent if no stage follows.
   */
  readonly rest?: (signal: AbortSignal) => Promise<readonly Stage[] | undefined>;
}

/** Plans a run. Deterministic: no clock, no chance, no network. */
export function makePlan(request: PlanRequest): Plan {
  const cache = new PlanCache();
  try {
    const steps = planAll(request, cache);
    return cache.values.within(() => {
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      return step.value;
    });
  } finally {
    cache.release();
  }
}

/** Runs planning in short turns. Undefined if the signal is aborted before it is complete. */
async function inTurns<Result>(
  steps: Generator<void, Result>,
  { values }: PlanCache,
  signal: AbortSignal,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    const step = values.within(() => oneTurn(steps));
    if (step.done === true) return step.value;
    await setImmediate();
  }
  return undefined;
}

/** How long planning may block the event loop. */
const turnMs = 40;

function oneTurn<Result>(steps: Generator<void, Result>): IteratorResult<void, Result> {
  const end = performance.now() + turnMs;
  let step = steps.next();
  while (step.done !== true && performance.now() < end) step = steps.next();
  return step;
}

/** The plan of a run. It depends only on the settings, not on responses. */
export function planOf(settings: Settings): Plan {
  return selectPart(settings, makePlan(planRequest(settings)));
}

/** The same plan, made in short turns. Undefined if the signal is aborted before it is complete. */
export async function planInTurns(
  settings: Settings,
  signal: AbortSignal,
): Promise<Plan | undefined> {
  const cache = new PlanCache();
  try {
    const plan = await inTurns(planAll(planRequest(settings), cache), cache, signal);
    return plan && selectPart(settings, plan);
  } finally {
    cache.release();
  }
}

/**
 * The same plan in two parts: the first requests, and later the others. A shard, or a plan that is
 * ordered by priority, is planned as a whole. Undefined if the signal is aborted before the first
 * part is known.
 */
export async function planInParts(
  settings: Settings,
  signal: AbortSignal,
): Promise<PlanInParts | undefined> {
  if (settings.shard !== undefined || settings.budgetMs !== undefined) {
    const plan = await planInTurns(settings, signal);
    return plan && wholePlan(plan);
  }
  const cache = new PlanCache();
  const made = await inTurns(planFirst(planRequest(settings), cache), cache, signal);
  if (made === undefined) return undefined;
  const { context, first, skipped, operations } = made;
  return {
    first,
    skipped,
    operations,
    async rest(stopped) {
      try {
        return await inTurns(planRest(context, first), cache, stopped);
      } finally {
        cache.release();
      }
    },
  };
}

/** A plan that is complete: nothing follows. */
export function wholePlan({ stages, skipped, worths }: Plan): PlanInParts {
  const cases = stages.flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));
  const operations = new Set(cases.map(({ operation }) => operation));
  return { first: stages, skipped, operations, worths };
}

function selectPart({ contract, shard, budgetMs }: Settings, plan: Plan): Plan {
  const part = shard === undefined ? plan : shardPlan(plan, contract, shard);
  return budgetMs === undefined ? part : prioritizePlan(part);
}
