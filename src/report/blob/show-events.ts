import type { RunEvent, RunInfo } from '../../check/model/event.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { joinSummaries, type MergedRun } from './join-summaries.ts';
import { joinVerdicts } from './join-verdicts.ts';
import type { Shard } from './merge-events.ts';
import { countsOf, lossOf, type ShardEnd } from './shard-end.ts';

/**
 * The events of one blob as they were told. Where it breaks off before its run did, or findings of
 * it were lost, the end is made of what there is, and says so.
 */
export async function* showEvents({ file, events }: Shard): AsyncGenerator<RunEvent, void> {
  const findings: Finding[] = [];
  let run: RunInfo | undefined;
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    const event = next.value;
    if (event.type === 'run-started') ({ run } = event);
    if (event.type === 'finding-reported') findings.push(event.finding);
    if (event.type === 'run-finished')
      return yield { ...event, summary: asHeld(event.summary, { file, run, findings }) };
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

/** A run of its own, as a merge of one. */
function alone(end: ShardEnd, seen: Seen): MergedRun {
  return {
    ends: [end],
    shards: { count: 1, missing: [] },
    ...seen,
    crashed: false,
    durations: new Map(),
  };
}

/** The end as its run told it, unless the findings are others. */
function asHeld(
  summary: RunSummary,
  { file, ...seen }: Seen & { readonly file: string },
): RunSummary {
  const end: ShardEnd = { file, summary, held: countsOf(seen.findings) };
  return lossOf(end) === undefined
    ? summary
    : { ...summary, ...joinVerdicts(alone(end, seen)), findings: end.held };
}
