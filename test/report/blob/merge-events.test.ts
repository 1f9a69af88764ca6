import { describe, expect, test } from 'vitest';
import type { OperationSummary, RunEvent, RunInfo, RunSummary, Verdict } from '../../../src/check/event.ts';
import type { Coverage } from '../../../src/check/coverage/coverage.ts';
import type { Finding } from '../../../src/check/finding.ts';
import { latencyOf } from '../../../src/check/evidence/latency.ts';
import { mergeEvents } from '../../../src/report/blob/merge-events.ts';
import { sampleRun, slowOperation, wrongStatus } from '../sample-run.ts';
import { collect, throughBlob } from './read-events.ts';

interface Part {
  readonly shard?: readonly [index: number, count: number];
  readonly run?: Partial<RunInfo>;
  readonly findings?: readonly Finding[];
  readonly verdict?: Verdict;
  readonly reason?: string;
  /** By operation: how often each status came. */
  readonly statuses?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly coverage?: Coverage;
  readonly skipped?: string;
  readonly isTorn?: boolean;
}

function operation(id: string, statuses: Readonly<Record<string, number>>): OperationSummary {
  const requests = Object.values(statuses).reduce((sum, times) => sum + times, 0);
  return { id, method: 'GET', path: `/${id}`, requests, errors: 0, warnings: 0, notes: 0, ...(requests === 0 ? { skipped: 'another shard asks it' } : {}), statuses, checks: requests === 0 ? {} : { 'no-server-error': requests } };
}

function eventsOf({ shard, run, findings = [], verdict = 'kept', reason = 'Because.', statuses = {}, coverage, skipped, isTorn }: Part): RunEvent[] {
  const operations = Object.entries(statuses).map(([id, times]) => operation(id, times));
  const requests = operations.reduce((sum, each) => sum + each.requests, 0);
  const summary: RunSummary = { verdict, reason, requests, durationMs: 100, findings: { error: findings.length, warning: 0, note: 0 }, operations, checks: [{ id: 'no-server-error', inspected: requests, findings: 0 }], ...(coverage === undefined ? {} : { coverage }) };
  return [
    { type: 'run-started', run: { ...sampleRun, ...(shard === undefined ? {} : { shard: { index: shard[0], count: shard[1] } }), ...run } },
    ...(skipped === undefined ? [] : [{ type: 'operation-skipped', operation: { id: skipped, method: 'GET', path: `/${skipped}` }, reason: 'no server' } as const]),
    { type: 'plan-made', cases: 10, requests: 20 },
    ...operations.flatMap((each) => Array.from({ length: each.requests }, (_, at): RunEvent => ({ type: 'exchange-recorded', case: { id: 'c', title: 't', phase: 'read', operation: each.id }, exchange: { ...wrongStatus.exchange!, durationMs: at + 1 }, elapsedMs: 5 }))),
    ...findings.map((finding): RunEvent => ({ type: 'finding-reported', finding })),
    { type: 'gap-observed', gap: { id: 'g', message: 'm' }, observed: 'o' },
    { type: 'record-left', operation: 'a', record: `/a/${String(shard?.[0] ?? 0)}`, reason: 'r' },
    ...(isTorn === true ? [] : [{ type: 'run-finished', summary } as const]),
  ];
}

async function merge(...parts: readonly Part[]): Promise<RunEvent[]> {
  return collect(mergeEvents(parts.map((part, index) => ({ file: `${String(index + 1)}.blob`, events: throughBlob(eventsOf(part)) }))));
}

async function endOf(...parts: readonly Part[]): Promise<RunSummary> {
  const last = (await merge(...parts)).at(-1);
  if (last?.type !== 'run-finished') throw new Error('the last event is another');
  return last.summary;
}

const halves: readonly [Part, Part] = [
  { shard: [1, 2], statuses: { a: { 200: 3 }, b: {} } },
  { shard: [2, 2], statuses: { a: { 200: 1, 404: 1 }, b: { 200: 2 } } },
];

test('two halves are told as one run', async () => {
  const events = await merge(...halves);
  expect(events.map(({ type }) => type)).toEqual(['run-started', 'plan-made', ...Array.from({ length: 7 }, () => 'exchange-recorded'), 'gap-observed', 'record-left', 'record-left', 'run-finished']);
  expect(events[0]).toEqual({ type: 'run-started', run: sampleRun });
  expect(events[1]).toEqual({ type: 'plan-made', cases: 20, requests: 40 });
});

test('counts are added', async () => {
  expect(await endOf(...halves)).toMatchObject({
    verdict: 'kept',
    reason: 'Nothing in 7 answers over 2 shards breaks the contract.',
    requests: 7,
    durationMs: 100,
    operations: [
      { id: 'a', requests: 5, statuses: { 200: 4, 404: 1 }, checks: { 'no-server-error': 5 } },
      { id: 'b', requests: 2, statuses: { 200: 2 } },
    ],
    checks: [{ id: 'no-server-error', inspected: 7 }],
    latency: { a: latencyOf([1, 2, 3, 1, 2])!, b: latencyOf([1, 2])! },
  });
});

test('a finding of several shards is told once, as the worst of them tells it', async () => {
  const asWarning: Finding = { ...wrongStatus, severity: 'warning', count: 5, operations: ['a'], evidence: 'seen once' };
  const worse: Finding = { ...wrongStatus, count: 2, operations: ['b'] };
  const events = await merge({ ...halves[0], findings: [slowOperation, asWarning], verdict: 'kept' }, { ...halves[1], findings: [worse], verdict: 'broken' });
  expect(events.flatMap((event) => (event.type === 'finding-reported' ? [[event.finding.id, event.finding.severity, event.finding.count, event.finding.operations, event.finding.evidence]] : []))).toEqual([
    [wrongStatus.id, 'error', 7, ['a', 'b'], wrongStatus.evidence],
    [slowOperation.id, 'warning', 1, ['listPets'], slowOperation.evidence],
  ]);
  expect(events.at(-1)).toMatchObject({ summary: { verdict: 'broken', reason: 'The deployment breaks the contract: 1 finding of severity error over 2 shards.', findings: { error: 1, warning: 1 }, operations: [{ id: 'a', errors: 1 }, { id: 'b', errors: 1 }] } });
});

test('each job may have started the service for itself', async () => {
  expect(await endOf(halves[0], { ...halves[1], run: { target: 'http://localhost:12345/v1' } })).toMatchObject({ verdict: 'kept' });
});

test('an operation is skipped where every shard skips it', async () => {
  const skippedIn = async (first?: string, second?: string): Promise<number> => (await merge({ ...halves[0], ...(first === undefined ? {} : { skipped: first }) }, { ...halves[1], ...(second === undefined ? {} : { skipped: second }) })).filter(({ type }) => type === 'operation-skipped').length;
  expect([await skippedIn('x', 'x'), await skippedIn('x'), await skippedIn('x', 'y')]).toEqual([1, 0, 0]);
});

test('what one shard reached is reached', async () => {
  const coverage = (...reached: readonly boolean[]): Coverage => {
    const statuses = reached.map((each, at) => ({ status: String(200 + at), reached: each, ...(each ? {} : { why: 'no request for it' }) }));
    return { statuses: { reached: 0, total: 0 }, inputs: { reached: 0, total: 0 }, operations: [{ operation: 'a', statuses, inputs: [{ name: 'limit', in: 'query', classes: [{ class: 'minimum', reached: reached[0] === true }] }] }, { operation: 'b', ...(reached[0] === true ? { why: 'another shard asks it' } : {}), statuses: [], inputs: [] }] };
  };
  const { coverage: joined } = await endOf({ ...halves[0], coverage: coverage(true, false, false) }, { ...halves[1], coverage: coverage(false, true, false) });
  expect(joined).toEqual({
    statuses: { reached: 2, total: 3 },
    inputs: { reached: 1, total: 1 },
    operations: [
      { operation: 'a', statuses: [{ status: '200', reached: true }, { status: '201', reached: true }, { status: '202', reached: false, why: 'no request for it' }], inputs: [{ name: 'limit', in: 'query', classes: [{ class: 'minimum', reached: true }] }] },
      { operation: 'b', statuses: [], inputs: [] },
    ],
  });
});

describe('the verdict is the worst', () => {
  test.each<[name: string, parts: readonly Part[], verdict: Verdict, reason: string]>([
    ['kept and inconclusive', [halves[0], { ...halves[1], verdict: 'inconclusive', reason: 'The budget was spent.' }], 'inconclusive', 'Shard 2: The budget was spent.'],
    ['broken and interrupted', [{ ...halves[0], verdict: 'broken', findings: [wrongStatus] }, { ...halves[1], verdict: 'interrupted', reason: 'It was interrupted.' }], 'interrupted', 'Shard 2: It was interrupted.'],
    ['a shard is missing', [halves[1]], 'inconclusive', 'Shard 1 of 2 is missing, and what it would have shown is not known.'],
    ['two are missing', [{ ...halves[0], shard: [2, 3] }], 'inconclusive', 'Shards 1 and 3 of 3 are missing, and what they would have shown is not known.'],
    ['one breaks off', [halves[0], { ...halves[1], isTorn: true }], 'inconclusive', '2.blob ends before its run did.'],
    ['broken, and one is missing', [{ ...halves[0], verdict: 'broken', findings: [wrongStatus] }], 'broken', 'The deployment breaks the contract: 1 finding of severity error. Shard 2 of 2 is missing, and what it would have shown is not known.'],
  ])('%s', async (_name, parts, verdict, reason) => {
    expect(await endOf(...parts)).toMatchObject({ verdict, reason });
  });
});

describe('refused', () => {
  test.each<[name: string, parts: readonly Part[], message: string]>([
    ['the same shard twice', [halves[0], halves[0]], 'Shard 1 is given twice: 1.blob and 2.blob.'],
    ['other seeds', [halves[0], { ...halves[1], run: { seed: '43' } }], '1.blob and 2.blob are no shards of one run: the seed is 42 in one and 43 in the other.'],
    ['other targets', [halves[0], { ...halves[1], run: { target: 'http://other' } }], '1.blob and 2.blob are no shards of one run: the target is this machine in one and http://other in the other.'],
    ['other counts', [halves[0], { ...halves[1], shard: [2, 3] }], '1.blob and 2.blob are no shards of one run: the number of shards is 2 in one and 3 in the other.'],
    ['whole runs', [{}, {}], '1.blob and 2.blob are whole runs, and no shards of one.'],
  ])('%s', async (_name, parts, message) => {
    await expect(merge(...parts)).rejects.toThrow(message);
  });
});
