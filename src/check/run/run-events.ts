import type { RunEvent, RunSummary } from '../event.ts';
import type { Finding } from '../finding.ts';
import { groupSuspicions } from '../judge/group.ts';
import { judgeRun, type Court, type Crash, type Inspections } from '../judge/judge.ts';
import { gatherKnowledge } from '../judge/knowledge.ts';
import { makeFinding } from '../judge/make-finding.ts';
import { observeGaps } from '../judge/observe-gaps.ts';
import { orderFindings } from '../judge/order-findings.ts';
import { summarise } from '../judge/summary.ts';
import { rule, type Ruling } from '../judge/verdict.ts';
import { nameOperation } from '../operation-name.ts';
import { shellSecrets } from '../secrets.ts';
import { cleanUp, type LeftRecords } from './cleanup.ts';
import { confirmAll } from './confirm-all.ts';
import { executePlan } from './execute-plan.ts';
import type { RecordedExchange, Sender } from './execute-sequence.ts';
import type { OpenRun } from './open-run.ts';

/** What was found out, before it is told. */
interface Outcome {
  findings: readonly Finding[];
  inspected: Inspections;
  readonly crashes: Crash[];
  left: readonly LeftRecords[];
}

/** The events of a run. However it ends, the records that it made are cleaned up, and `run-finished` comes last. */
export async function* runEvents(run: OpenRun): AsyncGenerator<RunEvent, void> {
  const { redactor, ledger, settings } = run;
  const outcome: Outcome = { findings: [], inspected: new Map(), crashes: [], left: [] };
  const cleaning = makeCleaning(run);
  try {
    yield* announce(run);
    yield* recordAll(run, surviving(investigate(run, outcome), outcome));
    yield* recordAll(run, surviving(keepLeft(cleaning(), outcome), outcome));
    for (const { gap, observed } of observeGaps(settings.contract, ledger.steps)) yield { type: 'gap-observed', gap, observed: redactor.text(observed) };
    for (const { operation, record, reason } of outcome.left) yield { type: 'record-left', operation, record: redactor.text(record), reason: redactor.text(reason) };
    for (const { check, message, stack } of outcome.crashes) yield { type: 'check-crashed', check, message: redactor.text(message), stack: redactor.text(stack) };
    for (const finding of outcome.findings) yield { type: 'finding-reported', finding };
    yield { type: 'run-finished', summary: conclude(run, outcome) };
  } finally {
    // Whoever stops reading before the end leaves no records behind either.
    run.guard.abandon();
    await drain(surviving(keepLeft(cleaning(), outcome), outcome));
    await run.close();
  }
}

function* announce({ settings, plan, redactor, startedAt }: OpenRun): Generator<RunEvent, void> {
  const { runId, url, servers, contract, mode, seed, version } = settings;
  const { title, version: contractVersion, file } = contract;
  yield {
    type: 'run-started',
    run: { id: runId, target: redactor.text(url), servers, contract: { title, version: contractVersion, file }, mode, seed, startedAt: startedAt.toISOString(), version },
  };
  for (const { operation, reason } of plan.skipped) yield { type: 'operation-skipped', operation: nameOperation(operation), reason: `${reason}.` };
  const planned = plan.stages.flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases)).length;
  yield { type: 'plan-made', cases: planned, requests: planned };
}

/** Sends the plan, judges what came, and makes sure of what is suspected. */
async function* investigate(run: OpenRun, outcome: Outcome): AsyncGenerator<RecordedExchange, void> {
  const { plan, sender, guard, ledger, settings, redactor, secrets } = run;
  const { contract, checks, concurrency, url, runId } = settings;
  yield* executePlan({ plan, sender, guard, ledger, concurrency, url });
  const court: Court = { contract, checks, knowledge: gatherKnowledge(contract, ledger.steps, runId) };
  const judged = judgeRun(court, ledger.attempts);
  outcome.inspected = judged.inspected;
  outcome.crashes.push(...judged.crashes);
  if (ruleOn(run, outcome).nothingTested) return;
  guard.openReserve();
  const groups = groupSuspicions(judged.suspicions, ledger.steps);
  const confirmed = yield* confirmAll(groups, { sender: { ...sender, isPointless: () => undefined }, court, runId, guard, concurrency });
  const press = { contract, redactor, shellSecrets: shellSecrets(secrets) };
  outcome.findings = orderFindings(confirmed.flatMap(({ group, assurance }) => makeFinding(group, assurance, press) ?? []));
}

/** Clean-up as it can be had once: it asks nobody's leave, for nothing may stay behind because a budget is spent. */
function makeCleaning({ settings, plan, sender, guard }: OpenRun): () => AsyncGenerator<RecordedExchange, readonly LeftRecords[]> {
  let begun = false;
  return async function* () {
    if (begun) return [];
    begun = true;
    const never = new AbortController().signal;
    const unbounded: Sender = { ...sender, signals: { stop: never, cut: never }, spend: () => undefined, isPointless: () => undefined };
    const skipped = new Set(plan.skipped.map(({ operation }) => operation));
    const unreachable = guard.stop?.kind === 'unreachable';
    return yield* cleanUp({ contract: settings.contract, seed: settings.seed, sender: unbounded, mayDelete: (operation) => !skipped.has(operation) && !unreachable });
  };
}

async function* keepLeft(cleaning: AsyncGenerator<RecordedExchange, readonly LeftRecords[]>, outcome: Outcome): AsyncGenerator<RecordedExchange, void> {
  outcome.left = [...outcome.left, ...(yield* cleaning)];
}

/** A fault of vouch's own ends the part in which it happened, and is told; it does not end the story. */
async function* surviving(part: AsyncGenerator<RecordedExchange, void>, { crashes }: Outcome): AsyncGenerator<RecordedExchange, void> {
  try {
    yield* part;
  } catch (error) {
    crashes.push({ check: 'the run itself', message: error instanceof Error ? error.message : String(error), stack: error instanceof Error ? (error.stack ?? '') : '' });
  }
}

async function* recordAll({ ledger, redactor }: OpenRun, exchanges: AsyncGenerator<RecordedExchange, void>): AsyncGenerator<RunEvent, void> {
  for await (const recorded of exchanges) {
    const { case: tried, phase, exchange } = recorded;
    ledger.record(recorded);
    yield { type: 'exchange-recorded', case: { id: tried.id, title: redactor.text(tried.title), phase, operation: tried.operation.id }, exchange: redactor.exchange(exchange) };
  }
}

async function drain(exchanges: AsyncGenerator<RecordedExchange, void>): Promise<void> {
  let next = await exchanges.next();
  while (next.done !== true) next = await exchanges.next();
}

function ruleOn({ settings, guard, ledger }: OpenRun, { crashes, findings }: Outcome): Ruling {
  const { contract, url, token } = settings;
  const { stop } = guard;
  return rule({ contract, url, hasToken: token !== undefined, crashed: crashes.length > 0, steps: ledger.steps, findings, ...(stop === undefined ? {} : { stop }) });
}

function conclude(run: OpenRun, outcome: Outcome): RunSummary {
  const { settings, ledger, plan, startedAt, redactor } = run;
  const { contract, checks, clock } = settings;
  const ruling = ruleOn(run, outcome);
  const skipped = new Map([...ledger.unsent, ...plan.skipped.map(({ operation, reason }) => [operation.id, reason] as const)]);
  return summarise(
    { operations: contract.operations, skipped, exchanges: ledger.outcomes, findings: outcome.findings, checks, inspected: outcome.inspected, durationMs: clock().getTime() - startedAt.getTime() },
    { ...ruling, reason: redactor.text(ruling.reason) },
  );
}
