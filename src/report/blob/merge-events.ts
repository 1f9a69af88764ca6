import type { RunEvent, RunInfo } from '../../check/model/event.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { defined } from '../../json/defined.ts';
import type { EventOf } from '../run-record.ts';
import { unanswered } from '../unanswered.ts';
import { joinFindings } from './join-findings.ts';
import { joinSummaries } from './join-summaries.ts';
import { matchShards, refuseOtherOperations } from './match-shards.ts';
import type { Gathered } from './say-absences.ts';
import { countsOf, type ShardEnd } from './shard-end.ts';

/** A blob as it is read. */
export interface Shard {
  readonly file: string;
  readonly events: AsyncIterator<RunEvent>;
}

/**
 * The events of several shards as one run would have told them. Exchanges pass through one after
 * the other, so that no more is kept in memory than what a report at the end is made of. Throws a
 * VouchError where the blobs are no parts of one plan.
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

/** What is kept until the last shard is read. */
interface Kept {
  /** When the first of them began. */
  readonly startedAt: string;
  readonly tail: RunEvent[];
  readonly durations: Map<string, number[]>;
}

/** Blobs that end before their plan was made are open too, with what they told. */
interface OpenShard extends Shard {
  readonly run: RunInfo | undefined;
  readonly head: readonly RunEvent[];
  /** The first event behind the head. */
  readonly next: IteratorResult<RunEvent, unknown>;
}

const headTypes: readonly RunEvent['type'][] = ['run-started', 'operation-skipped', 'plan-made'];

/**
 * Everything up to the plan is read, and whatever stands there instead of one; what follows waits.
 */
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
  // Some shards may leave an operation to the others; it is skipped where all of them skip it.
  const skipped = Map.groupBy(ofType(heads, 'operation-skipped'), ({ operation }) => operation.id);
  for (const alike of skipped.values())
    if (alike[0] !== undefined && alike.length >= opened.length) yield alike[0];
  const plans = ofType(heads, 'plan-made');
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
    } else if (event.type === 'run-finished') summary = event.summary;
    else tail.push(event);
  }
  return {
    file,
    ...(run?.shard === undefined ? {} : { index: run.shard.index }),
    ...defined({ summary }),
    held: countsOf(findings),
  };
}

function addDuration(
  durations: Map<string, number[]>,
  { case: { operation }, exchange }: EventOf<'exchange-recorded'>,
): void {
  if (exchange.response === undefined) return;
  const known = durations.get(operation);
  if (known === undefined) durations.set(operation, [exchange.durationMs]);
  else known.push(exchange.durationMs);
}

function* joinTails({ tail, durations }: Kept, gathered: Gathered): Generator<RunEvent, void> {
  const findings = joinFindings(ofType(tail, 'finding-reported').map(({ finding }) => finding));
  yield* joinGaps(ofType(tail, 'gap-observed'));
  yield* tail.filter(isToldAgain);
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
 * Whether what one shard says stands beside what the others say. What is joined, or was told
 * already, is not told again.
 */
function isToldAgain(event: RunEvent): boolean {
  switch (event.type) {
    case 'difference-found':
    case 'record-left':
    case 'check-crashed':
      return true;
    case 'run-started':
    case 'operation-skipped':
    case 'plan-made':
    case 'exchange-recorded':
    case 'finding-reported':
    case 'gap-observed':
    case 'run-finished':
      return false;
    default:
      return unanswered(event);
  }
}

/**
 * Each shard has seen its own part of what happens in a gap; what more than three say differently
 * is left to their own reports.
 */
function* joinGaps(gaps: readonly EventOf<'gap-observed'>[]): Generator<RunEvent, void> {
  for (const alike of Map.groupBy(gaps, ({ gap }) => gap.id).values()) {
    const seen = [...new Set(alike.map(({ observed }) => observed))].slice(0, 3).join(' ');
    if (alike[0] !== undefined) yield { ...alike[0], observed: seen };
  }
}

function ofType<Type extends RunEvent['type']>(
  events: readonly RunEvent[],
  type: Type,
): EventOf<Type>[] {
  // The filter is the proof, which TypeScript does not follow through a type parameter.
  return events.filter((event) => event.type === type) as EventOf<Type>[];
}
