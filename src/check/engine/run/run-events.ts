import { VouchError } from '../../../errors.ts';
import { acceptKnown } from '../baseline/baseline.ts';
import { onlyReads } from '../../model/effect-rules.ts';
import { groupSuspicions, type SuspicionGroup } from '../judge/group.ts';
import { joinCauses } from '../judge/join-causes.ts';
import type { Suspicion } from '../judge/judge.ts';
import { makeFinding } from '../judge/make-finding.ts';
import { rankFindings } from '../judge/rank.ts';
import { makeSequence } from '../../model/case.ts';
import type { RunEvent } from '../../model/event.ts';
import type { Finding } from '../../model/finding.ts';
import { isSafe } from '../../model/step.ts';
import { redactEvent } from '../../secrets/redact.ts';
import { shellSecrets } from '../../secrets/secrets.ts';
import { hasTrait } from '../../topics/index.ts';
import { partSkipped, toSkippedFinding } from '../skip.ts';
import { cleanUpAfterRun, leavesNow } from './cleanup.ts';
import {
  type RunOutcome,
  announceRun,
  concludeRun,
  emptyOutcome,
  verdictOn,
} from './conclude-run.ts';
import { confirmAll, unconfirmed } from '../confirm/confirm-all.ts';
import type { ConfirmedGroup } from '../confirm/confirm.ts';
import type { PlanSize } from '../plan/plan-queue.ts';
import { latencyOf } from '../../reading/latency.ts';
import { EventQueue, recordedEvent } from '../send/event-queue.ts';
import { executePlan, once, type UserWorkflows } from './execute-plan.ts';
import type { RecordedExchange, Sender } from '../send/execute-sequence.ts';
import type { OpenRun } from './open-run.ts';
import type { Exchange } from '../../model/exchange.ts';

/**
 * The events of a run: plan → send → judge → confirm → clean up → finish. However it ends, its
 * records are cleaned up, and `run-finished` comes last.
 */
export async function* runEvents(
  plan: () => OpenRun | Promise<OpenRun>,
): AsyncGenerator<RunEvent, void> {
  const queue = new EventQueue<RunEvent>();
  const run = recordExchanges(queue, await plan());
  const { redactor, limits } = run;
  const outcome = emptyOutcome();
  const told: Told = { groups: [], kinds: new Set() };
  const cleanUp = once(() => cleanUpRun(run, outcome));
  const work = async (): Promise<void> => {
    await surviving(findFaults(run, outcome, told), outcome);
    await surviving(securing(run, outcome, queue), outcome);
    await surviving(cleanUp(), outcome);
    // After the clean-up nothing may be sent that leaves a record.
    await surviving(tellFailures(run, { outcome, told, confirm: leaveUnconfirmed }), outcome);
  };
  try {
    for (const event of announceRun(run)) yield redactEvent(event, redactor);
    run.queue.whenComplete((size) => void queue.put(planMade(run, size)));
    // Most events of a run come from here: `yield*` would create promises for each of them a second
    // time.
    for await (const events of queue.during(work, () => limits.abandon()))
      for (const event of events) yield event;
    for (const event of concludeRun(run, outcome)) yield redactEvent(event, redactor);
  } finally {
    // If the reader stops early, the records are cleaned up too.
    queue.close();
    limits.abandon();
    try {
      await surviving(cleanUp(), outcome);
    } finally {
      await run.close();
    }
  }
}

/** The size of the plan, and how long it takes if answers take as long as those so far. */
function planMade({ log }: OpenRun, { requests, rounds }: PlanSize): RunEvent {
  const latency = latencyOf(log.steps.map(({ exchange }) => exchange.durationMs));
  const expected = latency && { answerMs: latency.p50, expectedMs: rounds * latency.p50 };
  return { type: 'plan-made', cases: requests, requests, ...expected };
}

/** What the findings of a run are written from. */
interface Told {
  readonly groups: ConfirmedGroup[];
  /** What the failures in the groups are, see `kindOf`. */
  readonly kinds: Set<string>;
}

/** Sends the plan, judges the responses and confirms the suspicions. */
async function findFaults(run: OpenRun, outcome: RunOutcome, told: Told): Promise<void> {
  await sendPlan(run, outcome);
  const suspicions = judgeAnswers(run, outcome);
  // A workflow says itself what it expects, also where every answer is a refusal; a failure is one
  // whatever else was tested.
  const isTested = !verdictOn(run, outcome).nothingTested || outcome.workflows !== undefined;
  const judged = isTested ? suspicions : suspicions.filter(isFailure);
  for (const suspicion of judged.filter(isFailure)) told.kinds.add(kindOf(suspicion));
  told.groups.push(...(await confirmGroups(run, groupReported(run, outcome, judged))));
  // Confirmations are requests too.
  await tellFailures(run, { outcome, told, confirm: confirmGroups });
}

/** Where failures are told, and how they are confirmed. */
interface Telling {
  readonly outcome: RunOutcome;
  readonly told: Told;
  confirm(run: OpenRun, groups: readonly SuspicionGroup[]): Promise<readonly ConfirmedGroup[]>;
}

/** Writes the findings, with the failures of a kind that none of them has. */
async function tellFailures(run: OpenRun, { outcome, told, confirm }: Telling): Promise<void> {
  const fresh = untoldFailures(run, []).filter((one) => !told.kinds.has(kindOf(one)));
  for (const suspicion of fresh) told.kinds.add(kindOf(suspicion));
  told.groups.push(...(await confirm(run, groupReported(run, outcome, fresh))));
  outcome.findings = writeFindings(run, outcome, told.groups);
}

async function leaveUnconfirmed(
  _run: OpenRun,
  groups: readonly SuspicionGroup[],
): Promise<readonly ConfirmedGroup[]> {
  return groups.map((group) => ({ group, confirmation: unconfirmed(group) }));
}

function isFailure({ check }: Suspicion): boolean {
  return hasTrait(check.id, 'failures');
}

/** What tells a failure from others: the operation, the status and the first words. */
function kindOf({ violation }: Suspicion): string {
  return `${violation.at} ${violation.cause ?? ''}`;
}

function untoldFailures(
  { failures, settings: { contract, checks }, judge }: OpenRun,
  told: readonly Suspicion[],
): readonly Suspicion[] {
  const context = { contract, checks, knowledge: judge.knowledge() };
  return failures.untold(context, told);
}

async function sendPlan(run: OpenRun, outcome: RunOutcome): Promise<void> {
  const { queue, sender, limits, lanes, log, census, settings } = run;
  const { url, wait } = settings;
  const bounds = { lanes, url, wait, single: () => lanes.single() };
  const workflows = workflowsOf(run, outcome);
  await executePlan({ queue, sender, limits, log, census, workflows, ...bounds });
  // Refusals of requests for which the service accepts something else are judged last, as notes.
  for (const { step } of sender.lessons?.taught ?? []) {
    const sequence = makeSequence(step.case);
    const entry = log.open(sequence);
    entry.add(step);
    entry.close({ sequence, steps: [step] });
  }
  log.finish();
}

/** The user's workflows, whose results are added to the outcome. */
function workflowsOf(
  { links, settings, sender, log }: OpenRun,
  outcome: RunOutcome,
): UserWorkflows | undefined {
  if (links === undefined) return undefined;
  const { contract, workflows, rules, wait, clock } = settings;
  // A request that the user wrote is sent as it is, also where the run would learn nothing.
  const { lessons: _lessons, ...plain } = sender;
  const named: Sender = { ...plain, isPointless: () => undefined, isNamed: true };
  return {
    changes: [...links.operations].some((operation) => !onlyReads(operation, rules)),
    run: async (onStep) => {
      const { runWorkflows } = await import('../workflows/run-workflows.ts');
      const inputs = workflows?.inputs ?? {};
      const given = { links, contract, inputs, sender: named, log, wait, clock, onStep };
      outcome.workflows = await runWorkflows(given);
    },
  };
}

function judgeAnswers(run: OpenRun, outcome: RunOutcome): readonly Suspicion[] {
  const judged = run.judge.finish();
  outcome.inspected = judged.inspected;
  outcome.crashes.push(...judged.crashes);
  return [...judged.suspicions, ...untoldFailures(run, judged.suspicions)];
}

/** Groups the suspicions by cause. Those that the configuration skips are only counted. */
function groupReported(
  { settings, log }: OpenRun,
  outcome: RunOutcome,
  suspicions: readonly Suspicion[],
): SuspicionGroup[] {
  const { reported, skipped } = partSkipped(suspicions, settings.skips);
  const passed = [...skipped].flatMap(([skip, own]) =>
    groupSuspicions(own, log.steps).map((group) => toSkippedFinding(group, skip)),
  );
  outcome.skippedFindings = [...outcome.skippedFindings, ...passed];
  return groupSuspicions(reported, log.steps);
}

function confirmGroups(
  run: OpenRun,
  groups: readonly SuspicionGroup[],
): Promise<readonly ConfirmedGroup[]> {
  const { settings, sender, limits, lanes, judge, startedAt } = run;
  const { contract, checks, runId, seed, shard, mode } = settings;
  // Confirmations may spend the reserve.
  limits.openReserve();
  const withheld = new Set(run.skipped.map(({ operation }) => operation));
  return confirmAll(groups, {
    sender: { ...sender, isPointless: () => undefined },
    judgeContext: { contract, checks, knowledge: judge.knowledge() },
    runId,
    salt: `${startedAt.toISOString()} ${String(shard?.index ?? 0)}`,
    seed,
    maySend: (operation) => !withheld.has(operation) && (mode !== 'read-only' || isSafe(operation)),
    wait: async (ms) => {
      // The end of the run ends the wait.
      await settings.wait(ms, sender.signals.stop).catch(() => {});
    },
    limits,
    lanes,
  });
}

function writeFindings(
  { settings, redactor, secrets }: OpenRun,
  { inspected }: RunOutcome,
  confirmed: readonly ConfirmedGroup[],
): readonly Finding[] {
  const { contract, runId, baseline = [] } = settings;
  const writer = { contract, runId, redactor, shellSecrets: shellSecrets(secrets) };
  const found = withoutMildTwins(confirmed).flatMap(
    ({ group, confirmation }) => makeFinding(group, confirmation, writer) ?? [],
  );
  return rankFindings(joinCauses(acceptKnown(found, baseline), contract, inspected));
}

/** Passes the report of a run that may change something, as it stands, to `beforeCleanUp`. */
async function securing(
  run: OpenRun,
  outcome: RunOutcome,
  queue: EventQueue<RunEvent>,
): Promise<void> {
  const { beforeCleanUp, mode } = run.settings;
  const left = leavesNow(run);
  if (beforeCleanUp === undefined || (mode === 'read-only' && left.length === 0)) return;
  // The reader has every earlier event by then.
  await queue.whenRead();
  const events = [...concludeRun(run, { ...outcome, left })];
  beforeCleanUp(events.map((event) => redactEvent(event, run.redactor)));
}

async function cleanUpRun(run: OpenRun, outcome: RunOutcome): Promise<void> {
  const { left, census } = await cleanUpAfterRun(run);
  outcome.left = left;
  if (census !== undefined) outcome.census = census;
}

/** The run, with every exchange recorded in its log and put into the queue as an event. */
function recordExchanges(queue: EventQueue<RunEvent>, run: OpenRun): OpenRun {
  const { log, redactor, settings, startedAt } = run;
  const report = (recorded: RecordedExchange): Promise<void> | undefined => {
    log.record(recorded);
    const elapsedMs = settings.clock().getTime() - startedAt.getTime();
    return queue.put(recordedEvent(recorded, { redactor, elapsedMs }));
  };
  return { ...run, sender: { ...run.sender, report } };
}

/** An internal error ends only the part of the run in which it happens, and is reported. */
async function surviving(part: Promise<void>, { crashes }: RunOutcome): Promise<void> {
  try {
    await part;
  } catch (error) {
    // A request that a safety rule refuses is a usage error, and ends the run.
    if (error instanceof VouchError && error.code === 'refused-for-safety') throw error;
    crashes.push({
      check: 'the run itself',
      message: error instanceof Error ? error.message : String(error),
      stack: error instanceof Error ? (error.stack ?? '') : '',
    });
  }
}

/**
 * That one request was answered so is not an error in one finding and a note in another: the groups
 * without the notes about the status of exchanges that an error is about.
 */
export function withoutMildTwins(confirmed: readonly ConfirmedGroup[]): ConfirmedGroup[] {
  const grave = new Set(
    confirmed
      .filter(({ confirmation: { severity } }) => severity === 'error')
      .flatMap(({ group }) => group.suspicions.map(exchangeOf)),
  );
  return confirmed.flatMap((one): ConfirmedGroup[] => {
    const { group, confirmation } = one;
    if (confirmation.severity !== 'note' || !isAboutStatus(group.suspicions[0])) return [one];
    const [first, ...rest] = group.suspicions.filter((each) => !grave.has(exchangeOf(each)));
    if (first === undefined) return [];
    if (first === group.suspicions[0] && rest.length + 1 === group.suspicions.length) return [one];
    // What is shown is the simplest of those that are left.
    const { violation, steps, sequence } = first;
    const isWhole = group.violation !== group.suspicions[0].violation;
    return [
      {
        group: {
          ...group,
          suspicions: [first, ...rest],
          violation: isWhole ? group.violation : violation,
        },
        confirmation: {
          ...confirmation,
          violation,
          steps,
          sequence: { ...sequence, cases: sequence.cases.slice(0, steps.length) },
        },
      },
    ];
  });
}

/** What a body or a header lacks is another matter than the error. */
function isAboutStatus({ check: { id } }: Suspicion): boolean {
  return hasTrait(id, 'undocumented') || hasTrait(id, 'statuses');
}

function exchangeOf({ steps }: Suspicion): Exchange | undefined {
  return steps.at(-1)?.exchange;
}
