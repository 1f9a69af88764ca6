import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  callbackLine,
  logErrors,
  logReload,
  logStray,
  requestLine,
} from '../../src/cli/serve/mock-log.ts';
import { isOfHandler } from '../../src/library/handlers/import-anew.ts';
import { curlTlsFlags } from '../../src/cli/serve/banner.ts';
import { VouchError } from '../../src/errors.ts';
import type { CallbackReport, ReloadEvent } from '../../src/library/start-mock.ts';
import { makeFakeIo } from './fake-io.ts';

const io = { ...makeFakeIo(), clock: () => new Date(2026, 0, 2, 14, 3, 9) };
const sent = {
  name: 'shipped',
  operation: 'placeOrder',
  method: 'POST',
  url: 'http://127.0.0.1:3000/hook',
  attempt: 1,
  durationMs: 12.3,
};

test('an error of a handler that nothing waits for is one line with its place', () => {
  const said: string[] = [];
  const error = new TypeError('left\nalone');
  error.stack = `${String(error)}\n    at Timeout (file:///app/handlers/pay.ts?vouch=3:4:12)\n`;
  logStray({ ...io, err: (text) => void said.push(text) }, error);
  expect(said).toEqual([
    'A handler failed after its answer: TypeError: left\\nalone (/app/handlers/pay.ts:4:12).\n',
  ]);
  expect([isOfHandler(error), isOfHandler(new Error('ours')), isOfHandler('text')]).toEqual([
    true,
    false,
    false,
  ]);
});

describe('the line of a callback', () => {
  test.each<[string, CallbackReport, string]>([
    [
      'taken',
      { ...sent, outcome: 'answered', status: 204 },
      '14:03:09 204    12 ms  POST    http://127.0.0.1:3000/hook  callback shipped\n',
    ],
    [
      'sent again',
      { ...sent, outcome: 'answered', status: 503, retryInMs: 1_000 },
      '14:03:09 503    12 ms  POST    http://127.0.0.1:3000/hook  callback shipped · ' +
        'retry in 1 s\n',
    ],
    [
      'failed',
      {
        ...sent,
        outcome: 'failed',
        reason: 'found no listener there',
        attempt: 2,
        retryInMs: 5_000,
      },
      '14:03:09 ---    12 ms  POST    http://127.0.0.1:3000/hook  callback shipped · ' +
        'attempt 2 · retry in 5 s  found no listener there\n',
    ],
    [
      'refused',
      {
        ...sent,
        outcome: 'refused',
        attempt: 0,
        reason: 'does not lead to this machine',
        hint: 'Allow it with --allow-callback-host example.com',
        url: 'http://example.com/',
      },
      'callback shipped to http://example.com/ not sent: it does not lead to ' +
        'this machine. Allow it with --allow-callback-host example.com\n',
    ],
    [
      'refused again',
      {
        ...sent,
        outcome: 'refused',
        attempt: 0,
        reason: 'does not lead to this machine',
        repeated: true,
      },
      '',
    ],
    [
      'one that cannot be made',
      {
        name: 'shipped',
        operation: 'placeOrder',
        outcome: 'dropped',
        attempt: 0,
        reason: 'has no body that vouch can make',
        durationMs: 0,
      },
      'callback shipped not sent: it has no body that vouch can make\n',
    ],
    [
      'a webhook',
      {
        name: 'restocked',
        method: 'POST',
        url: sent.url,
        outcome: 'answered',
        attempt: 1,
        status: 200,
        durationMs: 3,
      },
      '14:03:09 200     3 ms  POST    http://127.0.0.1:3000/hook  webhook restocked\n',
    ],
    [
      'hostile',
      {
        ...sent,
        outcome: 'answered',
        status: 200,
        url: `http://127.0.0.1/\u001b[31m${'a'.repeat(300)}`,
      },
      `14:03:09 200    12 ms  POST    http://127.0.0.1/\\x1b[31m${'a'.repeat(98)}…  ` +
        'callback shipped\n',
    ],
  ])('%s', (_name, report, line) => {
    expect(callbackLine(io, report)).toBe(line);
  });

  test(
    'the columns of a request are those of the one above it, and what varies ' +
      'stands behind them',
    () => {
      const lines = [
        {
          method: 'GET',
          target: '/v1/things',
          status: 200,
          durationMs: 1.6,
          operation: 'listThings',
        },
        { method: 'DELETE', target: '/nothing', status: 404, durationMs: 1234 },
        {
          method: 'GET',
          target: '/v1/things?limit=0',
          status: 400,
          durationMs: 0,
          operation: 'listThings',
          reason: '`limit` in the query\nis too small.',
        },
        {
          method: 'GET',
          target: '/v1/things',
          status: 200,
          durationMs: 300,
          operation: 'listThings',
          scenario: 'slow',
          fault: 'reset',
        },
      ].map((exchange) => requestLine(io, exchange));
      expect(lines.join('')).toMatchInlineSnapshot(`
        "14:03:09 200     2 ms  GET     /v1/things  listThings
        14:03:09 404  1234 ms  DELETE  /nothing
        14:03:09 400     0 ms  GET     /v1/things?limit=0  listThings  \`limit\` in the
          ↳ query\\nis too small.
        14:03:09 200   300 ms  GET     /v1/things  listThings · scenario slow · reset
        "
      `);
    },
  );

  test(
    'on a narrow terminal the reason stands below the target; in a log every ' +
      'request has one line',
    () => {
      const exchange = {
        method: 'GET',
        target: '/v1/things?limit=0',
        status: 400,
        durationMs: 0,
        operation: 'listThings',
        reason: '`limit` in the query must be at least 1, and 0 is less than that.',
      };
      const narrow = { ...io, env: { NO_COLOR: '1' }, isTTY: { out: true, err: true } };
      expect(requestLine(narrow, exchange).split('\n').slice(1)).toEqual([
        `${' '.repeat(31)}\`limit\` in the query must be at least 1, and 0 is`,
        `${' '.repeat(31)}less than that.`,
        '',
      ]);
      expect(requestLine({ ...narrow, width: 200 }, exchange).split('\n')).toHaveLength(2);
      expect(requestLine(io, exchange).split('\n')).toHaveLength(2);
      const frame = '  6 | type: object\n> 7 | required: [id]';
      expect(
        requestLine(io, { ...exchange, frame })
          .split('\n')
          .slice(1),
      ).toEqual(['      6 | type: object', '    > 7 | required: [id]', '']);
    },
  );

  test(
    'on a narrow terminal a long target leaves the next line to the ' +
      'operation, and to the reason where it fits there',
    () => {
      const exchange = {
        method: 'GET',
        target: `/api/members/1/loans/${'a4768f92-'.repeat(5)}`,
        status: 404,
        durationMs: 1,
        operation: 'getLoan',
        scenario: 'shut',
        reason: 'Not Found.',
      };
      const narrow = { ...io, env: { NO_COLOR: '1' }, isTTY: { out: true, err: true } };
      expect(requestLine(narrow, exchange).split('\n')).toEqual([
        `14:03:09 404     1 ms  GET     ${exchange.target}`,
        `${' '.repeat(31)}getLoan · scenario shut  Not Found.`,
        '',
      ]);
      expect(requestLine(io, exchange).split('\n')).toHaveLength(2);
    },
  );

  test('colors show the result', () => {
    const coloured = { ...io, env: { FORCE_COLOR: '1' } };
    const line = (status: number): string =>
      requestLine(coloured, { method: 'GET', target: '/', status, durationMs: 1 });
    expect([200, 404, 500].map((status) => /\u001b\[(3\d)m/.exec(line(status))?.[1])).toEqual([
      '32',
      '33',
      '31',
    ]);
  });

  test('an internal error is printed once, with what to report', () => {
    const told = makeFakeIo();
    const tell = logErrors(told);
    const fault = new Error('the disk is on fire');
    tell(fault);
    tell(fault);
    expect(told.written.err).toMatch(
      /^Internal error in vouch\. Please report it with this stack trace:\nError: the disk is on fire\n/,
    );
    expect(told.written.err.match(/on fire/g)).toHaveLength(1);
  });

  test('the printed commands of a mock with its own certificate work', () => {
    const tls = { cert: '', key: '', fingerprint: 'AA' };
    expect(
      [
        undefined,
        tls,
        { ...tls, authority: 'PEM' },
        { ...tls, authority: 'PEM', caFile: 'my ca.pem' },
      ].map((each) => curlTlsFlags({ tls: each })),
    ).toEqual([[], [], ['-k'], ["--cacert 'my ca.pem'"]]);
  });
});

describe('the line about a reload', () => {
  const reloaded: ReloadEvent = {
    type: 'reloaded',
    files: [resolve('openapi.yaml')],
    contractChanged: true,
    operations: 12,
    dropped: 0,
    isFixed: false,
  };
  const files = ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml', 'e.yaml'].map((name) =>
    resolve('fixtures', name),
  );

  test.each<[string, ReloadEvent, string]>([
    ['taken', reloaded, 'reloaded openapi.yaml: 12 operations\n'],
    [
      'with records that were dropped',
      { ...reloaded, dropped: 3 },
      'reloaded openapi.yaml: 12 operations, 3 records dropped because they no longer fit\n',
    ],
    [
      'with one',
      { ...reloaded, operations: 1, dropped: 1 },
      'reloaded openapi.yaml: 1 operation, 1 record dropped because it no longer fits\n',
    ],
    [
      'a fixed document',
      { ...reloaded, isFixed: true },
      'reloaded openapi.yaml, fixed: 12 operations\n',
    ],
    [
      'of many files',
      { ...reloaded, files },
      'reloaded fixtures/a.yaml, fixtures/b.yaml, fixtures/c.yaml and 2 more: 12 operations\n',
    ],
  ])('%s', (_name, event, line) => {
    const told = makeFakeIo();
    logReload(told, event);
    expect(told.written.err).toBe(line);
  });

  test('an invalid edit', () => {
    const told = makeFakeIo();
    const error = new VouchError(
      'contract-unreadable',
      'openapi.yaml is not readable as YAML or JSON: a bracket is missing',
      {
        place: { file: 'openapi.yaml', line: 3, column: 5 },
        frame: '> 3 | a: {',
        hint: 'Fix the syntax at that place.',
      },
    );
    logReload(told, { type: 'failed', files: [resolve('openapi.yaml')], error });
    expect(told.written.err).toMatchInlineSnapshot(`
      "error openapi.yaml is not readable as YAML or JSON: a bracket is missing
        openapi.yaml:3:5
        > 3 | a: {
      Fix the syntax at that place.
      The mock keeps serving the previous version until this is fixed.
      "
    `);
  });
});
