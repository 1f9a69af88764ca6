import { separate, withOthers, withEvidence } from '../../check/engine/judge/evidence.ts';
import { rankFindings } from '../../check/engine/judge/rank.ts';
import { compareSeverities, isAtLeast } from '../../contract/model/severity.ts';
import type { RunEvent, RunInfo } from '../../check/model/event.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { remember } from '../../remember.ts';
import { type EventOf } from '../run-record.ts';
import { joinSummaries, type MergedRun } from './join-summaries.ts';
import { joinVerdicts } from './join-verdicts.ts';
import type { Gathered, ShardEnd } from './match-shards.ts';
import { countsOf, lossOf, matchShards, refuseOtherOperations } from './match-shards.ts';

/** A blob as it is read. */
export interface Shard {
  readonly file: string;
  readonly events: AsyncIterator<RunEvent>;
}

/**
 * The events of several shards as one run would have reported them. Exchanges are streamed, so
 * memory only has what a report needs at the end. Throws a VouchError if the blobs are not parts of
 * one plan.
 */
export async function* mergeEvents(shards: readonly Shard[]): AsyncGenerator<RunEvent, void> {
  const opened = await Promise.all(shards.map(openShard));
  const begun = opened.flatMap(({ file, run }) => (run === undefined ? [] : [{ file, run }]));
  const counted = matchShards(begun);
  const startedAt = begun.map(({ run }) => run.startedAt).sort()[0] ?? '';
  yield* joinHeads(opened, startedAt);
  const kept: Kept = { startedAt, tail: [], durations: new Map() };
  const ends: ShardEnd[] = [];
  for (const shard of opened) ends.push(yield* pass(shard, kept));
  refuseOtherOperations(ends);
  yield* joinTails(kept, { ends, shards: counted, run: begun[0]?.run });
}

/** Collected until the last shard is read. */
interface Kept {
  /** When the first of them began. */
  readonly startedAt: string;
  readonly tail: RunEvent[];
  readonly durations: Map<string, number[]>;
}

/** Blobs that end before their plan was made are open too, with the events that they have. */
interface OpenShard extends Shard {
  readonly run: RunInfo | undefined;
  readonly head: readonly RunEvent[];
  /** The first event after the head. */
  readonly next: IteratorResult<RunEvent, unknown>;
}

const headTypes: readonly RunEvent['type'][] = ['run-started', 'operation-skipped', 'plan-made'];

/** Reads the events up to the plan, or up to the first other event. */
async function openShard(shard: Shard): Promise<OpenShard> {
  const head: RunEvent[] = [];
  let next = await shard.events.next();
  for (
    ;
    next.done !== true && headTypes.includes(next.value.type);
    next = await shard.events.next()
  )
    head.push(next.value);
  return { ...shard, head, run: ofType(head, 'run-started')[0]?.run, next };
}

function* joinHeads(opened: readonly OpenShard[], startedAt: string): Generator<RunEvent, void> {
  const heads = opened.flatMap(({ head }) => head);
  const run = opened.find((shard) => shard.run !== undefined)?.run;
  if (run !== undefined) {
    const { shard: _, ...whole } = run;
    yield { type: 'run-started', run: { ...whole, startedAt } };
  }
  // Some shards may leave an operation to the others; it is skipped if all of them skip it.
  const skipped = Map.groupBy(ofType(heads, 'operation-skipped'), ({ operation }) => operation.id);
  for (const alike of skipped.values())
    if (alike[0] !== undefined && alike.length >= opened.length) yield alike[0];
  const plans = ofType(heads, 'plan-made');
  // A run that is no shard plans the most of its requests after it has sent the first ones.
  if (plans.length === 0) return;
  yield {
    type: 'plan-made',
    cases: plans.reduce((sum, { cases }) => sum + cases, 0),
    requests: plans.reduce((sum, { requests }) => sum + requests, 0),
  };
}

async function* pass(
  { file, run, next: first, events }: OpenShard,
  { startedAt, tail, durations }: Kept,
): AsyncGenerator<RunEvent, ShardEnd> {
  const later = run === undefined ? 0 : Date.parse(run.startedAt) - Date.parse(startedAt);
  const findings: Finding[] = [];
  let summary: RunSummary | undefined;
  for (let next = first; next.done !== true; next = await events.next()) {
    const event = next.value;
    if (event.type === 'finding-reported') findings.push(event.finding);
    if (event.type === 'exchange-recorded') {
      addDuration(durations, event);
      yield event.elapsedMs === undefined
        ? event
        : { ...event, elapsedMs: event.elapsedMs + later };
    } else if (event.type === 'plan-made') yield event;
    else if (event.type === 'run-finished') summary = event.summary;
    else tail.push(event);
  }
  return { file, index: run?.shard?.index, summary, held: countsOf(findings) };
}

function addDuration(
  durations: Map<string, number[]>,
  { case: { operation }, exchange }: EventOf<'exchange-recorded'>,
): void {
  if (exchange.response === undefined) return;
  remember(durations, operation, () => []).push(exchange.durationMs);
}

function* joinTails({ tail, durations }: Kept, gathered: Gathered): Generator<RunEvent, void> {
  const findings = joinFindings(ofType(tail, 'finding-reported').map(({ finding }) => finding));
  yield* joinGaps(ofType(tail, 'gap-observed'));
  yield* tail.filter(({ type }) => isRepeated[type]);
  for (const finding of findings) yield { type: 'finding-reported', finding };
  yield {
    type: 'run-finished',
    summary: joinSummaries({
      ...gathered,
      findings,
      crashed: ofType(tail, 'check-crashed').length > 0,
      durations,
    }),
  };
}

/**
 * Whether an event of a shard is written beside those of the others. Merged and repeated events are
 * not.
 */
const isRepeated: Readonly<Record<RunEvent['type'], boolean>> = {
  'difference-found': true,
  'record-left': true,
  'check-crashed': true,
  'run-started': false,
  'operation-skipped': false,
  'plan-made': false,
  'exchange-recorded': false,
  'finding-reported': false,
  'gap-observed': false,
  'run-finished': false,
};

/**
 * Each shard has observed its own part of a gap; more than three different observations are left to
 * the shards' own reports.
 */
function* joinGaps(gaps: readonly EventOf<'gap-observed'>[]): Generator<RunEvent, void> {
  for (const alike of Map.groupBy(gaps, ({ gap }) => gap.id).values()) {
    const seen = [...new Set(alike.map(({ observed }) => observed))].slice(0, 3).join(' ');
    const first = alike.find(({ overlayAction }) => overlayAction !== undefined) ?? alike[0];
    if (first !== undefined) yield { ...first, observed: seen };
  }
}

function ofType<Type extends RunEvent['type']>(
  events: readonly RunEvent[],
  type: Type,
): EventOf<Type>[] {
  // The filter is the proof, which TypeScript does not follow through a type parameter.
  return events.filter((event) => event.type === type) as EventOf<Type>[];
}

/**
 * Findings of several shards as one run would have reported them: one for each id, from its worst
 * shard, with all counts and operations.
 */
export function joinFindings(findings: readonly Finding[]): Finding[] {
  const leaders = new Map(
    findings
      .flatMap(({ id, alsoSeenAs = [] }) => alsoSeenAs.map((other) => [other.id, id] as const))
      .filter(([other, leader]) => other !== leader),
  );
  const byId = Map.groupBy(findings.flatMap(separate), ({ id }) => id);
  const joined = [...byId.values()].flatMap((alike) => joinAlike(alike));
  const severities = new Map(joined.map(({ id, severity }) => [id, severity]));
  const leaderOf = ({ id, severity }: Finding): string | undefined => {
    const leader = leaders.get(id) ?? '';
    const its = severities.get(leader);
    // If two shards disagree on which finding explains which, both are reported; and no finding
    // explains one that is worse in another shard.
    return its === undefined || leaders.has(leader) || !isAtLeast(its, severity)
      ? undefined
      : leader;
  };
  return rankFindings(
    joined
      .filter((finding) => leaderOf(finding) === undefined)
      .map((finding) =>
        withOthers(
          finding,
          joined.filter((other) => leaderOf(other) === finding.id),
        ),
      ),
  );
}

function joinAlike(alike: readonly Finding[]): Finding[] {
  const [worst] = alike.toSorted((left, right) => compareSeverities(left.severity, right.severity));
  if (worst === undefined) return [];
  const count = alike.reduce((sum, finding) => sum + finding.count, 0);
  return [
    {
      ...withEvidence({ ...worst, count }),
      operations: [...new Set(alike.flatMap(({ operations }) => operations))],
    },
  ];
}

/**
 * The events of one blob. If it is truncated, or findings are missing, the end is computed from
 * what there is, and says so.
 */
export async function* showEvents({ file, events }: Shard): AsyncGenerator<RunEvent, void> {
  const findings: Finding[] = [];
  let run: RunInfo | undefined;
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    const event = next.value;
    if (event.type === 'run-started') ({ run } = event);
    if (event.type === 'finding-reported') findings.push(event.finding);
    if (event.type === 'run-finished') {
      yield { ...event, summary: asHeld(event.summary, { file, run, findings }) };
      return;
    }
    yield event;
  }
  yield {
    type: 'run-finished',
    summary: joinSummaries(alone({ file, held: countsOf(findings) }, { run, findings })),
  };
}

interface Seen {
  readonly run: RunInfo | undefined;
  readonly findings: readonly Finding[];
}

/** A single run, as a merge of one. */
function alone(end: ShardEnd, seen: Seen): MergedRun {
  return {
    ends: [end],
    shards: { count: 1, missing: [] },
    ...seen,
    crashed: false,
    durations: new Map(),
  };
}

/** The end as its run reported it, unless the findings differ. */
function asHeld(
  summary: RunSummary,
  { file, ...seen }: Seen & { readonly file: string },
): RunSummary {
  const end: ShardEnd = { file, summary, held: countsOf(seen.findings) };
  return lossOf(end) === undefined
    ? summary
    : { ...summary, ...joinVerdicts(alone(end, seen)), findings: end.held };
}
