import { defined } from '../../../json/value.ts';
import { findLeftOut } from '../choose/prioritize.ts';
import { onlyReads, readRunEffects } from '../../model/effect-rules.ts';
import type { Inspections } from '../judge/judge.ts';
import { gapObserved } from '../judge/observe-gaps.ts';
import { readingsOf } from '../judge/readings.ts';
import { accessOf, findShut, whyUnplanned } from '../judge/reach.ts';
import { summarise } from '../judge/summary.ts';
import { decideVerdict, type VerdictResult } from '../judge/verdict.ts';
import type { Crash, CredentialNote, RunEffects, RunEvent } from '../../model/event.ts';
import { type Finding, nameOperation } from '../../model/finding.ts';
import type { LeftRecords } from '../../model/record.ts';
import type {
  CensusReport,
  RunSummary,
  SkippedFinding,
  WorkflowSummary,
} from '../../model/run-summary.ts';
import { redactStop } from '../../model/stop.ts';
import { credentialNotes } from '../../secrets/credential-note.ts';
import { credentialFor, schemesLacking } from '../../secrets/credential.ts';
import type { Redactor } from '../../secrets/redact.ts';
import { hasCredential, hasSecretHeader } from '../../secrets/secrets.ts';
import type { OpenRun } from './open-run.ts';

/** The events before the first request: the run, and what it skips. */
export function* announceRun(run: OpenRun): Generator<RunEvent, void> {
  const { settings, skipped, redactor, startedAt } = run;
  const { operations } = run.queue;
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
      ...(mode === 'read-only' ? {} : { effects: { ...effects, ...namedPart(run) } }),
      ...(failOn === 'error' ? {} : { failOn }),
      ...(notes.length === 0 ? {} : { credentials: notes }),
      seed,
      shard,
      startedAt: startedAt.toISOString(),
      version,
    },
  };
  for (const { operation, reason } of skipped)
    yield { type: 'operation-skipped', operation: nameOperation(operation), reason: `${reason}.` };
}

/** What workflows change, by the names of the operations. */
function namedPart({ links, settings: { rules } }: OpenRun): Pick<RunEffects, 'named'> {
  const changing = [...(links?.operations ?? [])].filter((one) => !onlyReads(one, rules));
  if (changing.length === 0) return {};
  return { named: changing.map(({ method, path }) => `${method} ${path}`) };
}

/** Notes about the credentials, before the first request. */
function notesOf({
  settings: { contract, credentials, identities },
  secrets,
  skipped,
}: OpenRun): CredentialNote[] {
  const out = new Set(skipped.map(({ operation }) => operation));
  const operations = contract.operations.filter((operation) => !out.has(operation));
  return credentialNotes({ contract, credentials, secrets, operations, identities });
}

/** The results of a run so far. */
export interface RunOutcome {
  findings: readonly Finding[];
  skippedFindings: readonly SkippedFinding[];
  inspected: Inspections;
  readonly crashes: Crash[];
  left: readonly LeftRecords[];
  census?: CensusReport;
  workflows?: readonly WorkflowSummary[];
}

/** The outcome of a run that has sent nothing yet. */
export function emptyOutcome(): RunOutcome {
  return { findings: [], skippedFindings: [], inspected: new Map(), crashes: [], left: [] };
}

/** The events after the last request, in the order in which they are reported. */
export function* concludeRun(run: OpenRun, outcome: RunOutcome): Generator<RunEvent, void> {
  const { text } = run.redactor;
  for (const gap of run.judge.observedGaps()) yield gapObserved(gap, text);
  for (const { operation, record, reason, code, count } of outcome.left) {
    const shown = { record: text(record), reason: text(reason) };
    yield { type: 'record-left', operation, ...shown, code, count };
  }
  for (const { check, message, stack } of outcome.crashes)
    yield { type: 'check-crashed', check, message: text(message), stack: text(stack) };
  for (const finding of outcome.findings) yield { type: 'finding-reported', finding };
  yield { type: 'run-finished', summary: summariseRun(run, outcome) };
}

/** The verdict on the results so far. */
export function verdictOn(
  { settings, limits, log, queue, secrets }: OpenRun,
  { crashes, findings, census }: RunOutcome,
): VerdictResult {
  const { contract, url, failOn, changed } = settings;
  const { stop } = limits;
  const { planned } = queue;
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
    census,
    stop,
    ...(stop !== undefined && planned !== undefined
      ? {
          leftOut: findLeftOut(planned, {
            sent: new Set(steps.map((step) => step.case.id)),
            passedOver,
          }),
        }
      : {}),
    ...(changed?.operations.length === 0 ? { unchangedSince: changed.since } : {}),
  });
}

function summariseRun(run: OpenRun, outcome: RunOutcome): RunSummary {
  const { settings, log, startedAt, redactor } = run;
  const { contract, checks, clock } = settings;
  const verdict = verdictOn(run, outcome);
  const skipped = new Map([
    ...unsentOf(run),
    ...[...log.unsent].map(([id, { reason }]) => [id, reason] as const),
    ...run.skipped.map(({ operation, reason }) => [operation.id, reason] as const),
  ]);
  const { text } = redactor;
  const skippedFindings = outcome.skippedFindings.map((finding) => ({
    ...finding,
    message: text(finding.message),
  }));
  const { stop } = run.limits;
  const counted = summarise(
    {
      operations: contract.operations,
      skipped,
      shut: shutOf(run),
      exchanges: log.outcomes,
      findings: outcome.findings,
      readings: readingsOf(log.steps),
      checks,
      inspected: outcome.inspected,
      durationMs: clock().getTime() - startedAt.getTime(),
    },
    { ...verdict, reason: text(verdict.reason), remarks: verdict.remarks.map(text) },
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
    ...(skippedFindings.length === 0 ? {} : { skippedFindings: skippedFindings }),
    ...defined({ census, workflows: outcome.workflows?.map((one) => redactWorkflow(one, text)) }),
    ...accessPart(run),
  };
}

/** The operations of which the whole plan had no request, by their ids, each with the reason. */
function unsentOf({ settings, log, limits }: OpenRun): [id: string, reason: string][] {
  if (limits.stop !== undefined || settings.shard !== undefined) return [];
  const { contract } = settings;
  const sent = new Set(log.steps.map((step) => step.case.operation));
  return contract.operations
    .filter((operation) => !sent.has(operation))
    .map((operation) => [operation.id, whyUnplanned(operation)]);
}

function redactWorkflow(workflow: WorkflowSummary, text: Redactor['text']): WorkflowSummary {
  const hidden = <Part extends { readonly reason?: string }>(part: Part): Part =>
    part.reason === undefined ? part : { ...part, reason: text(part.reason) };
  return { ...hidden(workflow), steps: workflow.steps.map(hidden) };
}

/** Who could send what, if the run has other identities. */
function accessPart({ settings, log }: OpenRun): Pick<RunSummary, 'identities'> {
  const { identities, runIdentity = 'the run' } = settings;
  if (identities.length === 0) return {};
  const others = identities.map(({ name }) => name);
  return { identities: accessOf({ run: runIdentity, others, steps: log.steps }) };
}

/** Why operations had no success, by id. */
function shutOf({ settings: { contract }, log, skipped }: OpenRun): ReturnType<typeof findShut> {
  const succeeded = log.outcomes.filter(({ outcome }) => outcome.startsWith('2'));
  return findShut({
    contract,
    steps: log.steps,
    succeeded: new Set(succeeded.map(({ operation }) => operation)),
    skipped,
    unsent: log.unsent,
  });
}
