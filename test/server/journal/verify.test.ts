import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/json/value.ts';
import type { Claim } from '../../../src/server/journal/claim.ts';
import type { JournalEntry } from '../../../src/server/journal/journal-entry.ts';
import { Journal } from '../../../src/server/journal/journal.ts';
import { verifyClaim } from '../../../src/server/journal/read-journal.ts';

interface Sent {
  readonly line: string;
  readonly body?: JsonValue | string;
  readonly type?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly status?: number;
  readonly operation?: string;
  readonly at?: string;
}

function entriesOf(...sent: readonly Sent[]): readonly JournalEntry[] {
  const journal = new Journal({ entries: 100, body: 200, total: 100_000 });
  for (const {
    line,
    body,
    type = 'application/json',
    headers = [],
    status = 200,
    operation,
    at = '2030-01-01T00:00:00Z',
  } of sent) {
    const [method = '', target = ''] = line.split(' ');
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = {
      status,
      headers: [],
      body: Buffer.alloc(0),
      delayMs: 0,
      ...(operation === undefined ? {} : { operation }),
    };
    journal.add({
      at: Date.parse(at),
      request: {
        method,
        target,
        headers: [['Content-Type', type], ...headers],
        body: Buffer.from(text),
      },
      answer,
      durationMs: 1,
    });
  }
  return journal.list();
}

const create: Sent = {
  line: 'POST /v1/things?dry=1&tag=a&tag=b',
  body: { name: 'Rex', tags: ['x', 'y'], owner: { id: 7, name: 'Ann' } },
  headers: [
    ['X-Trace', 't-1'],
    ['Vouch-Session', 'one'],
  ],
  status: 201,
  operation: 'createThing',
};
const entries = entriesOf(create);
const reasons = (claim: Claim): string[] =>
  verifyClaim(entries, claim).nearMisses.flatMap(({ failed }) =>
    failed.map(({ message }) => message),
  );

describe('a claim that fits', () => {
  test.each<Claim>([
    {},
    { operation: 'createThing' },
    { method: 'post' },
    { path: '/v1/things' },
    { path: '/v1/*' },
    { path: '/{version}/th%69ngs' },
    { session: 'one' },
    { status: 201 },
    { status: '201' },
    { status: '2xx' },
    { query: { dry: '1' } },
    { query: { dry: 1, tag: 'b' } },
    { query: { tag: ['a', 'b'] } },
    { headers: { 'x-trace': 't-1' } },
    { body: { name: 'Rex' } },
    { body: { owner: { id: 7 } } },
    { body: { tags: ['x', 'y'] } },
    { since: 0 },
    { since: '2029-12-31T23:59:59Z' },
    { count: 1 },
    { atLeast: 1, atMost: 1 },
    { atMost: 5 },
  ])('%j', (claim) => {
    expect(verifyClaim(entries, claim)).toMatchObject({
      verified: true,
      count: 1,
      fitting: [],
      nearMisses: [],
    });
  });
});

describe('a claim that does not fit says why, in words', () => {
  test.each<[Claim, string[]]>([
    [{ operation: 'listThings' }, ['operation must be listThings, but is createThing']],
    [{ method: 'GET' }, ['method must be GET, but is POST']],
    [{ path: '/v1/things/' }, ['path must be /v1/things/, but is /v1/things']],
    [{ path: '/v1/{a}/{b}' }, ['path must be /v1/{a}/{b}, but is /v1/things']],
    [{ session: 'two' }, ['session must be two, but is one']],
    [{ status: 400 }, ['status must be 400, but is 201']],
    [{ status: '4XX' }, ['status must be 4XX, but is 201']],
    [
      { query: { dry: '2', more: 'x' } },
      ['query dry must be 2, but is 1', 'query more must be x, but is not there'],
    ],
    [{ query: { tag: ['a', 'c'] } }, ['query tag must be c, but is a, b']],
    [{ headers: { 'X-Trace': 't-2' } }, ['header X-Trace must be t-2, but is t-1']],
    [
      { body: { name: 'Max', size: 1 } },
      ['body.name must be "Max", but is "Rex"', 'body.size is missing; it must be 1'],
    ],
    [{ body: { owner: { name: 'Bob' } } }, ['body.owner.name must be "Bob", but is "Ann"']],
    [{ body: { tags: ['x'] } }, ['body.tags must have 1 item, but has 2']],
    [{ body: { tags: ['x', 'z'] } }, ['body.tags[1] must be "z", but is "y"']],
    [
      { body: [] },
      ['body must be a list, but is {"name":"Rex","tags":["x","y"],"owner":{"id":7,"name":"Ann"}}'],
    ],
    [{ body: { name: { first: 'R' } } }, ['body.name must be an object, but is "Rex"']],
    [{ since: 1 }, ['exchange 1 of 2030-01-01T00:00:00.000Z is older than 1']],
    [
      { since: '2030-01-01T00:00:01Z' },
      ['exchange 1 of 2030-01-01T00:00:00.000Z is older than 2030-01-01T00:00:01Z'],
    ],
  ])('%j', (claim, messages) => {
    expect(verifyClaim(entries, claim)).toMatchObject({ verified: false, count: 0 });
    expect(reasons(claim)).toEqual(messages);
  });
});

test.each<[string, Claim, boolean]>([
  ['a form', { body: { name: 'Rex', tag: ['a', 'b'] } }, true],
  ['a form', { body: { name: 'Max' } }, false],
])('the body of %s against %j: %s', (_name, claim, verified) => {
  const form = entriesOf({
    line: 'POST /',
    body: 'name=Rex&tag=a&tag=b',
    type: 'application/x-www-form-urlencoded',
  });
  expect(verifyClaim(form, claim).verified).toBe(verified);
});

test('a body that is a text is compared as one', () => {
  const plain = entriesOf({ line: 'POST /', body: 'hello there', type: 'text/plain' });
  expect(verifyClaim(plain, { body: 'hello there' }).verified).toBe(true);
  expect(verifyClaim(plain, { body: 'hello' }).verified).toBe(false);
});

test('a body that was too long to be kept cannot be claimed to be anything', () => {
  const [miss] = verifyClaim(entriesOf({ line: 'POST /', body: { name: 'x'.repeat(300) } }), {
    body: { name: 'x' },
  }).nearMisses;
  expect(miss?.failed).toEqual([
    { condition: 'body', message: 'body has 311 bytes, too many to be kept and compared' },
  ]);
});

describe('the count of a claim', () => {
  const three = entriesOf(
    { line: 'GET /a' },
    { line: 'GET /a' },
    { line: 'GET /a' },
    { line: 'GET /b' },
  );
  test.each<[Claim, boolean, string]>([
    [{ path: '/a', count: 3 }, true, 'Expected 3 matching requests, got 3 (4 recorded).'],
    [{ path: '/a', count: 2 }, false, 'Expected 2 matching requests, got 3 (4 recorded).'],
    [{ path: '/b', count: 0 }, false, 'Expected no matching request, got 1 (4 recorded).'],
    [{ path: '/c', count: 0 }, true, 'Expected no matching request, got 0 (4 recorded).'],
    [{ path: '/c' }, false, 'Expected at least 1 matching request, got 0 (4 recorded).'],
    [
      { path: '/a', atLeast: 4 },
      false,
      'Expected at least 4 matching requests, got 3 (4 recorded).',
    ],
    [
      { path: '/a', atLeast: 1, atMost: 2 },
      false,
      'Expected at least 1 and at most 2 matching requests, got 3 (4 recorded).',
    ],
    [{ path: '/a', atMost: 3 }, true, 'Expected at most 3 matching requests, got 3 (4 recorded).'],
  ])('%j is %s', (claim, verified, message) => {
    expect(verifyClaim(three, claim)).toMatchObject({ verified, message });
  });

  test('too many are shown; they are no near misses', () => {
    const { fitting, nearMisses } = verifyClaim(three, { path: '/a', atMost: 1 });
    expect(fitting.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(nearMisses).toEqual([]);
  });
});

test(
  'the nearest misses come first: what is of the same operation before ' +
    'what only looks alike, the last before the first',
  () => {
    const several = entriesOf(
      { line: 'GET /other', operation: 'other', body: { name: 'Max' } },
      { line: 'POST /things', operation: 'create', body: { name: 'Rex' } },
      { line: 'POST /things', operation: 'create', body: { name: 'Rax' } },
      { line: 'POST /things', operation: 'create', body: { size: 1 }, status: 400 },
      { line: 'GET /none' },
    );
    const { nearMisses } = verifyClaim(several, {
      operation: 'create',
      status: 200,
      body: { name: 'Max' },
    });
    expect(nearMisses.map(({ entry }) => entry.id)).toEqual([3, 2, 4]);
  },
);
