import { describe, expect, test } from 'vitest';
import { latencyOf } from '../../../src/check/reading/latency.ts';
import type { RunEvent, RunInfo } from '../../../src/check/model/event.ts';
import type { Finding } from '../../../src/check/model/finding.ts';
import type {
  Coverage,
  OperationSummary,
  ReasonCode,
  RunSummary,
  Verdict,
} from '../../../src/check/model/run-summary.ts';
import { mergeEvents } from '../../../src/report/blob/merge-events.ts';
import { countsOf } from '../../../src/report/blob/match-shards.ts';
import { sampleRun, slowOperation, wrongStatus } from '../sample-run.ts';
import { collect, throughBlob } from './read-events.ts';

interface Part {
  readonly shard?: readonly [index: number, count: number];
  readonly run?: Partial<RunInfo>;
  readonly findings?: readonly Finding[];
  readonly verdict?: Verdict;
  readonly reason?: string;
  readonly code?: ReasonCode;
  readonly remarks?: readonly string[];
  /** By operation: how often each status came. */
  readonly statuses?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly coverage?: Coverage;
  readonly skipped?: string;
  readonly isTorn?: boolean;
  /** What is lost of the blob, of what its run told. */
  readonly lost?: (event: RunEvent) => boolean;
}

function operation(id: string, statuses: Readonly<Record<string, number>>): OperationSummary {
  const requests = Object.values(statuses).reduce((sum, times) => sum + times, 0);
  return {
    id,
    method: 'GET',
    path: `/${id}`,
    requests,
    errors: 0,
    warnings: 0,
    notes: 0,
    ...(requests === 0 ? { skipped: 'another shard asks it' } : {}),
    statuses,
    checks: requests === 0 ? {} : { 'no-server-error': requests },
  };
}

/** The words of a run that has nothing more to say. */
function reasonOf(verdict: Verdict, requests: number, { error }: RunSummary['findings']): string {
  if (verdict === 'passed') return `All ${String(requests)} responses conform.`;
  return verdict === 'failed'
    ? `The deployment violates the contract: ${String(error)} ` +
        `finding${error === 1 ? '' : 's'} of severity error.`
    : 'Because.';
}

function eventsOf({
  shard,
  run,
  findings = [],
  verdict = 'passed',
  reason,
  code,
  remarks,
  statuses = {},
  coverage,
  skipped,
  isTorn,
  lost = () => false,
}: Part): RunEvent[] {
  const operations = Object.entries(statuses).map(([id, times]) => operation(id, times));
  const requests = operations.reduce((sum, each) => sum + each.requests, 0);
  const counts = countsOf(findings);
  const summary: RunSummary = {
    verdict,
    reason: reason ?? reasonOf(verdict, requests, counts),
    ...(code === undefined ? {} : { code }),
    ...(remarks === undefined ? {} : { remarks }),
    requests,
    durationMs: 100,
    findings: counts,
    operations,
    checks: [{ id: 'no-server-error', inspected: requests, findings: 0 }],
    ...(coverage === undefined ? {} : { coverage }),
  };
  const events: RunEvent[] = [
    {
      type: 'run-started',
      run: {
        ...sampleRun,
        ...(shard === undefined ? {} : { shard: { index: shard[0], count: shard[1] } }),
        ...run,
      },
    },
    ...(skipped === undefined
      ? []
      : [
          {
            type: 'operation-skipped',
            operation: { id: skipped, method: 'GET', path: `/${skipped}` },
            reason: 'no server',
          } as const,
        ]),
    { type: 'plan-made', cases: 10, requests: 20 },
    ...operations.flatMap((each) =>
      Array.from({ length: each.requests }, (_, at): RunEvent => ({
        type: 'exchange-recorded',
        case: { id: 'c', title: 't', phase: 'read', operation: each.id },
        exchange: { ...wrongStatus.exchange!, durationMs: at + 1 },
        elapsedMs: 5,
      })),
    ),
    ...findings.map((finding): RunEvent => ({ type: 'finding-reported', finding })),
    { type: 'gap-observed', gap: { id: 'g', message: 'm' }, observed: 'o' },
    { type: 'record-left', operation: 'a', record: `/a/${String(shard?.[0] ?? 0)}`, reason: 'r' },
    ...(isTorn === true ? [] : [{ type: 'run-finished', summary } as const]),
  ];
  return events.filter((event) => !lost(event));
}

async function merge(...parts: readonly Part[]): Promise<RunEvent[]> {
  return collect(
    mergeEvents(
      parts.map((part, index) => ({
        file: `${String(index + 1)}.blob`,
        events: throughBlob(eventsOf(part)),
      })),
    ),
  );
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

test('two halves are merged into one run', async () => {
  const events = await merge(...halves);
  expect(events.map(({ type }) => type)).toEqual([
    'run-started',
    'plan-made',
    ...Array.from({ length: 7 }, () => 'exchange-recorded'),
    'gap-observed',
    'record-left',
    'record-left',
    'run-finished',
  ]);
  expect(events[0]).toEqual({ type: 'run-started', run: sampleRun });
  expect(events[1]).toEqual({ type: 'plan-made', cases: 20, requests: 40 });
});

test('a gap keeps the change of the document that only one shard has', async () => {
  const overlayAction = { target: '$', update: { 'x-seen': true } };
  const withAction = eventsOf(halves[1]).map((event) =>
    event.type === 'gap-observed' ? { ...event, overlayAction } : event,
  );
  const merged = await collect(
    mergeEvents([
      { file: '1.blob', events: throughBlob(eventsOf(halves[0])) },
      { file: '2.blob', events: throughBlob(withAction) },
    ]),
  );
  expect(merged.filter(({ type }) => type === 'gap-observed')).toMatchObject([{ overlayAction }]);
});

test('a plan-made event after the first requests keeps its position', async () => {
  const run = eventsOf(halves[0]);
  const plan = run.filter(({ type }) => type === 'plan-made');
  const others = run.filter(({ type }) => type !== 'plan-made');
  const first = others.findIndex(({ type }) => type === 'exchange-recorded');
  const late = [...others.slice(0, first + 1), ...plan, ...others.slice(first + 1)];
  const merged = await collect(mergeEvents([{ file: '1.blob', events: throughBlob(late) }]));
  expect(merged.map(({ type }) => type).slice(0, 4)).toEqual([
    'run-started',
    'exchange-recorded',
    'plan-made',
    'exchange-recorded',
  ]);
  expect(merged.filter(({ type }) => type === 'plan-made')).toEqual(plan);
});

test('merged counts are added', async () => {
  expect(await endOf(...halves)).toMatchObject({
    verdict: 'passed',
    reason: 'All 7 responses of 2 shards conform.',
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

test('a finding of several shards is reported once with the highest severity', async () => {
  const asWarning: Finding = {
    ...wrongStatus,
    severity: 'warning',
    count: 5,
    operations: ['a'],
    evidence: 'seen once',
  };
  const worse: Finding = { ...wrongStatus, count: 2, operations: ['b'] };
  const events = await merge(
    { ...halves[0], findings: [slowOperation, asWarning], verdict: 'passed' },
    { ...halves[1], findings: [worse], verdict: 'failed' },
  );
  expect(
    events.flatMap((event) =>
      event.type === 'finding-reported'
        ? [
            [
              event.finding.id,
              event.finding.severity,
              event.finding.count,
              event.finding.operations,
              event.finding.evidence,
            ],
          ]
        : [],
    ),
  ).toEqual([
    [wrongStatus.id, 'error', 7, ['a', 'b'], wrongStatus.evidence],
    [slowOperation.id, 'warning', 1, ['listPets'], slowOperation.evidence],
  ]);
  expect(events.at(-1)).toMatchObject({
    summary: {
      verdict: 'failed',
      reason: 'The deployment violates the contract: 1 finding of severity error in 2 shards.',
      findings: { error: 1, warning: 1 },
      operations: [
        { id: 'a', errors: 1 },
        { id: 'b', errors: 1 },
      ],
    },
  });
});

test('each job may have started its own service', async () => {
  expect(
    await endOf(halves[0], { ...halves[1], run: { target: 'http://localhost:12345/v1' } }),
  ).toMatchObject({ verdict: 'passed' });
});

test('an operation is skipped if every shard skips it', async () => {
  const skippedIn = async (first?: string, second?: string): Promise<number> =>
    (
      await merge(
        { ...halves[0], ...(first === undefined ? {} : { skipped: first }) },
        { ...halves[1], ...(second === undefined ? {} : { skipped: second }) },
      )
    ).filter(({ type }) => type === 'operation-skipped').length;
  expect([await skippedIn('x', 'x'), await skippedIn('x'), await skippedIn('x', 'y')]).toEqual([
    1, 0, 0,
  ]);
});

test('an item covered by one shard is covered', async () => {
  const coverage = (...reached: readonly boolean[]): Coverage => {
    const statuses = reached.map((each, at) => ({
      status: String(200 + at),
      reached: each,
      ...(each ? {} : { why: 'no request for it' }),
    }));
    return {
      statuses: { reached: 0, total: 0 },
      inputs: { reached: 0, total: 0 },
      operations: [
        {
          operation: 'a',
          statuses,
          inputs: [
            {
              name: 'limit',
              in: 'query',
              classes: [{ class: 'minimum', reached: reached[0] === true }],
            },
          ],
        },
        {
          operation: 'b',
          ...(reached[0] === true ? { why: 'another shard asks it' } : {}),
          statuses: [],
          inputs: [],
        },
      ],
    };
  };
  const { coverage: joined } = await endOf(
    { ...halves[0], coverage: coverage(true, false, false) },
    { ...halves[1], coverage: coverage(false, true, false) },
  );
  expect(joined).toEqual({
    statuses: { reached: 2, total: 3 },
    inputs: { reached: 1, total: 1 },
    operations: [
      {
        operation: 'a',
        statuses: [
          { status: '200', reached: true },
          { status: '201', reached: true },
          { status: '202', reached: false, why: 'no request for it' },
        ],
        inputs: [{ name: 'limit', in: 'query', classes: [{ class: 'minimum', reached: true }] }],
      },
      { operation: 'b', statuses: [], inputs: [] },
    ],
  });
});

const broken: Part = { ...halves[0], verdict: 'failed', findings: [wrongStatus] };
const asWarning: Finding = { ...wrongStatus, severity: 'warning' };
const failingOnWarnings = (part: Part, findings: readonly Finding[]): Part => ({
  ...part,
  run: { failOn: 'warning' },
  findings,
  verdict: findings.length === 0 ? 'passed' : 'failed',
  ...(findings.length === 0
    ? {}
    : {
        reason:
          `The run fails on every warning: ${String(findings.length)} finding of ` +
          'severity warning.',
      }),
});
const ofType =
  (...types: readonly RunEvent['type'][]) =>
  ({ type }: RunEvent): boolean =>
    types.includes(type);
const again = 'Download it again from its job, or run it again with';

describe('the verdict is the worst', () => {
  test.each<[name: string, parts: readonly Part[], verdict: Verdict, reason: string]>([
    [
      'kept and inconclusive',
      [halves[0], { ...halves[1], verdict: 'inconclusive', reason: 'The budget was spent.' }],
      'inconclusive',
      'Shard 2: The budget was spent.',
    ],
    [
      'both inconclusive for one reason',
      halves.map((half) => ({ ...half, verdict: 'inconclusive', reason: 'Nothing answered.' })),
      'inconclusive',
      'Nothing answered.',
    ],
    [
      'broken and interrupted',
      [broken, { ...halves[1], verdict: 'interrupted', reason: 'It was interrupted.' }],
      'interrupted',
      'Shard 2: It was interrupted.',
    ],
    [
      'a shard is missing',
      [halves[1]],
      'inconclusive',
      'Shard 1 of 2 is missing, so it could not be judged. Merge its blob too, ' +
        'or run it again with --shard 1/2 and --seed 42.',
    ],
    [
      'two are missing',
      [{ ...halves[0], shard: [2, 3] }],
      'inconclusive',
      'Shards 1 and 3 of 3 are missing, so they could not be judged. Merge ' +
        'their blobs too, or run them again with --shard 1/3 and --shard 3/3, ' +
        'each with --seed 42.',
    ],
    [
      'the seed is nothing for a shell',
      [{ ...halves[1], run: { seed: '$(rm)' } }],
      'inconclusive',
      'Shard 1 of 2 is missing, so it could not be judged. Merge its blob too, ' +
        'or run it again with --shard 1/2 and the same --seed.',
    ],
    [
      'one breaks off',
      [halves[0], { ...halves[1], isTorn: true }],
      'inconclusive',
      '2.blob is incomplete: its job was stopped, or the file was truncated. ' +
        `${again} --shard 2/2 and --seed 42.`,
    ],
    [
      'broken, and one is missing',
      [broken],
      'failed',
      'The deployment violates the contract: 1 finding of severity error. ' +
        'Shard 2 of 2 is missing, so it could not be judged. Merge its blob too, ' +
        'or run it again with --shard 2/2 and --seed 42.',
    ],
    [
      'one breaks off with a finding',
      [{ ...broken, isTorn: true }, halves[1]],
      'failed',
      'The deployment violates the contract: 1 finding of severity error in 2 ' +
        'shards. 1.blob is incomplete: its job was stopped, or the file was ' +
        `truncated. ${again} --shard 1/2 and --seed 42.`,
    ],
    [
      'kept, and part of it could not be tested',
      [
        halves[0],
        {
          ...halves[1],
          reason:
            'All 4 responses conform. 1 operation could not be tested, because no ' +
            'credential was given.',
          code: 'no-findings',
          remarks: ['1 operation could not be tested, because no credential was given.'],
        },
      ],
      'passed',
      'All 7 responses of 2 shards conform. Shard 2: 1 operation could not be ' +
        'tested, because no credential was given.',
    ],
    [
      'kept but for what is known',
      [
        {
          ...broken,
          verdict: 'passed',
          reason: 'No new errors in 3 responses; the baseline accepts 1 error.',
          findings: [{ ...wrongStatus, severity: 'note', accepted: 'error' }],
        },
        halves[1],
      ],
      'passed',
      'No new errors in 7 responses of 2 shards; the baseline accepts 1 error.',
    ],
    [
      'broken, and compared with another',
      [
        {
          ...broken,
          reason:
            'The deployment violates the contract: 1 finding of severity error. ' +
            'http://other answered alike.',
          code: 'findings',
          remarks: ['http://other answered alike.'],
        },
        halves[1],
      ],
      'failed',
      'The deployment violates the contract: 1 finding of severity error in 2 ' +
        'shards. Shard 1: http://other answered alike.',
    ],
    [
      'nothing had changed',
      halves.map((half) => ({
        ...half,
        statuses: { a: {}, b: {} },
        code: 'nothing-changed',
        reason: 'No operation of the contract has changed since main: there was nothing to check.',
      })),
      'passed',
      'No operation of the contract has changed since main: there was nothing to check.',
    ],
    [
      'a run that fails on warnings',
      [failingOnWarnings(halves[0], [asWarning]), failingOnWarnings(halves[1], [])],
      'failed',
      'The run fails on every warning: 1 finding of severity warning in 2 shards.',
    ],
    [
      'a blob that does not say what its run failed on',
      [{ ...failingOnWarnings(halves[0], [asWarning]), run: {} }, halves[1]],
      'failed',
      'Shard 1: The run fails on every warning: 1 finding of severity warning.',
    ],
  ])('%s', async (_name, parts, verdict, reason) => {
    expect(await endOf(...parts)).toMatchObject({ verdict, reason });
  });
});

describe('the verdict agrees with the present findings', () => {
  test.each<[name: string, parts: readonly Part[], verdict: Verdict, reason: string]>([
    [
      'the findings are lost',
      [halves[1], { ...broken, lost: ofType('finding-reported') }],
      'inconclusive',
      '2.blob is incomplete: its run ended with 1 finding of severity error, ' +
        `the file has none. ${again} --shard 1/2 and --seed 42.`,
    ],
    [
      'one of two is lost',
      [
        halves[1],
        {
          ...broken,
          findings: [wrongStatus, { ...wrongStatus, id: 'other' }],
          lost: (event) => event.type === 'finding-reported' && event.finding.id === 'other',
        },
      ],
      'failed',
      'The deployment violates the contract: 1 finding of severity error in 2 ' +
        'shards. 2.blob is incomplete: its run ended with 2 findings of severity ' +
        `error, the file has 1. ${again} --shard 1/2 and --seed 42.`,
    ],
    [
      'a warning of a kept run is lost',
      [halves[0], { ...halves[1], findings: [slowOperation], lost: ofType('finding-reported') }],
      'inconclusive',
      '2.blob is incomplete: its run ended with 1 finding of severity warning, ' +
        `the file has none. ${again} --shard 2/2 and --seed 42.`,
    ],
    [
      'the line of the plan is lost',
      [broken, { ...halves[1], lost: ofType('plan-made') }],
      'failed',
      'The deployment violates the contract: 1 finding of severity error in 2 shards.',
    ],
    [
      'the plan and the findings are lost',
      [halves[1], { ...broken, lost: ofType('plan-made', 'finding-reported') }],
      'inconclusive',
      '2.blob is incomplete: its run ended with 1 finding of severity error, ' +
        `the file has none. ${again} --shard 1/2 and --seed 42.`,
    ],
    [
      'what one shard explains as a warning is an error in another',
      [
        { ...halves[0], findings: [{ ...slowOperation, alsoSeenAs: [asWarning] }] },
        { ...halves[1], verdict: 'failed', findings: [wrongStatus] },
      ],
      'failed',
      'The deployment violates the contract: 1 finding of severity error in 2 shards.',
    ],
  ])('%s', async (_name, parts, verdict, reason) => {
    const events = await merge(...parts);
    const told = countsOf(
      events.flatMap((event) => (event.type === 'finding-reported' ? [event.finding] : [])),
    );
    expect(events.at(-1)).toMatchObject({ summary: { verdict, reason, findings: told } });
    expect(verdict === 'failed').toBe(told.error > 0);
  });
});

describe('shards that cannot be merged', () => {
  test.each<[name: string, parts: readonly Part[], message: string, hint: string]>([
    [
      'the same shard twice',
      [halves[0], halves[0]],
      'Shard 1 of 2 was given twice: 1.blob and 2.blob.',
      'Pass only one of them, and add the missing blob of shard 2.',
    ],
    [
      'the same shard three times',
      [halves[0], halves[1], halves[0], halves[0]],
      'Shard 1 of 2 was given 3 times: 1.blob, 3.blob and 4.blob.',
      'Pass only one of them.',
    ],
    [
      'other seeds',
      [halves[0], { ...halves[1], run: { seed: '43' } }],
      '1.blob and 2.blob are not shards of one run: the seed is 42 in one and 43 in the other.',
      'Give every shard the same --seed, so that they split one plan.',
    ],
    [
      'other targets',
      [halves[0], { ...halves[1], run: { target: 'http://other' } }],
      '1.blob and 2.blob are not shards of one run: the target is this machine ' +
        'in one and http://other in the other.',
      'Merge only blobs of one pipeline.',
    ],
    [
      'other contracts',
      [
        halves[0],
        { ...halves[1], run: { contract: { title: 'Clinic', version: '2', file: 'clinic.yaml' } } },
      ],
      '1.blob and 2.blob are not shards of one run: the contract is Pet Store ' +
        'Service Interface 1.0.0 in one and Clinic 2 in the other.',
      'Merge only blobs of one pipeline.',
    ],
    [
      'another document of the same title',
      [halves[0], { ...halves[1], statuses: { a: {}, c: {} } }],
      '1.blob and 2.blob are not shards of one run: only the contract of ' +
        '1.blob has the operation b.',
      'Give every shard the same document, and merge only blobs of one pipeline.',
    ],
    [
      'other modes',
      [halves[0], { ...halves[1], run: { mode: 'fuzz' } }],
      '1.blob and 2.blob are not shards of one run: the mode is read-write in ' +
        'one and fuzz in the other.',
      'Give every shard the same --mode.',
    ],
    [
      'another severity to fail on',
      [halves[0], { ...halves[1], run: { failOn: 'note' } }],
      '1.blob and 2.blob are not shards of one run: the severity that fails ' +
        'the run is error in one and note in the other.',
      'Give every shard the same --fail-on.',
    ],
    [
      'another vouch',
      [halves[0], { ...halves[1], run: { version: '0.2.0' } }],
      '1.blob and 2.blob are not shards of one run: the version of vouch is ' +
        '0.1.0 in one and 0.2.0 in the other.',
      'Use the same version of vouch in every job: versions may plan differently.',
    ],
    [
      'other counts',
      [halves[0], { ...halves[1], shard: [2, 3] }],
      '1.blob and 2.blob are not shards of one run: the number of shards is 2 ' +
        'in one and 3 in the other.',
      'Give every shard the same number of parts: --shard 1/3, --shard 2/3 and --shard 3/3.',
    ],
    [
      'whole runs',
      [{}, { run: { seed: '43' } }],
      '1.blob and 2.blob are complete runs, not shards.',
      'Split the plan with --shard 1/2 and --shard 2/2, or render one run ' +
        'with: vouch report show FILE',
    ],
    [
      'a whole run beside a shard',
      [halves[0], {}],
      '2.blob is a complete run, not a shard.',
      'Split the plan with --shard 1/2 and --shard 2/2, or render one run ' +
        'with: vouch report show FILE',
    ],
  ])('%s', async (_name, parts, message, hint) => {
    await expect(merge(...parts)).rejects.toMatchObject({ code: 'usage', message, hint });
  });
});
