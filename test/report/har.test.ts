import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import type { Exchange } from '../../src/check/model/exchange.ts';
import { har } from '../../src/report/har.ts';
import { hostileEvents } from './hostile-run.ts';
import { makeHarJudge } from './json-schema.ts';
import { reportOf } from './report-of.ts';
import {
  bareEnd,
  resetConnection,
  sampleEvents,
  sampleRun,
  sampleSummary,
  wrongStatus,
} from './sample-run.ts';

const faultsOf = makeHarJudge();

interface Archive {
  readonly log: {
    readonly entries: readonly Record<string, unknown>[];
    readonly _vouch: {
      readonly findings: readonly { readonly id: string; readonly entries: readonly number[] }[];
    };
  };
}

function read(events: readonly RunEvent[]): Archive {
  // The test says what the reporter promises.
  return JSON.parse(reportOf(har, events)) as Archive;
}

function recorded(exchange: Exchange, elapsedMs = 1000): RunEvent {
  return {
    type: 'exchange-recorded',
    case: { id: 'c1', title: 'a plain request', phase: 'read', operation: 'listPets' },
    exchange,
    elapsedMs,
  };
}

const shown = wrongStatus.exchange!;
const image = Uint8Array.of(0x89, 0x50, 0xff, 0x00);
const exchanges: readonly Exchange[] = [
  shown,
  resetConnection.exchange!,
  { ...shown, response: { status: 200, headers: [['Content-Type', 'image/png']], body: image } },
  { ...shown, request: { ...shown.request, method: 'POST', body: image } },
  {
    ...shown,
    response: {
      status: 200,
      headers: [
        ['Content-Type', 'text/plain'],
        ['Content-Encoding', 'gzip'],
      ],
      body: new Uint8Array(gzipSync('hello hello hello hello hello')),
    },
  },
  {
    ...shown,
    response: {
      status: 302,
      headers: [
        ['Location', '/elsewhere'],
        ['Content-Encoding', 'gzip'],
      ],
      body: image,
    },
  },
];

test.each([
  ['a run', sampleEvents],
  ['nothing but the end', bareEnd],
  [
    'bodies of every kind',
    [
      { type: 'run-started', run: sampleRun },
      ...exchanges.map((exchange) => recorded(exchange)),
      ...bareEnd,
    ] as const,
  ],
])('the archive keeps the schema of HAR 1.2: %s', (_name, events) => {
  expect(faultsOf(read(events))).toEqual([]);
});

test('hostile text is still in one valid JSON document', () => {
  expect(read(hostileEvents).log.entries).toEqual([]);
});

test('the validator of this test detects', () => {
  expect(
    faultsOf({
      log: { version: '1.2', creator: { name: 'vouch', version: '1' }, entries: [{ time: 1 }] },
    }),
  ).toHaveLength(5);
});

test('an entry has its time, its exchange and its case', () => {
  const [entry] = read([{ type: 'run-started', run: sampleRun }, recorded(shown), ...bareEnd]).log
    .entries;
  expect(entry).toMatchObject({
    startedDateTime: '2030-06-01T09:30:00.996Z',
    time: 3.2,
    timings: { send: 0, wait: 3.2, receive: 0 },
    request: {
      method: 'GET',
      url: 'http://127.0.0.1:4010/v1/pets?status=sold',
      queryString: [{ name: 'status', value: 'sold' }],
      headers: [{ name: 'authorization', value: 'Bearer $VOUCH_TOKEN' }],
    },
    response: {
      status: 200,
      content: {
        size: 58,
        mimeType: 'application/json; charset=utf-8',
        text: expect.stringContaining('lost'),
      },
    },
    _vouch: { case: 'c1', title: 'a plain request', phase: 'read', operation: 'listPets' },
  });
});

test(
  'bodies: base64 where they are no text, decoded where they were coded, ' +
    'as they came where that fails',
  () => {
    const { entries } = read([...exchanges.map((exchange) => recorded(exchange)), ...bareEnd]).log;
    const content = entries.map(
      (entry) => (entry['response'] as { readonly content: unknown }).content,
    );
    expect(content[2]).toEqual({
      size: 4,
      mimeType: 'image/png',
      text: 'iVD/AA==',
      encoding: 'base64',
    });
    expect(entries[3]).toMatchObject({
      request: { postData: { text: 'iVD/AA==', _encoding: 'base64' } },
    });
    expect(content[4]).toMatchObject({ size: 29, text: 'hello hello hello hello hello' });
    expect(content[5]).toMatchObject({
      text: 'iVD/AA==',
      comment: 'as it came: its content coding cannot be undone',
    });
    expect(entries[1]).toMatchObject({
      response: { status: 0, _error: 'connection.reset: read ECONNRESET' },
      _vouch: { fault: { kind: 'connection.reset' } },
    });
  },
);

test('a finding refers to its entries', () => {
  const other: Exchange = { ...shown, request: { ...shown.request, target: '/v1/pets' } };
  const events: RunEvent[] = [other, shown, other, shown].map((exchange) => recorded(exchange));
  const { findings } = read([
    ...events,
    { type: 'finding-reported', finding: wrongStatus },
    { type: 'run-finished', summary: sampleSummary },
  ]).log._vouch;
  expect(findings).toMatchObject([{ id: 'f3a9c2', entries: [1, 3] }]);
});

test('an entry is written immediately', () => {
  const write = har.begin();
  expect(write(recorded(shown))).toContain('/v1/pets?status=sold');
  expect(write(recorded(shown))).toMatch(/^,\n\{"startedDateTime"/);
});
