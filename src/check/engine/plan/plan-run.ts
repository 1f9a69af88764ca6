import { wordsIn } from '../../../words-in.ts';
import { pick } from '../../../json/value.ts';
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../../contract/model.ts';
import { readEffectRules, type EffectRules } from '../../model/effect-rules.ts';
import type { Plan, Sequence, SkippedOperation, Stage } from '../../model/case.ts';
import { listingsOf } from '../../plan/listing.ts';
import { linkedOperations } from '../../plan/links.ts';
import { stagesKeepingRules } from '../../plan/keep-rules.ts';
import { draftAll, skippedOperations, type OperationChoice } from '../../plan/draft-all.ts';
import { withoutActing } from '../../plan/acting-arguments.ts';
import { PlanCache } from '../../plan/plan-cache.ts';
import { takePlain } from '../choose/plain-first.ts';
import { checks } from '../../topics/index.ts';
import type { Moment, Planner } from '../../topics/check.ts';
import { type PlanContext, requestBudget } from '../../plan/plan-context.ts';
import { prioritizePlan } from '../choose/prioritize.ts';
import { shardPlan } from '../choose/shard.ts';
import type { Settings, Credentials } from '../settings.ts';
import { baseUrlOf } from '../../model/base-url.ts';
import type { DraftSettings } from '../../plan/draft.ts';
import type { TokenOf } from '../../secrets/credential.ts';
import type { Identity } from '../../secrets/identities.ts';
import { eachMade } from '../../plan/story.ts';

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

/** Plans all requests of a run, in turns: each `yield` is a point at which planning may pause. */
function* planAll(request: PlanRequest, cache: PlanCache): Generator<void, Plan> {
  const { first, context, skipped } = yield* planFirst(request, cache);
  return { stages: [...first, ...(yield* planRest(context, first))], skipped };
}

/** The probe and the plain reads, which are sent before the others are planned. */
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
    isHeldBack: (operation) => reasons.get(operation)?.code === 'effect',
  };
  const linked = linkedOperations(context);
  const probe = yield* plannedFor('probe', context);
  const reads = yield* plannedFor('reads', context);
  const first = [together('probe', probe), ...byDepth('read', reads)];
  return {
    first: usableStages(first, context),
    skipped: skipped.filter(({ operation }) => !linked.has(operation)),
    operations: new Set([
      ...[...drafts, ...restorable].map(({ operation }) => operation),
      ...linked,
    ]),
    context,
  };
}

/** All other requests, moment by moment. */
function* planRest(
  context: PlanContext,
  first: readonly Stage[],
): Generator<void, readonly Stage[]> {
  const stages: Stage[] = [...first];
  const counted = yield* plannedFor('counted', context);
  const [below, free] = [counted.filter(needsOwn), counted.filter((item) => !needsOwn(item))];
  stages.push(together('sequence', yield* plannedFor('first lists', context)));
  // Counting records needs few of them, and no other writer meanwhile.
  stages.push(...oneByOne(free));
  const creates = yield* plannedFor('creates', context);
  const values = yield* plannedFor('values', context);
  const refusals = yield* plannedFor('refusals', context);
  const credentials = yield* plannedFor('credentials', context);
  const stories = yield* plannedFor('stories', context);
  const reads = first.flatMap(({ sequences }) => sequences);
  const made = takePlain([creates], reads);
  const others = takePlain([values, stories], [...reads, ...made.plain]);
  const [otherCreates = []] = made.left;
  const [otherValues = [], otherStories = []] = others.left;
  // Breadth first: every operation gets its plain request before any gets a variation.
  stages.push(...byDepth('boundary', made.plain), together('sequence', others.plain));
  stages.push(...byDepth('boundary', otherCreates));
  stages.push(...oneByOne(below));
  // No other sequence of the run writes meanwhile, so the lists do not change.
  stages.push(together('boundary', otherValues));
  stages.push(together('negative', refusals));
  stages.push(together('auth', credentials));
  stages.push(together('sequence', otherStories));
  stages.push(...oneByOne(yield* plannedFor('stories alone', context)));
  stages.push(together('sequence', yield* plannedFor('jobs', context)));
  stages.push(together('sequence', yield* plannedFor('lists', context)));
  stages.push(together('sequence', yield* plannedFor('at once', context)));
  const later = [
    together('sequence', yield* plannedFor('allowed', context)),
    together('random', yield* plannedFor('random', context)),
  ];
  const all = [...stages, ...later].flatMap(({ sequences }) => sequences);
  stages.push(together('sequence', yield* plannedFor('repeats', context, all)), ...later);
  stages.push(together('auth', yield* plannedFor('identities', context)));
  return usableStages(stages.slice(first.length), context);
}

const planners: readonly Planner[] = checks.flatMap((check): readonly Planner[] =>
  'plan' in check ? check.plan : [],
);

/** What the checks plan for a moment, in the order of their table. */
function* plannedFor(
  moment: Moment,
  context: PlanContext,
  others: readonly Sequence[] = [],
): Generator<void, Sequence[]> {
  const sequences: Sequence[] = [];
  const due = planners.filter(({ at }) => at === moment);
  for (const planner of due) {
    // A large contract has thousands of drafts.
    const drafts = 'each' in planner ? context.drafts : [];
    for (const draft of drafts) {
      if ('each' in planner) sequences.push(...planner.each(context, draft));
      yield;
    }
    sequences.push(...plannedBy(planner, context, others));
    yield;
  }
  for (const listing of due.some((planner) => 'list' in planner) ? listingsOf(context) : [])
    for (const planner of due)
      if ('list' in planner) sequences.push(...planner.list(listing, context));
  return sequences;
}

function plannedBy(
  planner: Planner,
  context: PlanContext,
  others: readonly Sequence[],
): readonly Sequence[] {
  if ('all' in planner) return planner.all(context, others);
  if ('listing' in planner)
    return listingsOf(context).flatMap((one) => planner.listing(one, context));
  if ('made' in planner) return eachMade(context).flatMap((one) => planner.made(context, one));
  return 'resource' in planner
    ? context.contract.resources.flatMap((one) => planner.resource(context, one))
    : [];
}

function usableStages(stages: readonly Stage[], context: PlanContext): readonly Stage[] {
  const usable = stages.map((stage) => ({
    ...stage,
    sequences: withoutActing(stage.sequences, context),
  }));
  return stagesKeepingRules(
    usable.filter(({ sequences }) => sequences.length > 0),
    context.contract,
  );
}

function together(phase: Stage['phase'], sequences: readonly Sequence[]): Stage {
  return { phase, sequences };
}

function oneByOne(sequences: readonly Sequence[]): Stage[] {
  return sequences.map((sequence) => ({ phase: 'sequence', sequences: [sequence] }));
}

/** Whether a sequence works below a record that the run has to create first. */
function needsOwn({ cases }: Sequence): boolean {
  return cases.some(({ request }) => request.arguments.some(({ source }) => source.kind === 'own'));
}

/** Requests below other records come later: those records must be known first. */
function byDepth(phase: Stage['phase'], sequences: readonly Sequence[]): Stage[] {
  const depthOf = ({ cases: [first] }: Sequence): number =>
    first?.request.arguments.filter(
      ({ source }) => source.kind === 'known' || source.kind === 'own' || source.kind === 'seen',
    ).length ?? 0;
  const layers = [...Map.groupBy(sequences, depthOf)].sort(([left], [right]) => left - right);
  return layers.map(([, layer]) => ({ phase, sequences: layer }));
}

/** The input of a plan. Equal input gives equal plans. */
interface PlanRequest extends Omit<OperationChoice, 'rules'>, Omit<DraftSettings, 'linked'> {
  readonly runId: string;
  /** The token for a security scheme. Default: none has one. */
  readonly tokenOf?: TokenOf | undefined;
  /** The effects of operations, and the operations that the user allows. */
  readonly rules?: EffectRules | undefined;
  /** The identities besides that of the run. Default: none. */
  readonly identities?: readonly Identity[];
}

/** The first requests of a run, and the input for planning the others. */
interface FirstPart extends Pick<PlanInParts, 'first' | 'skipped' | 'operations'> {
  readonly context: PlanContext;
}

/** The input of a plan, from the settings of a run. */
function planRequest(settings: Settings): PlanRequest {
  const { credentials, clock } = settings;
  return {
    ...pick(settings, wordsIn('contract mode seed runId skips rules examples values')),
    ...pick(settings, wordsIn('include exclude changed')),
    today: clock().toISOString().slice(0, 10),
    tokenOf: (scheme) => tokenFor(credentials, scheme.name),
    givenHeaders: new Set(credentials.headers.map(({ name }) => name.toLowerCase())),
    identities: settings.identities.filter(({ lacks }) => lacks === undefined),
    missingServer(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? undefined : { code: 'other-server', reason: base.reason, opens: base.opens };
    },
  };
}

function tokenFor(
  { token, tokenFor: schemes, tokens }: Credentials,
  scheme: string,
): string | undefined {
  return tokens[scheme] ?? (schemes.includes(scheme) ? token : undefined);
}
