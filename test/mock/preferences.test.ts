import { describe, expect, test } from 'vitest';
import { headerValue, type HeaderList } from '../../src/http/message.ts';
import { readPreferences } from '../../src/mock/request/request-context.ts';
import { makeContract } from '../contract/make-contract.ts';
import { scenarioOf } from './scenarios/read-scenario.ts';
import { converse, jsonOf, mockOf, send, textOf, type Sending } from './workshop.ts';

const failure = {
  content: {
    'application/json': {
      schema: { type: 'object' },
      examples: { lost: { value: { why: 'lost' } } },
    },
  },
};

/** Answers in several statuses and media types, each with examples of its own. */
const things = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        responses: {
          200: {
            description: 'Things',
            content: {
              'application/json': {
                schema: { type: 'array', items: { type: 'string' } },
                examples: {
                  some: { value: ['a'] },
                  none: { value: [] },
                  both: { value: ['json'] },
                },
              },
              'text/csv': {
                schema: { type: 'string' },
                examples: { lines: { value: 'a\nb' }, both: { value: 'csv' } },
              },
            },
          },
          404: { description: 'Lost', ...failure },
          '4XX': {
            description: 'Wrong',
            content: { 'application/json': { examples: { clash: { value: { why: 'clash' } } } } },
          },
          default: {
            description: 'Fell',
            content: {
              'application/problem+json': { examples: { fell: { value: { title: 'fell' } } } },
            },
          },
        },
      },
    },
  },
});

/** A contract that says nothing of errors, so that they are told as problem details. */
const few = makeContract({
  paths: {
    '/few': {
      get: {
        operationId: 'getFew',
        responses: {
          200: {
            description: 'Few',
            content: {
              'application/json': { examples: { some: { value: 1 }, none: { value: 0 } } },
            },
          },
          202: {
            description: 'Later',
            content: { 'application/json': { examples: { later: { value: 2 } } } },
          },
        },
      },
    },
  },
});

describe('the header Prefer', () => {
  test.each([
    ['nothing at all', [], {}],
    [
      'each of its words',
      ['code=404, example=one, dynamic=true, seed=7, scenario=late, delay=200ms'],
      { code: 404, example: 'one', dynamic: true, seed: '7', scenarios: ['late'], delayMs: 200 },
    ],
    [
      'several scenarios',
      ['scenario=a, code=404', 'scenario=b'],
      { scenarios: ['a', 'b'], code: 404 },
    ],
    [
      'words in quotes',
      ['example="two words, and \\"more\\""'],
      { example: 'two words, and "more"' },
    ],
    [
      'names in any case and spaces around',
      ['  CODE = 404 ; q=1 ,dynamic'],
      { code: 404, dynamic: true },
    ],
    ['several fields', ['code=404', 'seed=x'], { code: 404, seed: 'x' }],
    ['the first of two', ['code=404, code=500'], { code: 404 }],
    [
      'what it knows, and nothing else',
      ['respond-async, wait=100, return=minimal, code=200'],
      { code: 200 },
    ],
    ['dynamic as off', ['dynamic=false'], { dynamic: false }],
    ['as far as it can be read', ['code=404, "broken'], { code: 404 }],
    ['words that objects have of their own', ['constructor=1, __proto__=2, toString'], {}],
  ])('is read for %s', (_what, fields, expected) => {
    const preferences = readPreferences(fields.map((field) => ['prefer', field]));
    const { written: _written, ...rest } = { written: undefined, ...preferences };
    expect(rest).toEqual({ kind: 'preferences', ...expected });
  });

  test('of 60,000 characters is read', () => {
    for (const text of [
      ' '.repeat(60_000),
      `code=${' '.repeat(60_000)}`,
      ' ;'.repeat(30_000),
      `"${'\\"'.repeat(30_000)}`,
      ','.repeat(60_000),
    ]) {
      const fields: HeaderList = [['Prefer', text]];
      expect(readPreferences(fields)).toBeDefined();
    }
  });

  test('gets the requested success without such a record', async () => {
    const mock = await mockOf();
    const answer = await send(mock, 'GET /v2/tools/4711', { headers: [['Prefer', 'code=200']] });
    expect([answer.status, headerValue(answer.headers, 'Preference-Applied')]).toEqual([
      200,
      'code=200',
    ]);
    expect((await send(mock, 'GET /v2/tools/4711')).status).toBe(404);
  });

  test('gets the documented responses', async () => {
    const mock = await mockOf();
    const prefer = (value: string): Sending => ({ headers: [['Prefer', value]] });
    expect(
      await converse(mock, [
        ['GET /v2/tools/1', prefer('code=404'), 'Preference-Applied'],
        ['GET /v2/tools/1', prefer('code=200'), 'Preference-Applied'],
        ['GET /v2/tools/1', prefer('code=500'), 'Preference-Applied'],
        ['GET /v2/tools', prefer('code=503'), 'Preference-Applied'],
        ['DELETE /v2/tools/1', prefer('code=404'), 'Preference-Applied'],
        ['GET /v2/tools/1', prefer('code=9'), 'Preference-Applied'],
        ['GET /v2/tools/1', prefer('dynamic=maybe'), 'Preference-Applied'],
        ['GET /v2/tools/1', prefer('delay=1h'), 'Preference-Applied'],
        ['GET /v2/tools/1', prefer('example=none'), 'Preference-Applied'],
        ['GET /v2/tools/1', { ...prefer('code=404'), key: false }, 'Preference-Applied'],
        ['GET /v2/tools/x', prefer('code=200'), 'Preference-Applied'],
        ['GET /v2/tools/1', prefer('scenario=none'), 'Preference-Applied'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools/1 → 404 code=404 {"error":{"code":"NOT_FOUND","text":"Not Found: the
        ↳ client requested this response with the header Prefer.","http_status":404}}
      GET /v2/tools/1 → 200 code=200 {"id":1,"name":"Rip","kind":"saw","weight":700,
        ↳"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"Prefer requests the
        ↳ status 500, which getTool does not document. It documents 200, 404.",
        ↳"http_status":400}}
      GET /v2/tools → 503 code=503 {"error":{"code":"OTHER","text":"Service Unavailable:
        ↳ the client requested this response with the header Prefer.","http_status":503}}
      DELETE /v2/tools/1 → 404 code=404 {"error":{"code":"NOT_FOUND","text":"Not Found:
        ↳ the client requested this response with the header Prefer.","http_status":404}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"\`code\` in the header
        ↳ Prefer must be a status such as 404, but is \`9\`.","http_status":400}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"\`dynamic\` in the
        ↳ header Prefer must be true or false, but is \`maybe\`.","http_status":400}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"\`delay\` in the header
        ↳ Prefer must be such as 200ms or 2s, and 10 minutes at most, but is \`1h\`.",
        ↳"http_status":400}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"Prefer requests the
        ↳ example \`none\`, which getTool does not have. There are: none.",
        ↳"http_status":400}}
      GET /v2/tools/1 → 401 {"error":{"code":"UNAUTHORIZED","text":"The header X-Key,
        ↳ which carries the API key, is missing. This mock's key is demo-key.",
        ↳"http_status":401}}
      GET /v2/tools/x → 404 {"error":{"code":"NOT_FOUND","text":"\`toolId\` in the path
        ↳ must be an integer, but is \`x\`.","http_status":404,"errors":[{"field":"toolId",
        ↳"in":"path","message":"\`toolId\` in the path must be an integer, but is \`x\`."}]}}
      GET /v2/tools/1 → 400 {"error":{"code":"VALIDATION","text":"There is no scenario
        ↳ \`none\`. None is loaded. Name the folder of their files: mock.scenarios in
        ↳ vouch.config.yaml, or scenarios: './scenarios' in code.","http_status":400}}"
    `);
    expect((await send(mock, 'GET /v2/tools/1')).status).toBe(200);
  });

  test('that names an unknown response gets the known ones', async () => {
    const mock = await mockOf({
      contract: few,
      scenarios: [scenarioOf('slow-list'), scenarioOf('lost')],
    });
    const asked = [
      'code=500',
      'code=9',
      'code=',
      'example=smoe',
      'example=x',
      'example=',
      'code=202, example=some',
      'code=200, example=later',
      'dynamic=maybe',
      'seed=',
      'scenario=slow-lits',
      'scenario=',
      'scenario=lost, scenario=none',
      'delay=1h',
      'delay=11m',
      'delay=',
    ];
    const told: string[] = [];
    for (const prefer of asked) {
      const answer = await send(mock, 'GET /few', { headers: [['Prefer', prefer]] });
      told.push(
        `${prefer} → ${String(answer.status)} ` +
          String((jsonOf(answer) as { readonly detail: string }).detail),
      );
    }
    expect(told.join('\n')).toMatchInlineSnapshot(`
      "code=500 → 400 Prefer requests the status 500, which getFew does not document. It
        ↳ documents 200, 202.
      code=9 → 400 \`code\` in the header Prefer must be a status such as 404, but is
        ↳ \`9\`.
      code= → 400 \`code\` in the header Prefer must be a status such as 404, but is
        ↳ empty.
      example=smoe → 400 Prefer requests the example \`smoe\`, which getFew does not have.
        ↳ Did you mean some? There are: some, none, later.
      example=x → 400 Prefer requests the example \`x\`, which getFew does not have. There
        ↳ are: some, none, later.
      example= → 400 \`example\` in the header Prefer must be the name of an example, but
        ↳ is empty.
      code=202, example=some → 400 Prefer requests the example \`some\`, which the 202 of
        ↳ getFew does not have. There are: later.
      code=200, example=later → 400 Prefer requests the example \`later\`, which the 200
        ↳ of getFew does not have. There are: some, none.
      dynamic=maybe → 400 \`dynamic\` in the header Prefer must be true or false, but is
        ↳ \`maybe\`.
      seed= → 400 \`seed\` in the header Prefer must be a text such as 7, but is empty.
      scenario=slow-lits → 400 There is no scenario \`slow-lits\`. Did you mean slow-list?
        ↳ There are: slow-list, lost.
      scenario= → 400 \`scenario\` in the header Prefer must be the name of a scenario,
        ↳ but is empty.
      scenario=lost, scenario=none → 400 There is no scenario \`none\`. There are:
        ↳ slow-list, lost.
      delay=1h → 400 \`delay\` in the header Prefer must be such as 200ms or 2s, and 10
        ↳ minutes at most, but is \`1h\`.
      delay=11m → 400 \`delay\` in the header Prefer must be such as 200ms or 2s, and 10
        ↳ minutes at most, but is \`11m\`.
      delay= → 400 \`delay\` in the header Prefer must be such as 200ms or 2s, and 10
        ↳ minutes at most, but is empty."
    `);
  });

  test('finds examples of every status and media type', async () => {
    const mock = await mockOf({ contract: things });
    const prefer = (value: string, accept?: string): Sending => ({
      headers: [['Prefer', value], ...(accept === undefined ? [] : [['Accept', accept] as const])],
    });
    expect(
      await converse(mock, [
        ['GET /things', prefer('example=some'), 'Content-Type'],
        ['GET /things', prefer('example=none'), 'Content-Type'],
        ['GET /things', prefer('example=both', 'text/csv'), 'Content-Type'],
        ['GET /things', prefer('example=both'), 'Content-Type'],
        ['GET /things', prefer('example=lines'), 'Content-Type'],
        ['GET /things', prefer('example=lost'), 'Content-Type'],
        ['GET /things', prefer('code=409, example=clash'), 'Content-Type'],
        ['GET /things', prefer('example=clash'), 'Content-Type'],
        ['GET /things', prefer('example=fell'), 'Content-Type'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /things → 200 application/json ["a"]
      GET /things → 200 application/json []
      GET /things → 200 text/csv; charset=utf-8 csv
      GET /things → 200 application/json ["json"]
      GET /things → 200 text/csv; charset=utf-8 a
      b
      GET /things → 404 application/json {"why":"lost"}
      GET /things → 409 application/json {"why":"clash"}
      GET /things → 400 application/json {"why":"clash"}
      GET /things → 500 application/problem+json {"title":"fell"}"
    `);
  });

  test('is confirmed by Preference-Applied and Vary', async () => {
    const mock = await mockOf({
      scenarios: [
        scenarioOf('lost', {
          operation: 'getTool',
          match: { path: { toolId: 2 } },
          answers: [{ status: 404, headers: { Vary: 'Accept' } }],
        }),
      ],
    });
    const prefer = (value: string, more: Sending = {}): Sending => ({
      ...more,
      headers: [['Prefer', value]],
    });
    const told = async (line: string, sending: Sending): Promise<string> => {
      const { status, headers } = await send(mock, line, sending);
      return [
        line,
        String(status),
        headerValue(headers, 'Preference-Applied') ?? '-',
        headerValue(headers, 'Vary') ?? '-',
      ].join(' | ');
    };
    expect(
      [
        await told('GET /v2/tools/1', prefer('code=404, seed=7, respond-async')),
        await told('GET /v2/tools/1', prefer('respond-async')),
        await told('GET /v2/tools/1', prefer('scenario=lost, code=200, delay=5ms')),
        await told('GET /v2/tools/2', prefer('scenario=lost, code=200, delay=5ms')),
        await told('GET /v2/tools/x', prefer('scenario=lost, code=200, delay=5ms')),
        await told('GET /v2/tools/1', prefer('code=500')),
        await told('GET /v2/tools/1?__code=404', {}),
        await told('GET /v2/tools/1', {}),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools/1 | 404 | code=404, seed=7 | Prefer
      GET /v2/tools/1 | 200 | - | -
      GET /v2/tools/1 | 200 | scenario=lost, code=200, delay=5ms | Prefer
      GET /v2/tools/2 | 404 | scenario=lost, delay=5ms | Accept, Prefer
      GET /v2/tools/x | 404 | scenario=lost, delay=5ms | Prefer
      GET /v2/tools/1 | 400 | - | -
      GET /v2/tools/1?__code=404 | 404 | - | -
      GET /v2/tools/1 | 200 | - | -"
    `);
  });

  test('may be in the query as in older versions of Prism; the header overrides it', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['GET /v2/tools/1?__code=404'],
        ['GET /v2/tools/1?__code=4'],
        ['GET /v2/tools/1?__code=404', { headers: [['Prefer', 'seed=1']] }],
        ['GET /v2/tools/1?__dynamic=true&__seed=1'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools/1?__code=404 → 404 {"error":{"code":"NOT_FOUND","text":"Not Found: the
        ↳ client requested this response with the header Prefer.","http_status":404}}
      GET /v2/tools/1?__code=4 → 400 {"error":{"code":"VALIDATION","text":"\`code\` in the
        ↳ header Prefer must be a status such as 404, but is \`4\`.","http_status":400}}
      GET /v2/tools/1?__code=404 → 200 {"id":1,"name":"Rip","kind":"saw","weight":700,
        ↳"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}
      GET /v2/tools/1?__dynamic=true&__seed=1 → 200 {"id":1,"name":"Cleo","kind":"file",
        ↳"weight":42,"tags":["grove","north","amber"],"serial":"PR-9477",
        ↳"createdAt":"2024-02-05T08:20:00Z","updatedAt":"2024-07-08T10:25:00Z"}"
    `);
    const ask = async (query: string): Promise<string> =>
      textOf(
        await send(
          mock,
          `GET /v2/tools/1${query}`,
          query === '' ? { headers: [['Prefer', 'dynamic=true, seed=x']] } : {},
        ),
      );
    expect(await ask('?__dynamic=true&__seed=x')).not.toBe(await ask('?__dynamic=true&__seed=y'));
  });

  test('gets generated values, the same for the same seed', async () => {
    const mock = await mockOf();
    const ask = async (prefer: string): Promise<string> =>
      textOf(await send(mock, 'GET /v2/tools/1', { headers: [['Prefer', prefer]] }));
    expect(await ask('dynamic=true, seed=1')).toBe(await ask('dynamic=true, seed=1'));
    expect(await ask('dynamic=true, seed=1')).not.toBe(await ask('dynamic=true, seed=2'));
    expect(await ask('dynamic=true')).not.toBe(await ask('dynamic=false'));
    const list = jsonOf(
      await send(mock, 'GET /v2/shelves?page_size=1', { headers: [['Prefer', 'dynamic=true']] }),
    );
    expect(list).toMatchObject({ data: expect.any(Array) });
  });

  test('delays the response', async () => {
    const answer = await send(await mockOf(), 'GET /v2/tools/1', {
      headers: [['Prefer', 'delay=1.5s']],
    });
    expect([answer.status, answer.delayMs]).toEqual([200, 1500]);
  });
});

describe('a session', () => {
  const inSession = (session: string, more: Sending = {}): Sending => ({
    ...more,
    headers: [['Vouch-Session', session]],
  });

  test('sees its changes and no other session’s', async () => {
    const mock = await mockOf();
    await send(mock, 'DELETE /v2/tools/1', inSession('a'));
    await send(mock, 'POST /v2/shelves', inSession('a', { body: { code: 'NEW' } }));
    const seen = async (session?: string): Promise<number[]> =>
      Promise.all(
        ['/v2/tools/1', '/v2/shelves/NEW'].map(
          async (target) =>
            (await send(mock, `GET ${target}`, session === undefined ? {} : inSession(session)))
              .status,
        ),
      );
    expect(await seen('a')).toEqual([404, 200]);
    expect(await seen('b')).toEqual([200, 404]);
    expect(await seen()).toEqual([200, 404]);
    expect(await seen('default')).toEqual([200, 404]);
  });

  test('starts again after a reset', async () => {
    const mock = await mockOf();
    await send(mock, 'DELETE /v2/tools/1', inSession('a'));
    await mock.reset();
    expect((await send(mock, 'GET /v2/tools/1', inSession('a'))).status).toBe(200);
  });

  test('has a name of letters, digits, dots, underscores and hyphens', async () => {
    const mock = await mockOf();
    const statusOf = async (name: string): Promise<number> =>
      (await send(mock, 'GET /v2/tools/1', inSession(name))).status;
    expect(await Promise.all(['a', 'A-1_b.c', 'x'.repeat(64)].map(statusOf))).toEqual([
      200, 200, 200,
    ]);
    expect(
      await Promise.all(['', ' ', 'a b', 'ä', 'x'.repeat(65), '../etc'].map(statusOf)),
    ).toEqual([400, 400, 400, 400, 400, 400]);
    expect(
      (
        await send(mock, 'GET /v2/tools/1', {
          headers: [
            ['Vouch-Session', 'a'],
            ['Vouch-Session', 'b'],
          ],
        })
      ).status,
    ).toBe(400);
  });
});
