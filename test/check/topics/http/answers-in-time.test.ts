import { expect, test } from 'vitest';
import { answersInTime } from '../../../../src/check/topics/http/answers-in-time.ts';
import type { Check } from '../../../../src/check/topics/check.ts';
import type { Latency } from '../../../../src/check/model/knowledge.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';

const contract = libraryContract();
const [{ id = '' } = {}] = contract.operations.filter(
  ({ method, path }) => method === 'GET' && path === '/books',
);
const steady = (p95: number, count = 5): Latency => ({ count, p50: p95, p95, max: p95 });
const fast = (): [string, Latency][] => ['one', 'two', 'three'].map((name) => [name, steady(20)]);

/**
 * What is said of an answer that took so long, where the operations of the run took these times.
 */
function said(
  durationMs: number,
  latencies: readonly (readonly [string, Latency])[],
  { status = 200, check = answersInTime }: Readonly<{ status?: number; check?: Check }> = {},
): string[] | undefined {
  const subject = talk(contract, [{ ask: 'GET /books', status, answer: [] }], {
    latencies: new Map(latencies),
  });
  return check
    .inspect({ ...subject, exchange: { ...subject.exchange, durationMs } })
    ?.map(({ severity, expected }) => `${severity ?? 'as ever'}: ${expected}`);
}

test.each<[string, number, readonly (readonly [string, Latency])[], string[]]>([
  [
    'one that took longer than is set',
    1_200,
    [[id, steady(1_100)]],
    ['as ever: 95% of the responses within 1000 ms'],
  ],
  [
    'one that took as long as is set',
    1_000,
    [[id, steady(1_000)]],
    ['as ever: 95% of the responses within 1000 ms'],
  ],
  ['not a quick one of a slow operation', 900, [[id, steady(1_100)]], []],
  [
    'not a stumble of a quick operation',
    5_000,
    [[id, { count: 50, p50: 20, p95: 30, max: 5_000 }]],
    [],
  ],
  ['not one of which there are too few', 1_200, [[id, steady(1_100, 2)]], []],
  ['not one that the run does not know', 1_200, [], []],
  [
    'as a note one that is far slower than its peers',
    400,
    [[id, steady(300)], ...fast()],
    ['note: 95% of the responses within 250 ms'],
  ],
  ['not one with too few peers', 400, [[id, steady(300)], ...fast().slice(1)], []],
  [
    'not one that nobody feels, however fast its peers are',
    249,
    [[id, steady(240)], ...fast()],
    [],
  ],
])('slow responses are reported: %s', (_name, durationMs, latencies, expected) => {
  expect(said(durationMs, latencies)).toEqual(expected);
});

test('the time limit can be set', () => {
  expect(said(300, [[id, steady(300)]], { check: answersInTime.within(300) })).toEqual([
    'as ever: 95% of the responses within 300 ms',
  ]);
});

test('a slow refusal is not reported', () => {
  expect(said(9_000, [[id, steady(9_000)]], { status: 404 })).toBeUndefined();
});
