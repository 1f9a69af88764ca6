import { setImmediate } from 'node:timers/promises';
import { forgetBrokenRules } from '../../values/broken-rules.ts';
import { forgetValues } from '../../values/remember-values.ts';
import { openSharing } from '../../values/share-values.ts';
import type { Sequence } from '../case.ts';
import type { Worth } from '../choose/by-worth.ts';
import { readEffectRules } from '../effect/effect-rules.ts';
import type { Phase } from '../event.ts';
import { planAuth } from './auth.ts';
import { planBodyBoundaries, planChangeBoundaries, planParameterBoundaries } from './boundary.ts';
import { planConditionalReads } from './condition/conditional-reads.ts';
import { planConditions } from './condition/plan-conditions.ts';
import type { Draft } from './draft.ts';
import { forgetEdges } from './draft/body-values.ts';
import { draftAll, reasonToSkip, type SkippedOperation } from './draft/draft-all.ts';
import { planChanges } from './list/change-sequences.ts';
import { planFilters } from './list/filter-sequences.ts';
import { listingsOf } from './list/listing.ts';
import { planPageQueries, planPages } from './list/page-sequences.ts';
import { planRefusals } from './list/refusal-sequences.ts';
import { planSorting } from './list/sort-sequences.ts';
import { planConcurrent } from './make-create.ts';
import { planMethods } from './method.ts';
import { planMissing } from './missing.ts';
import { planNegative } from './negative.ts';
import { roomFor, type PlanContext, type PlanRequest } from './plan-context.ts';
import { planRandom } from './random/plan-random.ts';
import { planHead, planProbe, planRead, planRepeats } from './read.ts';
import { planSequences } from './sequence.ts';
import { planAllowed } from './sequence/actions.ts';
import { linkedOperations } from './sequence/links.ts';

export type { SkippedOperation } from './draft/draft-all.ts';

/** Sequences that may be sent side by side; a stage begins when the one before it is done. */
export interface Stage {
  readonly phase: Phase;
  readonly sequences: readonly Sequence[];
}

/**
 * Everything that a run will send but for confirmations and clean-up. The same request for a plan
 * gives the same plan.
 */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
  /** How much each case tells, by its id, where the plan is ordered by that. */
  readonly worths?: ReadonlyMap<string, Worth>;
}

/** Plans a run. Deterministic: no clock, no chance, no network. */
export function makePlan(request: PlanRequest): Plan {
  const steps = planAll(request);
  return openSharing()(() => {
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    return step.value;
  });
}

/**
 * The same plan, made in short turns between which the process handles signals, timers and
 * connections. Undefined where the signal is aborted before the plan is complete.
 */
export async function makePlanInTurns(
  request: PlanRequest,
  signal: AbortSignal,
): Promise<Plan | undefined> {
  try {
    return await inTurns(planAll(request), { signal, around: openSharing() });
  } finally {
    forgetPlanned();
  }
}

function* planAll(request: PlanRequest): Generator<void, Plan> {
  const {
    contract,
    mode,
    seed,
    runId,
    tokenOf = () => undefined,
    givenHeaders = noHeaders,
    examples,
  } = request;
  const rules = request.rules ?? readEffectRules(contract, {});
  const reasons = new Map(
    contract.operations.flatMap((operation) => {
      const reason = reasonToSkip({ ...request, rules }, operation);
      return reason === undefined ? [] : [[operation, reason] as const];
    }),
  );
  const { drafts, restorable, skipped } = yield* draftAll(contract, {
    seed,
    examples,
    givenHeaders,
    reasons,
    rules,
  });
  const context: PlanContext = {
    contract,
    mode,
    seed,
    runId,
    tokenOf,
    givenHeaders,
    drafts,
    restorable,
    examples,
    rules,
    room: roomFor(drafts.length, mode),
    maySend: (operation) => !reasons.has(operation),
  };
  const linked = linkedOperations(context);
  const stages = yield* planStages(context);
  forgetPlanned();
  return { stages, skipped: skipped.filter(({ operation }) => !linked.has(operation)) };
}

const noHeaders: ReadonlySet<string> = new Set();

/** Releases the values that the phases of a plan share. */
function forgetPlanned(): void {
  forgetValues();
  forgetBrokenRules();
  forgetEdges();
}

type PlanDrafts = (context: PlanContext, drafts: readonly Draft[]) => Sequence[];

/** Plans one phase draft by draft. A large contract has thousands of drafts. */
function* eachDraft(context: PlanContext, plan: PlanDrafts): Generator<void, Sequence[]> {
  const sequences: Sequence[] = [];
  for (const draft of context.drafts) {
    for (const sequence of plan(context, [draft])) sequences.push(sequence);
    yield;
  }
  return sequences;
}

function* planStages(context: PlanContext): Generator<void, Stage[]> {
  // Most of the work is here; the other phases use the values that these have made.
  const bodies = yield* eachDraft(context, planBodyBoundaries);
  const parameters = yield* eachDraft(context, planParameterBoundaries);
  const changes = yield* eachDraft(context, planChangeBoundaries);
  const negative = yield* eachDraft(context, planNegative);
  const random = yield* eachDraft(context, planRandom);
  const counting = [...planRefusals(context), ...planPages(context)];
  const stages: Stage[] = [
    { phase: 'probe', sequences: planProbe(context) },
    ...byDepth('read', planRead(context)),
    // Whoever counts records wants nobody else to write meanwhile, and as few records as may be.
    ...oneByOne(counting.filter((sequence) => !needsOwn(sequence))),
    ...byDepth('boundary', bodies),
    ...oneByOne(counting.filter(needsOwn)),
    // Nobody of the run writes meanwhile: a list that changes is no longer what a client has.
    {
      phase: 'boundary',
      sequences: [...parameters, ...planHead(context), ...planConditionalReads(context)],
    },
    {
      phase: 'negative',
      sequences: [...changes, ...negative, ...planMissing(context), ...planMethods(context)],
    },
    { phase: 'auth', sequences: planAuth(context) },
    {
      phase: 'sequence',
      sequences: [...planSequences(context), ...planChanges(context), ...planConditions(context)],
    },
    { phase: 'sequence', sequences: planLists(context) },
    { phase: 'sequence', sequences: planConcurrent(context) },
    { phase: 'sequence', sequences: planAllowed(context) },
    { phase: 'random', sequences: random },
  ];
  const repeats: Stage = {
    phase: 'sequence',
    sequences: planRepeats(
      context,
      stages.flatMap(({ sequences }) => sequences),
    ),
  };
  stages.splice(-2, 0, repeats);
  return stages.filter(({ sequences }) => sequences.length > 0);
}

function oneByOne(sequences: readonly Sequence[]): Stage[] {
  return sequences.map((sequence) => ({ phase: 'sequence', sequences: [sequence] }));
}

/** Whether a sequence works below a record that the run has to create first. */
function needsOwn({ cases }: Sequence): boolean {
  return cases.some(({ request }) => request.arguments.some(({ source }) => source.kind === 'own'));
}

/** What stands below other records comes after them: they have to be known first. */
function byDepth(phase: Phase, sequences: readonly Sequence[]): Stage[] {
  const depthOf = ({ cases: [first] }: Sequence): number =>
    first?.request.arguments.filter(
      ({ source }) => source.kind === 'known' || source.kind === 'own',
    ).length ?? 0;
  const layers = [...Map.groupBy(sequences, depthOf)].sort(([left], [right]) => left - right);
  return layers.map(([, layer]) => ({ phase, sequences: layer }));
}

/** How long one turn may take before the event loop gets its turn. */
const turnMs = 40;

/** When to stop, and what each turn is done within. */
interface Turns {
  readonly signal: AbortSignal;
  around<Result>(work: () => Result): Result;
}

/**
 * Takes the steps of long synchronous work in short turns, so that signals and timers are handled
 * in between. Answers the result, or undefined where the signal is aborted first.
 */
async function inTurns<Result>(
  steps: Generator<void, Result>,
  { signal, around }: Turns,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    const step = around(() => oneTurn(steps));
    if (step.done === true) return step.value;
    await setImmediate();
  }
  return undefined;
}

function oneTurn<Result>(steps: Generator<void, Result>): IteratorResult<void, Result> {
  const end = performance.now() + turnMs;
  let step = steps.next();
  while (step.done !== true && performance.now() < end) step = steps.next();
  return step;
}

/**
 * What several answers of a list show together. Nothing in it writes: the run is to be no moving
 * target of its own.
 */
function planLists(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => [
    ...planFilters(context, listing),
    ...planPageQueries(listing),
    ...planSorting(listing),
  ]);
}
