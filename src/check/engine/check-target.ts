import { VouchError } from '../../errors.ts';
import { readRunEffects } from '../model/effect-rules.ts';
import type { RunEffects, RunEvent } from '../model/event.ts';
import type { Finding } from '../model/finding.ts';
import type { Mode } from '../model/phase.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { CheckPlan, StreamedPlan } from './plan/describe-plan.ts';
import { describePlan, streamPlanInTurns } from './plan/describe-plan.ts';
import { planInTurns } from './plan/plan-run.ts';
import { openRunInTurns } from './run/open-run.ts';
import { runEvents } from './run/run-events.ts';
import { type CheckOptions, resolveSettings } from './settings.ts';

export type { CheckOptions } from './settings.ts';
export type { CheckPlan, PlannedRequest, StreamedPlan } from './plan/describe-plan.ts';

/** A complete run, redacted. */
export interface CheckReport {
  readonly summary: RunSummary;
  readonly findings: readonly Finding[];
  readonly events: readonly RunEvent[];
}

/**
 * Checks a deployment against a contract and yields events as they happen; `run-finished` is always
 * last. Faults of the deployment are events, never exceptions. Throws a VouchError for invalid
 * options.
 */
export function runCheck(options: CheckOptions): AsyncGenerator<RunEvent, void> {
  return runEvents(() => openRunInTurns(resolveSettings(options)));
}

/** The same run, collected. */
export async function checkTarget(options: CheckOptions): Promise<CheckReport> {
  const events: RunEvent[] = [];
  for await (const event of runCheck(options)) events.push(event);
  return reportOf(events);
}

/** What the events of a whole run report. */
export function reportOf(events: readonly RunEvent[]): CheckReport {
  const last = events.at(-1);
  if (last?.type !== 'run-finished')
    throw new VouchError('internal', 'A run ended without its last event.');
  return {
    summary: last.summary,
    findings: events.flatMap((event) => (event.type === 'finding-reported' ? [event.finding] : [])),
    events,
  };
}

/**
 * The plan of a run, without sending it. The same options and seed give the same plan, byte for
 * byte.
 */
export function planCheck(options: CheckOptions): CheckPlan {
  return describePlan(resolveSettings(options));
}

/**
 * The same as text, written while it is read: for contracts of a thousand operations. Undefined if
 * the signal of the options is aborted before the plan is made.
 */
export function streamCheckPlan(options: CheckOptions): Promise<StreamedPlan | undefined> {
  return streamPlanInTurns(resolveSettings(options));
}

/** The effects that a run can have on its target. */
export interface RunIntent {
  readonly mode: Mode;
  readonly url: string;
  readonly effects: RunEffects;
}

/**
 * The effects that a run can have on its target, without sending anything. Undefined if the signal
 * of the options is aborted first.
 */
export async function readRunIntent(options: CheckOptions): Promise<RunIntent | undefined> {
  const settings = resolveSettings(options);
  const plan = await planInTurns(settings, settings.signal ?? new AbortController().signal);
  if (plan === undefined) return undefined;
  const cases = plan.stages.flatMap(({ sequences }) => sequences.flatMap(({ cases: own }) => own));
  const operations = new Set(cases.map(({ operation }) => operation));
  const effects = readRunEffects(settings.contract, settings.rules, operations);
  return { mode: settings.mode, url: settings.url, effects };
}
