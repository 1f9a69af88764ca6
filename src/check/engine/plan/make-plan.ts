import type { Sequence } from '../../model/case.ts';
import { readEffectRules } from '../../model/effect-rules.ts';
import type { Plan, Stage } from '../../model/plan.ts';
import { withoutActing } from '../../plan/acting-arguments.ts';
import { draftAll, skippedOperations } from '../../plan/draft-all.ts';
import { stagesKeepingRules } from '../../plan/keep-rules.ts';
import { linkedOperations } from '../../plan/links.ts';
import { listingsOf } from '../../plan/listing.ts';
import type { PlanCache } from '../../plan/plan-cache.ts';
import { type PlanContext, requestBudget } from '../../plan/plan-context.ts';
import type { Moment, Planner } from '../../topics/check.ts';
import { checks } from '../../topics/index.ts';
import { takePlain } from '../choose/plain-first.ts';
import type { FirstPart, PlanRequest } from './plan-request.ts';

/** Plans all requests of a run, in turns: each `yield` is a point at which planning may pause. */
export function* planAll(request: PlanRequest, cache: PlanCache): Generator<void, Plan> {
  const { first, context, skipped } = yield* planFirst(request, cache);
  return { stages: [...first, ...(yield* planRest(context, first))], skipped };
}

/** The probe and the plain reads, which are sent before the others are planned. */
export function* planFirst(request: PlanRequest, cache: PlanCache): Generator<void, FirstPart> {
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
export function* planRest(
  context: PlanContext,
  first: readonly Stage[],
): Generator<void, readonly Stage[]> {
  const stages: Stage[] = [...first];
  const counted = yield* plannedFor('counted', context);
  const [below, free] = partition(counted, needsOwn);
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
      if ('each' in planner) sequences.push(...planner.each(context, [draft]));
      yield;
    }
    if ('all' in planner) sequences.push(...planner.all(context, others));
    yield;
  }
  for (const listing of due.some((planner) => 'list' in planner) ? listingsOf(context) : [])
    for (const planner of due)
      if ('list' in planner) sequences.push(...planner.list(listing, context));
  return sequences;
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

function partition<Item>(items: readonly Item[], holds: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
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
