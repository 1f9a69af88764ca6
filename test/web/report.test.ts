import { execFileSync } from 'node:child_process';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { PageExchange } from '../../src/report/html/page-data.ts';
import {
  bytesOf,
  compareRequests,
  hexView,
  markJson,
  markText,
  unpackText,
} from '../../web/report/body.ts';
import { addressOf, pageOf, sortValues } from '../../web/report/facets.ts';
import { exampleTerms, searchFor } from '../../web/report/search.ts';
import { writeCurl } from '../../web/report/write-curl.ts';

test('binary bytes are shown in hexadecimal', () => {
  expect(
    hexView(
      bytesOf({
        encoding: 'base64',
        text: Buffer.from('\u0000\u0089PNG, and some more', 'latin1').toString('base64'),
      }),
    ),
  ).toBe(
    '00000000  00 89 50 4e 47 2c 20 61 6e 64 20 73 6f 6d 65 20  ..PNG, and some \n' +
      '00000010  6d 6f 72 65                                      more',
  );
});

test('statuses are grouped by class, and other values keep their order', () => {
  const counts = new Map([
    ['404', 1],
    ['4xx', 2],
    ['no answer', 1],
    ['200', 3],
    ['2xx', 3],
  ]);
  expect(sortValues('status', counts).map(([value]) => value)).toEqual([
    '2xx',
    '200',
    '4xx',
    '404',
    'no answer',
  ]);
  expect(sortValues('phase', counts).map(([value]) => value)).toEqual([...counts.keys()]);
});

test('a URL contains the active filters', () => {
  expect(addressOf('findings', { severity: 'error', text: '', page: '1' })).toBe(
    '#/findings?severity=error',
  );
});

describe('a search', () => {
  const items = [
    { operation: 'createPet', statuses: ['2xx', '201'], text: 'POST /pets a plain request' },
    { operation: 'createPets', statuses: ['4xx', '404'], text: 'POST /pets limit:0' },
    { operation: 'getPet', statuses: ['5xx', '500'], text: 'GET /pets/1' },
    { operation: 'getPet', statuses: ['no answer'], text: 'GET /pets/2 http://127.0.0.1' },
  ];
  const keys = [
    { name: 'status', valuesOf: ({ statuses }: (typeof items)[number]) => statuses },
    { name: 'operation', valuesOf: ({ operation }: (typeof items)[number]) => [operation] },
  ];
  const list = { items, keys, textOf: ({ text }: (typeof items)[number]) => text };

  test.each([
    ['', [0, 1, 2, 3]],
    ['status:5xx', [2]],
    ['STATUS:404', [1]],
    ['status:4xx status:5xx', [1, 2]],
    ['status:"no answer"', [3]],
    ['status:"no', [3]],
    ['status:', [0, 1, 2, 3]],
    ['operation:createPet', [0]],
    ['operation:create', [0, 1]],
    ['operation:create limit', [1]],
    ['operation:getPet status:5xx', [2]],
    ['operation:none', []],
    ['limit:0', [1]],
    ['http://127', [3]],
    ['request plain', [0]],
    ['/pets status:2', [0]],
  ])('for %j finds %j', (text, found) => {
    const isMeant = searchFor(text, list);
    expect(items.flatMap((item, at) => (isMeant(item) ? [at] : []))).toEqual(found);
  });

  test('has an example for each key, but none that is hard to read', () => {
    expect(exampleTerms(list)).toEqual(['status:2xx', 'operation:createPet']);
    const odd = items.map((item) => ({ ...item, operation: '"a b"' }));
    expect(exampleTerms({ items: odd, keys })).toEqual(['status:2xx']);
    expect(exampleTerms({ items: [], keys })).toEqual([]);
  });
});

describe('the page of a list', () => {
  const items = Array.from({ length: 250 }, (_, index) => index);

  test.each([
    ['', 1, 0, 100],
    ['3', 3, 200, 50],
    ['99', 3, 200, 50],
    ['-1', 1, 0, 100],
    ['none', 1, 0, 100],
  ])('that the address calls %j', (page, number, from, length) => {
    const shown = pageOf(items, { page });
    expect([shown.page, shown.from, shown.items.length, shown.last]).toEqual([
      number,
      from,
      length,
      3,
    ]);
  });
});

describe('the relevant text of a finding is marked', () => {
  const marked = (text: string, each: boolean): string =>
    markText(text, { pattern: '"\\w+"', each }, false)
      .parts.map(({ text: part, isMarked }) => (isMarked ? `[${part}]` : part))
      .join('');

  test('once', () => expect(marked('{ "a" }', false)).toBe('{ ["a"] }'));
  test('not at all, if only one of several places is meant', () =>
    expect(marked('{ "a", "b" }', false)).toBe('{ "a", "b" }'));
  test('everywhere, if all of them are meant', () =>
    expect(marked('{ "a", "b" }', true)).toBe('{ ["a"], ["b"] }'));
  test('in a long text, which is truncated after the first mark', () => {
    const { parts, rest } = markText(
      `${'-'.repeat(30_000)}"a"${'-'.repeat(30_000)}`,
      { pattern: '"a"', each: false },
      false,
    );
    expect([parts.map(({ isMarked }) => isMarked), rest]).toEqual([[false, true, false], 28_003]);
  });
});

test('data is unpacked, whatever its characters', async () => {
  const text = JSON.stringify({ name: 'Zoë 🐈', id: 1, rest: 'x'.repeat(100_000) });
  expect(await unpackText(deflateRawSync(text).toString('base64'))).toBe(text);
});

test('a mark in JSON is a range of its indented text', () => {
  expect(
    markJson('{"id":1,"status":"lost"}', { pattern: '"status"\\s*:\\s*"lost"', each: true }),
  ).toEqual([{ start: 15, end: 31 }]);
});

describe('a request beside its control', () => {
  const request = (
    target: string,
    body = '',
    headers: readonly (readonly [string, string])[] = [],
  ) => ({ method: 'POST', target, headers, body: { encoding: 'utf8', text: body } }) as const;

  test.each([
    ['a query parameter', '/a?limit=1&x=2', '/a?limit=101&x=2', ['?limit=1'], ['?limit=101']],
    ['one that is missing', '/a?limit=1', '/a', ['?limit=1'], []],
    ['a path', '/a/7', '/a/%zz', ['POST /a/7'], ['POST /a/%zz']],
    ['nothing', '/a?x=1', '/a?x=1', [], []],
    ['no path of its own record', '/a/7?x=1', '/a/8?x=2', ['?x=1'], ['?x=2']],
    ['no part that it could do without', '/a?x=1&y=1', '/a?x=2', ['?x=1'], ['?x=2']],
  ])('%s', (_name, left, right, control, differing) => {
    expect(compareRequests(request(left), request(right), '')).toEqual({
      control,
      request: differing,
    });
  });

  test('members of the body, to the last digit; marks of the run are equal', () => {
    const left = '{"name":"a vouch-1-c2","id":9007199254740993,"tags":[{"n":1}],"source":{"a":1}}';
    const right =
      '{"name":"a vouch-1-r7","id":9007199254740992,"tags":[{"n":null}],"source":{"a":2}}';
    expect(compareRequests(request('/a', left), request('/a', right), 'vouch-1')).toEqual({
      control: ['body.id: 9007199254740993', 'body.tags[0].n: 1', 'body.source.a: 1'],
      request: ['body.id: 9007199254740992', 'body.tags[0].n: null', 'body.source.a: 2'],
    });
  });

  test('headers by their values, without the length; a body that is no JSON as a whole', () => {
    const headers = [
      ['Content-Length', '3'],
      ['X-Key', 'a'],
    ] as const;
    const others = [
      ['Content-Length', '4'],
      ['X-Key', 'b'],
    ] as const;
    expect(
      compareRequests(request('/a', '{a}', headers), request('/a', '{"a', others), ''),
    ).toEqual({
      control: ['X-Key: a', 'body: {a}'],
      request: ['X-Key: b', 'body: {"a'],
    });
  });
});

describe('the command of an exchange', () => {
  const exchangeOf = (request: object) =>
    ({
      baseUrl: 'http://127.0.0.1:4010/v1',
      request: {
        method: 'GET',
        target: '/v1/pets?q=a%20b',
        headers: [],
        body: bodyOf(''),
        ...request,
      },
    }) as unknown as PageExchange;
  const bodyOf = (text: string, more: object = {}) => ({ encoding: 'utf8', text, ...more });

  test.runIf(process.platform !== 'win32')('is what a shell passes to curl', () => {
    const command = writeCurl(
      exchangeOf({
        method: 'PUT',
        headers: [
          ['Host', '127.0.0.1'],
          ['Authorization', 'Bearer [redacted]'],
          ['X-Empty', ''],
          ['Content-Type', 'application/json'],
        ],
        body: bodyOf(`{"name":"it's $HOME, "quoted""}`),
      }),
    );
    const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command ?? ''}`], {
      env: { VOUCH_TOKEN: 'demo key' },
      encoding: 'utf8',
    });
    expect(shown.trimEnd().split('\n')).toEqual([
      '-sS',
      '-i',
      '--path-as-is',
      '-X',
      'PUT',
      'http://127.0.0.1:4010/v1/pets?q=a%20b',
      '-H',
      'Authorization: Bearer demo key',
      '-H',
      'X-Empty;',
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      `{"name":"it's $HOME, "quoted""}`,
    ]);
  });

  test('is not written for a body that the report has not whole, or that is no text', () => {
    expect(writeCurl(exchangeOf({ body: bodyOf('{', { cut: 5 }) }))).toBeUndefined();
    expect(writeCurl(exchangeOf({ body: bodyOf('AA==', { encoding: 'base64' }) }))).toBeUndefined();
  });
});
