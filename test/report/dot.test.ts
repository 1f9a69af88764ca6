import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import { dot } from '../../src/report/dot.ts';
import { ndjson } from '../../src/report/ndjson.ts';
import { reportOf } from './report-of.ts';
import { bareEnd, sampleEvents } from './sample-run.ts';

function answered(status: number | undefined): RunEvent {
  const request = { method: 'GET', target: '/', headers: [], body: new Uint8Array() };
  const response =
    status === undefined ? {} : { response: { status, headers: [], body: new Uint8Array() } };
  return {
    type: 'exchange-recorded',
    case: { id: 'a', title: 'a', phase: 'read', operation: 'a' },
    exchange: { baseUrl: 'http://host', request, ...response, durationMs: 1 },
  };
}

test('dot: a mark for each exchange, wrapped, then the findings', () => {
  expect(
    reportOf(dot, [...[200, 404, 500, undefined, 200].map(answered), ...sampleEvents.slice(4)], {
      width: 4,
    }),
  ).toMatchInlineSnapshot(`
    "..5x
    .
    error GET /pets and 1 more operation: the answer has a status that the contract does
      ↳ not know (body-matches-schema, openapi/petstore.v1.yaml:366:7)
    error POST /pets: the connection was reset before an answer came, while other
      ↳ operations answered all the time and went on doing so afterwards
      ↳ (operation-answers, openapi/petstore.v1.yaml:120:5)
    warning GET /pets: one answer in twenty took longer than 2 s (answers-in-time,
      ↳ openapi/petstore.v1.yaml:72:5)
    internal error the check sort-holds crashed: Cannot read properties of undefined
    Failed. 2 errors in 2 of 5 operations. Findings: 2 errors, 1 warning, 1 note; 1,301
      ↳ requests in 1.24 s.
    "
  `);
});

test('dot: in a terminal, lines are broken between words', () => {
  const text = reportOf(dot, [...[200, 200].map(answered), ...sampleEvents.slice(4)], {
    terminal: true,
  });
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatchInlineSnapshot(`
    "..
    error GET /pets and 1 more operation: the answer has a status that the
      contract does not know (body-matches-schema, openapi/petstore.v1.yaml:366:7)
    error POST /pets: the connection was reset before an answer came, while other
      operations answered all the time and went on doing so afterwards
      (operation-answers, openapi/petstore.v1.yaml:120:5)
    warning GET /pets: one answer in twenty took longer than 2 s (answers-in-time,
      openapi/petstore.v1.yaml:72:5)
    internal error the check sort-holds crashed: Cannot read properties of
      undefined
    Failed. 2 errors in 2 of 5 operations. Findings: 2 errors, 1 warning, 1 note;
      1,301 requests in 1.24 s.
    "
  `);
});

test('dot: no empty line if the last one is full', () => {
  expect(reportOf(dot, [...[200, 200].map(answered), ...bareEnd], { width: 2 })).toMatch(
    /^\.\.\nInconclusive/,
  );
});

test('ndjson: every line is an event', () => {
  const lines = reportOf(ndjson, sampleEvents).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(
    sampleEvents.map(({ type }) => type),
  );
  expect(lines[3]).toBe(
    '{"type":"exchange-recorded","case":{"id":"listPets.filter.sold",' +
      '"title":"status=sold","phase":"read","operation":"listPets"},' +
      '"method":"GET","status":200,"bytes":58,"durationMs":3.2}',
  );
});
