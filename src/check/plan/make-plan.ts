import type { Contract, Operation } from '../../contract/model.ts';
import { forgetBrokenRules } from '../../values/broken-rules.ts';
import { forgetValues } from '../../values/remember-values.ts';
import { openSharing } from '../../values/share-values.ts';
import { type EffectRules, readEffectRules, whyWithheld } from '../effect/effect-rules.ts';
import type { Sequence } from '../model/case.ts';
import type { Mode, Phase } from '../model/phase.ts';
import type { Plan, Stage } from '../model/plan.ts';
import { isSecured, type TokenOf, usableRequirement, whyUnusable } from '../secrets/credential.ts';
import type { Changed } from '../settings.ts';
import { type Skip, whySkipped } from '../skip.ts';
import { planAllowed } from './allowed.ts';
import { planAuth } from './auth.ts';
import { planBodyBoundaries, planChangeBoundaries, planParameterBoundaries } from './boundary.ts';
import { planConcurrent } from './concurrent/plan-concurrent.ts';
import { planConditionalReads } from './condition/conditional-reads.ts';
import { planConditions } from './condition/plan-conditions.ts';
import type { Draft, ParameterExamples } from './draft.ts';
import { forgetEdges } from './draft/body-values.ts';
import { draftAll } from './draft/draft-all.ts';
import { planHead } from './head.ts';
import { inTurns } from './in-turns.ts';
import { planChanges } from './list/change-sequences.ts';
import { planPages } from './list/page-sequences.ts';
import { planLists } from './list/plan-lists.ts';
import { planRefusals } from './list/refusal-sequences.ts';
import { planMethods } from './method.ts';
import { planMissing } from './missing.ts';
import { planNegative } from './negative.ts';
import type { PlanContext } from './plan-context.ts';
import { planProbe } from './probe.ts';
import { planRandom } from './random/plan-random.ts';
import { planRead } from './read.ts';
import { planRepeats } from './repeat/plan-repeats.ts';
import { roomFor } from './room.ts';
import { sameRequestAs } from './same-request.ts';
import { planSequences } from './sequence.ts';
import { linkedOperations } from './sequence/links.ts';

/** What a plan is made from. */
export interface PlanRequest {
  readonly contract: Contract;
  readonly mode: Mode;
  readonly seed: string;
  readonly runId: string;
  /** The token that goes to a scheme; no scheme has one unless told. */
  readonly tokenOf?: TokenOf | undefined;
  /** The names of headers that the user adds to every request, in lower case; none unless told. */
  readonly givenHeaders?: ReadonlySet<string>;
  /**
   * Whether there is a base URL for an operation; the clause that says what is missing where there
   * is none.
   */
  missingServer(operation: Operation): string | undefined;
  /** The day of the run, `YYYY-MM-DD`: operations that were removed before it are left out. */
  readonly today: string;
  /**
   * Values that the user gave for parameters which nobody else can know, by operation id and
   * parameter name.
   */
  readonly examples?: ParameterExamples;
  /** What the user wants left alone; none unless told. */
  readonly skips?: readonly Skip[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly changed?: Changed;
  /** What the operations do, and which of them the user allows. */
  readonly rules?: EffectRules | undefined;
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

/** Whether nothing is documented that a client could wait for (RFC 9110, section 15.2). */
function isInterim({ responses }: Operation): boolean {
  return responses.length > 0 && responses.every(({ status }) => status.startsWith('1'));
}

function reasonToSkip(
  request: PlanRequest & { readonly rules: EffectRules },
  operation: Operation,
): string | undefined {
  const { include, exclude, changed, mode } = request;
  if (include !== undefined && !include.includes(operation.id))
    return 'the run is limited to other operations (--include)';
  if (exclude?.includes(operation.id) === true) return 'it is excluded (--exclude)';
  const skipped = whySkipped(request.skips ?? [], operation.id);
  if (skipped !== undefined) return skipped;
  if (changed !== undefined && !changed.operations.includes(operation.id))
    return `its contract has not changed since ${changed.since}`;
  const missing = request.missingServer(operation);
  if (missing !== undefined) return missing;
  const same = sameRequestAs(request.contract, operation);
  if (same !== undefined)
    return `its requests are the same as those of ${same.id}, so no answer can be told to be its own`;
  if (operation.sunset !== undefined && operation.sunset <= request.today)
    return `the contract says that it was removed on ${operation.sunset}`;
  if (isInterim(operation))
    return `the contract documents ${operation.responses.map(({ status }) => status).join(', ')} alone, which ends no exchange`;
  if (operation.method === 'TRACE' || operation.method === 'QUERY')
    return `vouch sends no ${operation.method} requests`;
  const withheld = whyWithheld(operation, request.rules, mode);
  if (withheld !== undefined) return withheld;
  if (isSecured(operation) && usableRequirement(operation) === undefined)
    return whyUnusable(operation);
  return undefined;
}
