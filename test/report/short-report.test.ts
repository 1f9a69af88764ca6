import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import type { Finding, OverlayAction } from '../../src/check/model/finding.ts';
import { pretty } from '../../src/report/pretty.ts';
import { columnsOf } from '../../src/text/wrap-text.ts';
import { reportOf } from './report-of.ts';
import { extraField, sampleEvents, sampleRun, sampleSummary, wrongStatus } from './sample-run.ts';

test('a run on one screen', () => {
  expect(reportOf(pretty, sampleEvents)).toMatchInlineSnapshot(`
    "
    vouch check http://127.0.0.1:4010/v1

      contract  Pet Store Service Interface 1.0.0 · openapi/petstore.v1.yaml
      mode      read-write · seed 42 · run vouch-7f3a9c
      server    messages at http://127.0.0.1:4011

    Failed. 2 errors in 2 of 5 operations.

      1) error GET /pets and 1 more operation: the answer has a status that the
         contract does not know
         expected  one of available, pending, sold
         answer    GET /v1/pets?status=sold → 200 [{"id":1,"name":"Biscuit","catego…
         openapi/petstore.v1.yaml:366:7  enum: [available, pending, sold]
         curl --path-as-is -H "Authorization: Bearer $VOUCH_TOKEN" -H 'Accept:
      ↳ application/json, application/problem+json'
      ↳ 'http://127.0.0.1:4010/v1/pets?status=sold'
         body-matches-schema (by the contract) · f3a9c2 · seen 12 times

      2) error POST /pets: the connection was reset before an answer came, while
         other operations answered all the time and went on doing so
         afterwards
         expected  an answer
         answer    POST /v1/pets → connection.reset
         openapi/petstore.v1.yaml:120:5  post:
         curl --path-as-is -X POST --data-raw '{}' 'http://127.0.0.1:4010/v1/pets'
         curl --path-as-is 'http://127.0.0.1:4010/v1/pets'
         operation-answers (by the contract) · fault of server or contract · 0b44de…

      3) warning GET /pets: one answer in twenty took longer than 2 s

    Internal errors

      ✗ The check sort-holds crashed: Cannot read properties of undefined
        TypeError: Cannot read properties of undefined
            at inspect (sort-holds.ts:12:7)

      covered   3 of 5 operations with 1,301 requests in 1.24 s
      also      1 note, 1 gap in the contract: --verbose
      left over /pets/73 of createPet: the contract has no operation that deletes it
      next      Fix finding 1 first; its last command reproduces it. Then run again
                with --seed 42 to send the same requests.

    "
  `);
});

function runWith(...findings: readonly Finding[]): string {
  const events: RunEvent[] = [
    { type: 'run-started', run: sampleRun },
    ...findings.map((finding): RunEvent => ({ type: 'finding-reported', finding })),
    { type: 'run-finished', summary: sampleSummary },
  ];
  return reportOf(pretty, events);
}

const many = (count: number): Finding[] =>
  Array.from({ length: count }, (_, index) => ({
    ...wrongStatus,
    id: `many${String(index)}`,
    message: `Cause ${String(index + 1)} among many.`,
  }));

test.each([1, 3, 6, 12, 40, 400])('%i bugs take about 40 lines', (count) => {
  const report = runWith(...many(count));
  expect(report.split('\n').length).toBeLessThanOrEqual(42);
  // The first ones are cards, the others have a line each, and none is silently left out.
  const shown = report.match(/Cause \d+ among many\./g) ?? [];
  const more = Number(/and (\d+) more bugs?: --verbose/.exec(report)?.[1] ?? 0);
  expect(shown.length + more).toBe(count);
  expect(shown.slice(0, 3)).toEqual(
    [1, 2, 3].slice(0, count).map((number) => `Cause ${String(number)} among many.`),
  );
  for (const line of report.split('\n'))
    if (!line.includes('curl')) expect(columnsOf(line)).toBeLessThanOrEqual(80);
});

test('a card names its other operations and its symptoms', () => {
  const symptom: Finding = {
    ...wrongStatus,
    id: 'other',
    check: 'invalid-refused',
    operations: ['addPet'],
  };
  const report = runWith({
    ...wrongStatus,
    operations: ['listPets', 'getPet', 'addPet'],
    alsoSeenAs: [symptom, { ...symptom, id: 'third' }],
  });
  expect(report).toContain('error GET /pets and 2 more operations: the answer has a status');
  expect(report).toContain('symptoms  invalid-refused ×2, in addPet\n');
});

test('a bug that takes many requests is sent again by one command', () => {
  const replay = { version: 1 } as NonNullable<Finding['replay']>;
  const report = runWith({ ...wrongStatus, replay, curl: ['curl a', 'curl b', 'curl c'] });
  expect(report).toContain('vouch replay f3a9c2  # sends its 3 requests again');
  expect(report).not.toContain('curl b');
});

test('notes are counted, and not shown', () => {
  const report = runWith(wrongStatus, { ...extraField, severity: 'note' });
  expect(report).toContain('also      1 note: --verbose');
  expect(report).not.toContain('the answer has the field tags');
});

describe('the change of the document', () => {
  const overlayAction: OverlayAction = { target: '$', update: {} };
  const row = /document +an Overlay can answer (.*): --write-overlay FILE\n {2}next /;

  test('is named once, before the next step', () => {
    const gap = { id: 'a', message: 'It is left open.' };
    const seen: RunEvent = { type: 'gap-observed', gap, observed: 'It was seen.', overlayAction };
    const found = { ...extraField, overlayAction };
    const twice = runWith(wrongStatus, found, { ...found, id: '2' });
    expect(row.exec(twice)?.[1]).toBe('2 findings');
    const events: RunEvent[] = [
      { type: 'finding-reported', finding: found },
      seen,
      { type: 'run-finished', summary: sampleSummary },
    ];
    expect(row.exec(reportOf(pretty, events))?.[1]).toBe('1 finding and 1 gap');
    expect(runWith(wrongStatus)).not.toContain('--write-overlay');
  });

  test.each([5, 40])('does not make the report of %i bugs longer than its screen', (count) => {
    const [first, ...others] = many(count);
    const report = runWith({ ...first!, overlayAction }, ...others);
    expect(report).toMatch(row);
    expect(report.split('\n').length).toBeLessThanOrEqual(42);
  });
});

test('a run that can send nothing says why of each operation, and what to give it', () => {
  const examples = ['getByCode.code', 'getByDay.day'].map((end) => `targets.NAME.examples.${end}`);
  const events: RunEvent[] = [
    { type: 'run-started', run: sampleRun },
    {
      type: 'run-finished',
      summary: {
        verdict: 'inconclusive',
        reason: 'Nothing was tested: no operation got a request.',
        code: 'nothing-tested',
        reach: {
          reached: 0,
          total: 2,
          isPartial: true,
          shut: [{ code: 'unknown-value', operations: ['getByCode', 'getByDay'], opens: examples }],
        },
        requests: 0,
        checks: [],
        durationMs: 10,
        findings: { error: 0, warning: 0, note: 0 },
        operations: [],
      },
    },
  ];
  const report = reportOf(pretty, events);
  expect(report.slice(report.indexOf('Inconclusive'))).toMatchInlineSnapshot(`
    "Inconclusive. Nothing was tested: no operation got a request. Stopped after 0
    requests.

      skipped   2 have a path with an unknown value
                (targets.NAME.examples.getByCode.code,
                targets.NAME.examples.getByDay.day)
      next      With targets.NAME.examples.getByCode.code and the like, 2 more
                operations can be tested.

    "
  `);
});
