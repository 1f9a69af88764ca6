import { setImmediate } from 'node:timers/promises';
import type { Contract, Operation } from '../../contract/model.ts';
import { defined } from '../../json/value.ts';
import { baseUrlOf } from '../base-url.ts';
import { prioritizePlan } from '../choose/prioritize.ts';
import { shardPlan } from '../choose/shard.ts';
import { type EffectRules, readEffectRules } from '../effect/effect-rules.ts';
import type { Sequence } from '../model/case.ts';
import type { Phase } from '../model/phase.ts';
import type { Plan, SkippedOperation, Stage } from '../model/plan.ts';
import type { TokenOf } from '../secrets/credential.ts';
import type { Identity } from '../secrets/identities.ts';
import type { Credentials, Settings } from '../settings.ts';
import { planAuth } from './auth.ts';
import { planBodyBoundaries, planChangeBoundaries, planParameterBoundaries } from './boundary.ts';
import { planConditionalReads } from './condition/conditional-reads.ts';
import { planConditions } from './condition/plan-conditions.ts';
import type { Draft, ParameterExamples } from './draft.ts';
import { draftAll, type OperationChoice, skippedOperations } from './draft/draft-all.ts';
import { planChanges } from './list/change-sequences.ts';
import { planFinding } from './list/finding-stories.ts';
import { planEarlyFilters, planFilters, planSetFilters } from './list/filter-sequences.ts';
import { stagesKeepingRules } from './keep-rules.ts';
import type { GivenValues } from './draft/given-values.ts';
import { listingsOf } from './list/listing.ts';
import { planPageQueries, planPages } from './list/page-sequences.ts';
import { planRefusals } from './list/refusal-sequences.ts';
import { planSorting } from './list/sort-sequences.ts';
import { planConcurrent } from './make-create.ts';
import { planIdentities } from './identities.ts';
import { planMethods } from './method.ts';
import { planMissing } from './missing.ts';
import { planNegative } from './negative.ts';
import { PlanCache } from './plan-cache.ts';
import { type PlanContext, requestBudget } from './plan-context.ts';
import { planRandom } from './random/plan-random.ts';
import { planHead, planProbe, planRead, planRepeats } from './read.ts';
import { planSequences } from './sequence.ts';
import { planFieldRules } from './sequence/field-rules.ts';
import { planAllowed, planOpeners } from './sequence/actions.ts';
import { planBulk, planJobs } from './relation/plan-jobs.ts';
import { planFiles, planTables } from './relation/plan-files.ts';
import { planOffsets } from './relation/plan-offsets.ts';
import { planRelations } from './relation/plan-relations.ts';
import { planStates } from './relation/plan-states.ts';
import { planShownTwice } from './relation/plan-shown-twice.ts';
import { linkedOperations } from './sequence/links.ts';

/** The input of a plan. Equal input gives equal plans. */
export interface PlanRequest extends Omit<OperationChoice, 'rules'> {
  readonly seed: string;
  readonly runId: string;
  /** The token for a security scheme. Default: none has one. */
  readonly tokenOf?: TokenOf | undefined;
  /** The names of headers that the user adds to every request, in lower case. */
  readonly givenHeaders?: ReadonlySet<string>;
  /** Parameter values that only the user knows, by operation id and parameter name. */
  readonly examples?: ParameterExamples;
  /** Values that only the user knows, by operation or by schema. */
  readonly values?: GivenValues | undefined;
  /** The effects of operations, and the operations that the user allows. */
  readonly rules?: EffectRules | undefined;
  /** The identities besides that of the run. Default: none. */
  readonly identities?: readonly Identity[];
}

/** A plan whose first requests are known: they are sent before the others are planned. */
export interface PlanInParts {
  /** The probe and the plain reads, or the whole plan. */
  readonly first: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
  /** The operations that may get requests. */
  readonly operations: ReadonlySet<Operation>;
  /** The priority of each case, by its id, if the plan is ordered by it. */
  readonly worths?: Plan['worths'];
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

function* planAll(request: PlanRequest, cache: PlanCache): Generator<void, Plan> {
  const { first, context, skipped } = yield* planFirst(request, cache);
  return { stages: [...first, ...(yield* planRest(context, first))], skipped };
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

/** The first requests of a run, and the input for planning the others. */
interface FirstPart {
  readonly first: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
  readonly operations: ReadonlySet<Operation>;
  readonly context: PlanContext;
}

function* planFirst(request: PlanRequest, cache: PlanCache): Generator<void, FirstPart> {
  const { contract, mode, seed, runId, examples, values, identities = [] } = request;
  const { tokenOf = () => undefined, givenHeaders = new Set(), rules: given } = request;
  const rules = given ?? readEffectRules(contract, {});
  const reasons = skippedOperations({ ...request, rules });
  const settings = { seed, examples, values, givenHeaders, reasons, rules };
  const { drafts, restorable, skipped } = yield* draftAll(contract, settings);
  const context: PlanContext = {
    contract,
    mode,
    seed,
    runId,
    tokenOf,
    givenHeaders,
    drafts,
    draftByOperation: new Map(drafts.map((draft) => [draft.operation, draft])),
    restorable,
    examples,
    rules,
    identities,
    budget: requestBudget(drafts.length, mode),
    cache,
    maySend: (operation) => !reasons.has(operation),
  };
  const linked = linkedOperations(context);
  const first: Stage[] = [
    { phase: 'probe', sequences: planProbe(context) },
    ...byDepth('read', planRead(context)),
  ];
  return {
    first: usableStages(first, contract),
    skipped: skipped.filter(({ operation }) => !linked.has(operation)),
    operations: new Set([
      ...[...drafts, ...restorable].map(({ operation }) => operation),
      ...linked,
    ]),
    context,
  };
}

function usableStages(stages: readonly Stage[], contract: Contract): readonly Stage[] {
  return stagesKeepingRules(
    stages.filter(({ sequences }) => sequences.length > 0),
    contract,
  );
}

function* planRest(
  context: PlanContext,
  first: readonly Stage[],
): Generator<void, readonly Stage[]> {
  // Most of the work is here; the other phases reuse these values.
  const bodies = yield* eachDraft(context, planBodyBoundaries);
  const parameters = yield* eachDraft(context, planParameterBoundaries);
  const changes = yield* eachDraft(context, planChangeBoundaries);
  const negative = yield* eachDraft(context, planNegative);
  const random = yield* eachDraft(context, planRandom);
  // Each of these may take long in a large contract, and a signal is handled between them.
  const early = earlyStages(context, [...planOpeners(context), ...bodies]);
  yield;
  const reads = [...planHead(context), ...planConditionalReads(context)];
  yield;
  const refusals = [...planMissing(context), ...planMethods(context)];
  yield;
  const auth = planAuth(context);
  yield;
  const created = [
    ...planSequences(context),
    ...planFieldRules(context),
    ...planSetFilters(context),
    ...planFinding(context),
  ];
  yield;
  const related = planRelated(context);
  const changed = [...planChanges(context), ...planConditions(context)];
  yield;
  const lists = planLists(context);
  yield;
  const earlier: Stage[] = [
    ...early,
    // No other sequence of the run writes meanwhile, so the lists do not change.
    { phase: 'boundary', sequences: [...parameters, ...reads] },
    { phase: 'negative', sequences: [...changes, ...negative, ...refusals] },
    { phase: 'auth', sequences: auth },
    { phase: 'sequence', sequences: [...created, ...changed, ...related] },
    ...oneByOne(planTables(context)),
    { phase: 'sequence', sequences: planJobs(context) },
    { phase: 'sequence', sequences: lists },
    { phase: 'sequence', sequences: planConcurrent(context) },
  ];
  const later: Stage[] = [
    { phase: 'sequence', sequences: planAllowed(context) },
    { phase: 'random', sequences: random },
  ];
  const others = [...first, ...earlier, ...later].flatMap(({ sequences }) => sequences);
  const repeats: Stage = { phase: 'sequence', sequences: planRepeats(context, others) };
  // Last: a service without access control would let another identity change records of the run.
  const last: Stage = { phase: 'auth', sequences: planIdentities(context) };
  return usableStages([...earlier, repeats, ...later, last], context.contract);
}

/** What shows that records agree with each other. */
function planRelated(context: PlanContext): Sequence[] {
  return [
    ...planRelations(context),
    ...planShownTwice(context),
    ...planFiles(context),
    ...planStates(context),
    ...planBulk(context),
    ...planOffsets(context),
  ];
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

/**
 * Creates, whose records later requests read and change, and the counting of records before them.
 */
function earlyStages(context: PlanContext, bodies: readonly Sequence[]): Stage[] {
  // Counting records needs few of them, and no other writer meanwhile.
  const counting = [...planRefusals(context), ...planPages(context)];
  return [
    { phase: 'sequence', sequences: planEarlyFilters(context) },
    ...oneByOne(counting.filter((sequence) => !needsOwn(sequence))),
    ...byDepth('boundary', bodies),
    ...oneByOne(counting.filter(needsOwn)),
  ];
}

function oneByOne(sequences: readonly Sequence[]): Stage[] {
  return sequences.map((sequence) => ({ phase: 'sequence', sequences: [sequence] }));
}

/** Whether a sequence works below a record that the run has to create first. */
function needsOwn({ cases }: Sequence): boolean {
  return cases.some(({ request }) => request.arguments.some(({ source }) => source.kind === 'own'));
}

/** Requests below other records come later: those records must be known first. */
function byDepth(phase: Phase, sequences: readonly Sequence[]): Stage[] {
  const depthOf = ({ cases: [first] }: Sequence): number =>
    first?.request.arguments.filter(
      ({ source }) => source.kind === 'known' || source.kind === 'own' || source.kind === 'seen',
    ).length ?? 0;
  const layers = [...Map.groupBy(sequences, depthOf)].sort(([left], [right]) => left - right);
  return layers.map(([, layer]) => ({ phase, sequences: layer }));
}

/** Tests that need several responses of a list. None of these sequences writes. */
function planLists(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => [
    ...planFilters(context, listing),
    ...planPageQueries(listing),
    ...planSorting(listing),
  ]);
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
  return { first: stages, skipped, operations, ...defined({ worths }) };
}

function selectPart({ contract, shard, budgetMs }: Settings, plan: Plan): Plan {
  const part = shard === undefined ? plan : shardPlan(plan, contract, shard);
  return budgetMs === undefined ? part : prioritizePlan(part);
}

function planRequest(settings: Settings): PlanRequest {
  const { contract, mode, seed, runId, credentials, clock, skips, rules } = settings;
  const { examples, values, include, exclude, changed } = settings;
  return {
    contract,
    mode,
    seed,
    runId,
    today: clock().toISOString().slice(0, 10),
    tokenOf: (scheme) => tokenFor(credentials, scheme.name),
    givenHeaders: new Set(credentials.headers.map(({ name }) => name.toLowerCase())),
    skips,
    rules,
    identities: settings.identities.filter(({ lacks }) => lacks === undefined),
    missingServer(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? undefined : base.reason;
    },
    ...defined({ examples, values, include, exclude, changed }),
  };
}

function tokenFor(
  { token, tokenFor: schemes, tokens }: Credentials,
  scheme: string,
): string | undefined {
  return tokens[scheme] ?? (schemes.includes(scheme) ? token : undefined);
}
