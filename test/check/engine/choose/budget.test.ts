import { describe, expect, test } from 'vitest';
import { checkTarget, planCheck } from '../../../../src/check/engine/check-target.ts';
import {
  describeLeftOut,
  findLeftOut,
  plannedCases,
} from '../../../../src/check/engine/choose/prioritize.ts';
import { decideVerdict } from '../../../../src/check/engine/judge/verdict.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import type { Send } from '../../../../src/check/transport/send.ts';
import { openTransport } from '../../../../src/check/transport/wire/wire-transport.ts';
import { emptyBody } from '../../../../src/http/message.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { startLibrary } from '../../fixture/library-server.ts';

const contract = libraryContract();
const options = { url: 'http://127.0.0.1:1', contract, token: 'key', seed: 'budget' };
const plan = planOf(resolveSettings({ ...options, budgetMs: 60_000 }));

describe('a plan under a budget', () => {
  test('has the same requests as without one', () => {
    const ids = (budgetMs?: number): string[] =>
      planCheck({ ...options, ...(budgetMs === undefined ? {} : { budgetMs }) })
        .requests.map(({ id }) => id)
        .sort();
    expect(ids(60_000)).toEqual(ids());
  });

  test('is ordered by value of the requests, then by operation', () => {
    const later = plan.stages
      .filter(({ phase }) => phase !== 'probe' && phase !== 'read')
      .flatMap(({ sequences }) => sequences);
    const order = later.map(({ cases }) =>
      Math.min(...cases.map(({ id }) => plan.worths?.get(id) ?? 9)),
    );
    expect(order).toEqual([...order].sort((left, right) => left - right));
    const first = later.slice(0, 2).map(({ cases }) => cases.at(-1)?.operation.id);
    expect(new Set(first).size).toBe(2);
  });
});

test('the first request of each kind at an operation comes before the next', () => {
  // A sequence is worth as much as the best of its requests, such as the GET before a HEAD.
  const cases = plan.stages
    .flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases))
    .filter(({ phase, request }) => phase !== 'sequence' && request.method !== 'HEAD');
  const worths = (kind: string, id: string): number[] =>
    cases
      .filter(({ intent, operation }) => intent.kind === kind && operation.id === id)
      .map((tried) => plan.worths?.get(tried.id) ?? NaN)
      .sort((left, right) => left - right);
  for (const id of ['getBook', 'deleteBook']) expect(worths('missing', id)).toEqual([1, 3]);
  expect(new Set(worths('credential', 'getBook'))).toEqual(new Set([1]));
  expect(new Set(worths('method', 'getBook'))).toEqual(new Set([3]));
});

describe('omitted requests are reported', () => {
  const cases = plan.stages.flatMap(({ sequences }) =>
    sequences.flatMap((sequence) => sequence.cases),
  );
  const telling = new Set(
    cases.filter(({ id }) => (plan.worths?.get(id) ?? 9) <= 1).map(({ id }) => id),
  );
  const [first] = cases;
  if (first === undefined) throw new Error('The plan is empty.');
  const answered: Step = {
    case: first,
    sent: { arguments: new Map() },
    exchange: {
      baseUrl: options.url,
      request: { method: 'GET', target: '/', headers: [], body: emptyBody },
      response: { status: 200, headers: [], body: emptyBody },
      durationMs: 1,
    },
    answer: { kind: 'empty' },
  };
  const account = { contract, url: options.url, hasToken: true, crashed: false, findings: [] };

  test('no report if everything was sent or could not be written', () => {
    expect(
      describeLeftOut(
        findLeftOut(plannedCases(plan), {
          sent: telling,
          passedOver: new Set(cases.map(({ id }) => id)),
        }),
      ),
    ).toBe('');
  });

  test('the run passes if all important requests were sent', () => {
    const leftOut = findLeftOut(plannedCases(plan), { sent: telling, passedOver: new Set() });
    expect(leftOut.mattering).toBe(0);
    expect(leftOut.requests).toBeGreaterThan(0);
    const ruling = decideVerdict({
      ...account,
      steps: [answered],
      leftOut: { planned: 300, requests: 42, mattering: 0, phases: '40 boundary, 2 random' },
      stop: { code: 'budget-spent', limitMs: 2000 },
    });
    expect(ruling).toMatchInlineSnapshot(`
      {
        "code": "no-findings",
        "nothingTested": false,
        "reason": "1 response conforms. The budget of 2 s was spent before the plan
        ↳ was done. It left out 42 of 300 planned requests (40 boundary, 2
        ↳ random); every operation got its plain requests, its credentials
        ↳ and one broken rule of each kind.",
        "remarks": [
          "The budget of 2 s was spent before the plan was done. It left
        ↳ out 42 of 300 planned requests (40 boundary, 2 random); every
        ↳ operation got its plain requests, its credentials and one
        ↳ broken rule of each kind.",
        ],
        "verdict": "passed",
      }
    `);
  });

  test('the run is inconclusive if an important request was not sent', () => {
    const some = findLeftOut(plannedCases(plan), {
      sent: new Set([...telling].slice(1)),
      passedOver: new Set(),
    });
    expect(some.mattering).toBe(1);
    const ruling = decideVerdict({
      ...account,
      steps: [answered],
      leftOut: { planned: 300, requests: 42, mattering: 3, phases: '40 boundary, 2 auth' },
      stop: { code: 'budget-spent', limitMs: 2000 },
    });
    expect(ruling).toMatchInlineSnapshot(`
      {
        "code": "stopped",
        "nothingTested": false,
        "reason": "The budget of 2 s was spent before the plan was done. It left out
        ↳ 42 of 300 planned requests (40 boundary, 2 auth); 3 of them are
        ↳ plain requests, credential tests or the first test of a rule.",
        "remarks": [],
        "verdict": "inconclusive",
      }
    `);
  });
});

test('a spent budget ends a run, which cleans up and reports what it left out', async () => {
  const library = await startLibrary();
  const before = library.size();
  const budgetMs = 300;
  const transport = openTransport({ timeoutMs: 5000, connections: 1 });
  let sent = 0;
  const send: Send = async (...given) => {
    sent += 1;
    // One answer takes as long as the whole run may.
    if (sent === 20) await new Promise((resolve) => setTimeout(resolve, budgetMs));
    return transport.send(...given);
  };
  const { summary } = await checkTarget({
    url: library.url,
    contract,
    token: library.token,
    seed: 'budget',
    budgetMs,
    concurrency: 1,
    send,
  });
  await transport.close();
  expect(summary.verdict).toBe('inconclusive');
  expect(summary.reason).toMatch(
    /^The budget of 0.3 s was spent before the plan was done. It left out \d+ of \d+ planned requests \(.*\); \d+ of them are plain requests, credential tests or the first test of a rule.$/,
  );
  expect(library.size()).toBe(before);
  await library.close();
});
