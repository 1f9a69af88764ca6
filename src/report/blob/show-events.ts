import type { RunEvent } from '../../check/event.ts';
import type { Finding } from '../../check/finding.ts';
import { joinSummaries } from './join-summaries.ts';
import type { Shard } from './merge-events.ts';

/** The events of one blob as they were told. Where it breaks off before its run did, the end is made of what there is, and says so. */
export async function* showEvents({ file, events }: Shard): AsyncGenerator<RunEvent, void> {
  const findings: Finding[] = [];
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    const event = next.value;
    if (event.type === 'finding-reported') findings.push(event.finding);
    yield event;
    if (event.type === 'run-finished') return;
  }
  yield { type: 'run-finished', summary: joinSummaries({ ends: [{ file }], shards: { count: 1, missing: [] }, findings, crashed: false, durations: new Map() }) };
}
