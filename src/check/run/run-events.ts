import type { Operation } from '../../contract/model.ts';
import { VouchError } from '../../errors.ts';
import { defined } from '../../json/defined.ts';
import { acceptKnown } from '../baseline/baseline.ts';
import { findLeftOut } from '../choose/prioritize.ts';
import { readRunEffects } from '../effect/effect-rules.ts';
import { groupSuspicions } from '../judge/group.ts';
import { joinCauses } from '../judge/join-causes.ts';
import type { JudgeContext, Crash, Inspections } from '../judge/judge.ts';
import { makeFinding } from '../judge/make-finding.ts';
import { readingsOf } from '../judge/readings.ts';
import { orderFindings, summarise } from '../judge/summary.ts';
import { decideVerdict, type VerdictResult } from '../judge/verdict.ts';
import type { CredentialNote, RunEvent } from '../model/event.ts';
import { type Finding, nameOperation } from '../model/finding.ts';
import type { LeftRecords } from '../model/record.ts';
import type { CensusReport, RunSummary, SkippedFinding } from '../model/run-summary.ts';
import { redactStop, type Stop } from '../model/stop.ts';
import { isSafe } from '../plan/draft.ts';
import { credentialNotes } from '../secrets/credential-note.ts';
import { credentialFor, schemesLacking } from '../secrets/credential.ts';
import { redactEvent } from '../secrets/redact.ts';
import { hasCredential, hasSecretHeader, shellSecrets } from '../secrets/secrets.ts';
import { partSkipped, toSkippedFinding } from '../skip.ts';
import { cleanUp, cleanUpFound } from './cleanup.ts';
import { confirmAll } from './confirm-all.ts';
import { executePlan } from './execute-plan.ts';
import type { RecordedExchange, Sender } from './execute-sequence.ts';
import type { OpenRun } from './open-run.ts';
import { EventQueue, recordedEvent } from './event-queue.ts';

/** What was found out, before it is told. */
interface Outcome {
  findings: readonly Finding[];
  skippedFindings: readonly SkippedFinding[];
  inspected: Inspections;
  readonly crashes: Crash[];
  left: readonly LeftRecords[];
  census?: CensusReport;
}

/**
 * The events of a run, which is opened for the first of them. However it ends, the records that it
 * made are cleaned up, and `run-finished` comes last.
 */
export async function* runEvents(
  open: () => OpenRun | Promise<OpenRun>,
): AsyncGenerator<RunEvent, void> {
  const queue = new EventQueue<RunEvent>();
  const run = toldTo(queue, await open());
  const { redactor, judge, limits } = run;
  const told = (event: RunEvent): RunEvent => redactEvent(event, redactor);
  const outcome: Outcome = {
    findings: [],
    skippedFindings: [],
    inspected: new Map(),
    crashes: [],
    left: [],
  };
  const cleaning = makeCleaning();
  try {
    for (const event of announce(run)) yield told(event);
    for (const work of [investigate, cleaning]) {
      // Nearly all events of a run come from here, and `yield*` would make promises for each of
      // them a second time.
      for await (const events of queue.during(
        () => surviving(work(run, outcome), outcome),
        () => limits.abandon(),
      ))
        for (const event of events) yield event;
    }
    for (const { gap, observed } of judge.observedGaps()) {
      yield told({ type: 'gap-observed', gap, observed: redactor.text(observed) });
    }
    for (const { operation, record, reason, code, count } of outcome.left) {
      const shown = { record: redactor.text(record), reason: redactor.text(reason) };
      yield told({ type: 'record-left', operation, ...shown, code, count });
    }
    for (const { check, message, stack } of outcome.crashes)
      yield {
        type: 'check-crashed',
        check,
        message: redactor.text(message),
        stack: redactor.text(stack),
      };
    for (const finding of outcome.findings) yield told({ type: 'finding-reported', finding });
    yield told({ type: 'run-finished', summary: conclude(run, outcome) });
  } finally {
    // Whoever stops reading before the end leaves no records behind either.
    queue.close();
    limits.abandon();
    try {
      await surviving(cleaning(run, outcome), outcome);
    } finally {
      await run.close();
    }
  }
}

/** The run, with every exchange recorded in its log and told as an event. */
function toldTo(queue: EventQueue<RunEvent>, run: OpenRun): OpenRun {
  const {
    log,
    redactor,
    settings: { clock },
    startedAt,
  } = run;
  const tell = (recorded: RecordedExchange): Promise<void> | undefined => {
    log.record(recorded);
    return queue.put(
      recordedEvent(recorded, { redactor, elapsedMs: clock().getTime() - startedAt.getTime() }),
    );
  };
  return { ...run, sender: { ...run.sender, tell } };
}

function* announce(run: OpenRun): Generator<RunEvent, void> {
  const {
    settings,
    queue: { requests, operations },
    skipped,
    redactor,
    startedAt,
  } = run;
  const { runId, url, servers, contract, mode, seed, shard, failOn, version } = settings;
  const notes = notesOf(run);
  const { title, version: contractVersion, file } = contract;
  const effects = readRunEffects(contract, settings.rules, operations);
  yield {
    type: 'run-started',
    run: {
      id: runId,
      target: redactor.text(url),
      servers,
      contract: { title, version: contractVersion, file },
      mode,
      ...(mode === 'read-only' ? {} : { effects }),
      ...(failOn === 'error' ? {} : { failOn }),
      ...(notes.length === 0 ? {} : { credentials: notes }),
      seed,
      ...defined({ shard }),
      startedAt: startedAt.toISOString(),
      version,
    },
  };
  for (const { operation, reason } of skipped)
    yield { type: 'operation-skipped', operation: nameOperation(operation), reason: `${reason}.` };
  yield { type: 'plan-made', cases: requests, requests };
}

/** What is said of the credentials before the first request. */
function notesOf({
  settings: { contract, credentials },
  secrets,
  skipped,
}: OpenRun): CredentialNote[] {
  const out = new Set(skipped.map(({ operation }) => operation));
  const operations = contract.operations.filter((operation) => !out.has(operation));
  return credentialNotes({ contract, credentials, secrets, operations });
}

/** Sends the plan, judges what came, and makes sure of what is suspected. */
async function investigate(run: OpenRun, outcome: Outcome): Promise<void> {
  const { queue, sender, limits, log, judge, settings, redactor, secrets } = run;
  const { contract, checks, concurrency, url, runId, seed, mode } = settings;
  const { census } = run;
  const bounds = { concurrency, url, wait: settings.wait };
  await executePlan({
    queue,
    sender,
    limits,
    log,
    ...bounds,
    ...defined({ census }),
  });
  log.finish();
  const judged = judge.judge();
  const judgeContext: JudgeContext = { contract, checks, knowledge: judge.knowledge() };
  outcome.inspected = judged.inspected;
  outcome.crashes.push(...judged.crashes);
  if (ruleOn(run, outcome).nothingTested) return;
  limits.openReserve();
  const { heard, skipped: unheard } = partSkipped(judged.suspicions, settings.skips);
  outcome.skippedFindings = [...unheard].flatMap(([skip, suspicions]) =>
    groupSuspicions(suspicions, log.steps).map((group) => toSkippedFinding(group, skip)),
  );
  const groups = groupSuspicions(heard, log.steps);
  const skipped = new Set(run.skipped.map(({ operation }) => operation));
  const maySend = (operation: Operation): boolean =>
    !skipped.has(operation) && (mode !== 'read-only' || isSafe(operation));
  const confirmed = await confirmAll(groups, {
    sender: { ...sender, isPointless: () => undefined },
    judgeContext,
    runId,
    seed,
    maySend,
    limits,
    concurrency,
  });
  const press = { contract, runId, redactor, shellSecrets: shellSecrets(secrets) };
  const found = confirmed.flatMap(
    ({ group, confirmation }) => makeFinding(group, confirmation, press) ?? [],
  );
  outcome.findings = orderFindings(
    joinCauses(acceptKnown(found, settings.baseline ?? []), contract),
  );
}

/**
 * Clean-up as it can be had once: it asks nobody's leave, for nothing may stay behind because a
 * budget is spent.
 */
function makeCleaning(): (run: OpenRun, outcome: Outcome) => Promise<void> {
  let begun: Promise<void> | undefined;
  const clean = async (
    { settings, skipped: leftOut, sender, limits, writes, census }: OpenRun,
    outcome: Outcome,
  ): Promise<void> => {
    const over = settings.hurry ?? new AbortController().signal;
    const unbounded: Sender = {
      ...sender,
      signals: { stop: over, cut: over },
      spend: () => undefined,
      isPointless: () => undefined,
    };
    limits.beginCleanup();
    const skipped = new Set(leftOut.map(({ operation }) => operation));
    const unreachable = isGone(limits.stop);
    const cleaning = {
      contract: settings.contract,
      seed: settings.seed,
      sender: unbounded,
      concurrency: settings.concurrency,
      mayDelete: (operation: Operation) => !skipped.has(operation) && !unreachable,
    };
    const left = await cleanUp(cleaning);
    const counted = unreachable ? undefined : await census?.report(unbounded);
    // What appeared with the mark of the run is its own, though no answer said so.
    const found = counted === undefined ? [] : await cleanUpFound(counted.own, cleaning);
    writes.forget(counted?.own ?? []);
    outcome.left = [...left, ...found, ...writes.left()];
    if (counted === undefined) return;
    outcome.census = withoutOwn(counted.report);
    outcome.left = [...outcome.left, ...appearedRecords(outcome.census)];
  };
  return (run, outcome) => (begun ??= clean(run, outcome));
}

/**
 * What appeared during the run, as records that may be its traces; others made them where they
 * write too.
 */
function appearedRecords({ appeared, isBusy }: CensusReport): LeftRecords[] {
  if (isBusy) return [];
  const byResource = Map.groupBy(appeared, ({ resource }) => resource);
  return [...byResource].map(([resource, records]) => {
    const names = records.map(({ identifier }) => identifier).join(', ');
    const count = records.length;
    const record = `${count === 1 ? '1 record' : `${String(count)} records`} of ${resource} (${names})`;
    const reason = 'they appeared during the run, and no answer shows what made them';
    return { operation: resource, record, reason, code: 'appeared', count };
  });
}

/** The report without what the run found to be its own. */
function withoutOwn(report: CensusReport): CensusReport {
  return { ...report, appeared: report.appeared.filter(({ isMarked }) => !isMarked) };
}

/** Whether nothing can be deleted any more, because nobody answers. */
function isGone(stop: Stop | undefined): boolean {
  return stop?.code === 'unreachable' || (stop?.code === 'service-stopped' && !stop.cameBack);
}

/**
 * A fault of vouch's own ends the part in which it happened, and is told; it does not end the
 * story.
 */
async function surviving(part: Promise<void>, { crashes }: Outcome): Promise<void> {
  try {
    await part;
  } catch (error) {
    // What a safety rule refuses was asked wrongly: that is no fault of vouch's own, and no part of
    // the story.
    if (error instanceof VouchError && error.code === 'refused-for-safety') throw error;
    crashes.push({
      check: 'the run itself',
      message: error instanceof Error ? error.message : String(error),
      stack: error instanceof Error ? (error.stack ?? '') : '',
    });
  }
}

function ruleOn(
  { settings, limits, log, plan, secrets }: OpenRun,
  { crashes, findings, census }: Outcome,
): VerdictResult {
  const { contract, url, failOn, changed } = settings;
  const { stop } = limits;
  const { steps, passedOver } = log;
  return decideVerdict({
    contract,
    url,
    hasToken:
      contract.operations.some((operation) => credentialFor(operation, secrets) !== undefined) ||
      hasSecretHeader(secrets),
    lacksCredential: (operation) => schemesLacking(operation, secrets).length > 0,
    crashed: crashes.length > 0,
    steps,
    findings,
    failOn,
    ...defined({ census, stop }),
    ...(stop !== undefined && plan !== undefined
      ? {
          leftOut: findLeftOut(plan, {
            sent: new Set(steps.map((step) => step.case.id)),
            passedOver,
          }),
        }
      : {}),
    ...(changed?.operations.length === 0 ? { unchangedSince: changed.since } : {}),
  });
}

function conclude(run: OpenRun, outcome: Outcome): RunSummary {
  const { settings, log, startedAt, redactor } = run;
  const { contract, checks, clock } = settings;
  const ruling = ruleOn(run, outcome);
  const skipped = new Map([
    ...log.unsent,
    ...run.skipped.map(({ operation, reason }) => [operation.id, reason] as const),
  ]);
  const { text } = redactor;
  const unheard = outcome.skippedFindings.map((finding) => ({
    ...finding,
    message: text(finding.message),
  }));
  const { stop } = run.limits;
  const counted = summarise(
    {
      operations: contract.operations,
      skipped,
      exchanges: log.outcomes,
      findings: outcome.findings,
      readings: readingsOf(log.steps),
      checks,
      inspected: outcome.inspected,
      durationMs: clock().getTime() - startedAt.getTime(),
    },
    { ...ruling, reason: text(ruling.reason), remarks: ruling.remarks.map(text) },
  );
  const summary = stop === undefined ? counted : { ...counted, stop: redactStop(stop, text) };
  const reasons = new Map([...skipped].map(([id, reason]) => [id, text(reason)] as const));
  const coverage = run.coverage.measure({
    contract,
    skipped: reasons,
    hasToken: hasCredential(run.secrets),
  });
  const { census } = outcome;
  return {
    ...summary,
    coverage,
    ...(unheard.length === 0 ? {} : { skippedFindings: unheard }),
    ...defined({ census }),
  };
}
