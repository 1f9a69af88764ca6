import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { separate } from '../../src/check/engine/judge/evidence.ts';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import type { Finding } from '../../src/check/model/finding.ts';
import { parseContract } from '../../src/contract/load.ts';

const tick = '{ type: object, required: [count], properties: { count: { type: integer } } }';
const events =
  '{ text/event-stream: { itemSchema: { type: object, required: [data], properties: { ' +
  'event: { type: string, enum: [tick] }, data: { type: string, contentMediaType: ' +
  `application/json, contentSchema: ${tick} } } } } }`;
const lines = `{ application/x-ndjson: { itemSchema: ${tick} } }`;

const event = (count: unknown): string => `event: tick\ndata: ${JSON.stringify({ count })}\n\n`;
const line = (count: unknown): string => `${JSON.stringify({ count })}\n`;

/** A stream of the service: what it writes, one part after another, and how it goes on. */
interface Stream {
  readonly content: string;
  readonly type: string;
  readonly parts: readonly string[];
  readonly then: 'stays open' | 'breaks off';
}

const sse = { content: events, type: 'text/event-stream' };
const jsonl = { content: lines, type: 'application/x-ndjson' };

const streams: Readonly<Record<string, Stream>> = {
  sound: { ...sse, parts: [event(1), ': beat\n\n', event(2), 'event: ti'], then: 'stays open' },
  third: { ...sse, parts: [event(1), event(2), event('3')], then: 'stays open' },
  quiet: { ...sse, parts: [': beat\n\n'], then: 'stays open' },
  silent: { ...sse, parts: [], then: 'stays open' },
  broken: { ...sse, parts: [event(1), 'event: tick\nda'], then: 'breaks off' },
  brokenwrong: { ...sse, parts: [event(null), event(2)], then: 'breaks off' },
  lines: { ...jsonl, parts: [line(1), line(2), '{"count":'], then: 'stays open' },
  lineswrong: { ...jsonl, parts: [line(1), line('2'), line(3)], then: 'stays open' },
};

const contract = parseContract(
  "openapi: 3.2.0\ninfo: { title: Ticks, version: '1' }\npaths:\n" +
    '  /state: { get: { operationId: getState, responses: { "200": { description: ok } } } }\n' +
    Object.entries(streams)
      .map(
        ([name, { content }]) =>
          `  /${name}: { get: { operationId: ${name}, responses: { '200': { description: ok, ` +
          `content: ${content} } } } }\n`,
      )
      .join(''),
  'ticks.yaml',
);

/** Writes the parts in turn, each a while after the one before. */
function play({ type, parts, then }: Stream, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': type });
  response.flushHeaders();
  const next = (index: number): void => {
    const part = parts[index];
    if (response.destroyed) return;
    if (part === undefined) {
      if (then === 'breaks off') response.destroy();
      return;
    }
    response.write(part);
    setTimeout(() => next(index + 1), 40);
  };
  next(0);
}

const server = createServer((request, response) => {
  const { method = '', url = '' } = request;
  const stream = streams[url.slice(1)];
  if (method === 'GET' && stream !== undefined) return play(stream, response);
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead) response.writeHead(405, { Allow: 'GET, HEAD' });
  else if (stream !== undefined) response.writeHead(200, { 'Content-Type': stream.type });
  else response.writeHead(url === '/state' ? 200 : 404);
  return response.end();
});

let findings: readonly Finding[] = [];
let seconds = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const began = performance.now();
  const report = await checkTarget({
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    contract,
    seed: 'streams',
  });
  // One wrong member of several streams is one bug.
  findings = report.findings.flatMap(separate);
  seconds = (performance.now() - began) / 1_000;
}, 60_000);

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const of = (name: string): string[] =>
  findings
    .filter(({ operation }) => operation.id === name)
    .map(({ severity, check, message }) => `${severity} ${check}: ${message}`);

test.each(['sound', 'lines', 'broken'])(
  'the stream "%s" is judged, and keeps its contract',
  (name) => {
    expect(of(name)).toEqual([]);
  },
);

test('a wrong event of a stream that stays open is found, and says which it is', () => {
  expect(of('third')).toEqual([
    'error body-matches-schema: In event 3 of the 200 response, the value at /data/count must be ' +
      'an integer, but is a string.',
  ]);
});

test('a wrong line of a stream that stays open is found', () => {
  expect(of('lineswrong').join()).toContain('In item 2 of the 200 response, the value at /count');
});

test('a wrong event of a stream that breaks off is found, and that it breaks off is not', () => {
  expect(of('brokenwrong').join()).toMatch(/^error body-matches-schema: In event 1 of .*null\.$/);
});

test.each(['quiet', 'silent'])(
  'the run says that of the stream "%s" nothing was judged',
  (name) => {
    expect(of(name)).toEqual([
      'note body-matches-schema: The body of the 200 response was not judged by its schema: ' +
        'nothing came while it was listened to.',
    ]);
  },
);

test('streams do not hold a run up', () => {
  expect(seconds).toBeLessThan(20);
});
