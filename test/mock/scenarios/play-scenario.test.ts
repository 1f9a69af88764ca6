import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/json/value.ts';
import { parseScenario } from '../../../src/mock/scenarios/parse/parse-scenario.ts';
import type { Scenario } from '../../../src/mock/scenarios/scenario.ts';
import { makeMemoryStore } from '../../../src/store/local-store.ts';
import { makeContract } from '../../contract/make-contract.ts';
import { bytes, converse, jsonOf, mockOf, send, textOf, type Sending } from '../workshop.ts';
import { scenarioOf } from './read-scenario.ts';

const tool = {
  id: 1,
  name: 'x',
  kind: 'saw',
  serial: 'AB-1234',
  createdAt: '2030-01-01T00:00:00Z',
};
const prefer = (name: string, more: Sending = {}): Sending => ({
  ...more,
  headers: [['Prefer', `scenario=${name}`], ...(more.headers ?? [])],
});
const inSession = (session: string, more: Sending = {}): Sending => ({
  ...more,
  headers: [['Vouch-Session', session], ...(more.headers ?? [])],
});

const scenarios: readonly Scenario[] = [
  scenarioOf('steps', {
    operation: 'getTool',
    answers: [
      { status: 503, times: 2, offContract: true },
      { status: 404 },
      { pass: true, delay: '1s', headers: { 'X-Told': 'yes' } },
    ],
  }),
  scenarioOf(
    'picky',
    {
      operation: 'getTool',
      match: { parameters: { toolId: 2 } },
      answers: [
        { status: 404, body: { error: { code: 'OTHER', text: 'Two is gone.', http_status: 404 } } },
      ],
    },
    {
      operation: 'createTool',
      match: { body: { tags: ['x'], kind: 'saw' } },
      answers: [{ status: 422 }],
    },
    {
      operation: '*',
      match: { headers: { 'X-Mood': 'bad' } },
      answers: [
        { status: 500, body: 'bad', headers: { 'Content-Type': 'text/plain' }, offContract: true },
      ],
    },
  ),
  parseScenario('later', { description: 'It is 2031', clock: '2031-01-01', rules: [] }),
  scenarioOf('created', {
    operation: 'createTool',
    answers: [{ body: tool, headers: { Location: '/elsewhere' } }],
  }),
  scenarioOf('cookies', {
    operation: 'getTool',
    answers: [
      {
        headers: {
          'Set-Cookie': ['sid=1; Path=/', 'seen={$request.path.toolId}; Path=/'],
          Vary: 'Cookie',
        },
      },
      { body: tool, headers: { 'set-cookie': ['a=1', 'b=2', 'c=3'] } },
    ],
  }),
];

describe('a scenario', () => {
  test('sends several fields of one name', async () => {
    const mock = await mockOf({ scenarios });
    const cookies = async (): Promise<string[]> => {
      const { headers } = await send(mock, 'GET /v2/tools/1', prefer('cookies'));
      return headers.flatMap(([name, value]) => (/^set-cookie$/i.test(name) ? [value] : []));
    };
    expect(await cookies()).toEqual(['sid=1; Path=/', 'seen=1; Path=/']);
    expect(await cookies()).toEqual(['a=1', 'b=2', 'c=3']);
  });

  test('gives its answers in order and repeats the last one', async () => {
    const mock = await mockOf({ scenarios });
    expect(
      await converse(
        mock,
        Array.from({ length: 5 }, () => ['GET /v2/tools/1', prefer('steps'), 'X-Told'] as const),
      ),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools/1 → 503 {"error":{"code":"OTHER","text":"Service Unavailable: a
        ↳ scenario defines this response.","http_status":503}}
      GET /v2/tools/1 → 503 {"error":{"code":"OTHER","text":"Service Unavailable: a
        ↳ scenario defines this response.","http_status":503}}
      GET /v2/tools/1 → 404 {"error":{"code":"NOT_FOUND","text":"Not Found: a scenario
        ↳ defines this response.","http_status":404}}
      GET /v2/tools/1 → 200 yes {"id":1,"name":"Rip","kind":"saw","weight":700,
        ↳"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}
      GET /v2/tools/1 → 200 yes {"id":1,"name":"Rip","kind":"saw","weight":700,
        ↳"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}"
    `);
    const last = await send(mock, 'GET /v2/tools/1', prefer('steps'));
    expect(last.delayMs).toBe(1000);
    expect((await send(mock, 'GET /v2/tools/1')).status).toBe(200);
  });

  test('answers only matching requests', async () => {
    const mock = await mockOf({ scenarios, scenario: 'picky' });
    expect(
      await converse(mock, [
        ['GET /v2/tools/1'],
        ['GET /v2/tools/2'],
        ['GET /v2/tools/2', { key: false }],
        ['POST /v2/tools', { body: { name: 'a', kind: 'saw', tags: ['x'] } }],
        ['POST /v2/tools', { body: { name: 'a', kind: 'saw', tags: ['x', 'y'] } }],
        ['POST /v2/tools', { body: bytes('{') }],
        ['GET /v2/shelves', { headers: [['X-Mood', 'bad']] }, 'Content-Type'],
        ['GET /v2/nothing', { headers: [['X-Mood', 'bad']] }],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools/1 → 200 {"id":1,"name":"Rip","kind":"saw","weight":700,
        ↳"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}
      GET /v2/tools/2 → 404 {"error":{"code":"OTHER","text":"Two is gone.",
        ↳"http_status":404}}
      GET /v2/tools/2 → 404 {"error":{"code":"OTHER","text":"Two is gone.",
        ↳"http_status":404}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"Unprocessable Content: a
        ↳ scenario defines this response.","http_status":422}}
      POST /v2/tools → 201 {"id":9007199254740994,"name":"a","kind":"saw","tags":["x",
        ↳"y"],"serial":"JN-7039","createdAt":"2030-01-02T03:04:05.000Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid
        ↳ JSON: expected a member name in double quotes or \`}\`, found the end of the text,
        ↳ at line 1, column 2.","http_status":422}}
      GET /v2/shelves → 500 text/plain bad
      GET /v2/nothing → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v2/nothing\`.","http_status":404}}"
    `);
  });

  test('moves the clock', async () => {
    const mock = await mockOf({ scenarios });
    expect(
      await converse(mock, [
        ['GET /v2/reports'],
        ['GET /v2/reports', prefer('later')],
        ['POST /v2/repairs', prefer('later', { body: { toolId: 1 } })],
        ['POST /v2/repairs', { body: { toolId: 1 } }],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/reports → 401 {"error":{"code":"UNAUTHORIZED","text":"The header
        ↳ Authorization is missing. Send Authorization: Basic BASE64. This mock's key is
        ↳ demo-key.","http_status":401}}
      GET /v2/reports → 410 {"error":{"code":"OTHER","text":"getReport was removed on
        ↳ 2030-03-01. Use listTools instead.","http_status":410}}
      POST /v2/repairs → 200 {"id":"made-1","toolId":1,"note":"Please call before noon.",
        ↳"state":"waiting","price":87,"createdAt":"2031-01-01T00:00:00.000Z"}
      POST /v2/repairs → 200 {"id":"made-2","toolId":1,"note":"Please call before noon.",
        ↳"state":"waiting","price":87,"createdAt":"2030-01-02T03:04:05.000Z"}"
    `);
  });

  test('replaces the body of a success without changing records', async () => {
    const mock = await mockOf({ scenarios, scenario: 'created' });
    expect(
      await converse(mock, [
        ['POST /v2/tools', { body: {} }, 'Location'],
        ['GET /v2/tools/9007199254740994'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /v2/tools → 201 /elsewhere {"id":1,"name":"x","kind":"saw","serial":"AB-1234",
        ↳"createdAt":"2030-01-01T00:00:00Z"}
      GET /v2/tools/9007199254740994 → 404 {"error":{"code":"NOT_FOUND","text":"No record
        ↳ of tools has the id \`9007199254740994\`.","http_status":404}}"
    `);
  });

  test('requested by Prefer replaces the active ones', async () => {
    const mock = await mockOf({ scenarios, scenario: 'steps' });
    expect((await send(mock, 'GET /v2/tools/1', prefer('later'))).status).toBe(200);
    expect((await send(mock, 'GET /v2/tools/1')).status).toBe(503);
  });

  test('is combined with others: the first matching rule and the first clock win', async () => {
    const mock = await mockOf({ scenarios, scenario: ['picky', 'later', 'steps'] });
    expect(
      await converse(mock, [
        ['GET /v2/tools/2'],
        ['GET /v2/tools/1'],
        ['GET /v2/reports'],
        ['GET /v2/tools/2', { headers: [['Prefer', 'scenario=steps, scenario=picky']] }],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools/2 → 404 {"error":{"code":"OTHER","text":"Two is gone.",
        ↳"http_status":404}}
      GET /v2/tools/1 → 503 {"error":{"code":"OTHER","text":"Service Unavailable: a
        ↳ scenario defines this response.","http_status":503}}
      GET /v2/reports → 410 {"error":{"code":"OTHER","text":"getReport was removed on
        ↳ 2030-03-01. Use listTools instead.","http_status":410}}
      GET /v2/tools/2 → 503 {"error":{"code":"OTHER","text":"Service Unavailable: a
        ↳ scenario defines this response.","http_status":503}}"
    `);
  });

  test('is activated and deactivated at run time, for a session or for all', async () => {
    const mock = await mockOf({ scenarios });
    const statuses = async (): Promise<number[]> => [
      (await send(mock, 'GET /v2/tools/2')).status,
      (await send(mock, 'GET /v2/tools/2', inSession('a'))).status,
    ];
    mock.scenarios.activate('picky', 'a');
    expect(await statuses()).toEqual([200, 404]);
    mock.scenarios.activate('picky');
    mock.scenarios.deactivate('picky', 'a');
    expect(await statuses()).toEqual([404, 200]);
  });
});

describe('a rule of a scenario matches', () => {
  const matched = async (
    match: JsonValue,
    line: string,
    sending: Sending = {},
  ): Promise<boolean> => {
    const mock = await mockOf({
      scenarios: [
        scenarioOf('x', { operation: '*', match, answers: [{ status: 599, offContract: true }] }),
      ],
      scenario: 'x',
    });
    return (await send(mock, line, sending)).status === 599;
  };
  const cookie: Sending = { headers: [['Cookie', 'session=abc']] };

  test.each<[string, JsonValue, string, Sending, boolean]>([
    ['a query parameter', { query: { sort: 'name' } }, 'GET /v2/tools?sort=name', {}, true],
    [
      'a list in the query',
      { query: { kind: { equal: ['saw'] } } },
      'GET /v2/tools?kind=saw',
      {},
      true,
    ],
    ['one of several', { query: { limit: { oneOf: [1, 2] } } }, 'GET /v2/tools?limit=2', {}, true],
    [
      'none of several',
      { query: { limit: { oneOf: [1, 2] } } },
      'GET /v2/tools?limit=3',
      {},
      false,
    ],
    [
      'a pattern of a number',
      { path: { toolId: { pattern: '^1\\d$' } } },
      'GET /v2/tools/12',
      {},
      true,
    ],
    [
      'a pattern that is somewhere else',
      { path: { toolId: { pattern: '^1\\d$' } } },
      'GET /v2/tools/112',
      {},
      false,
    ],
    ['what is absent', { query: { limit: { absent: true } } }, 'GET /v2/tools', {}, true],
    [
      'what is not absent',
      { query: { limit: { absent: true } } },
      'GET /v2/tools?limit=1',
      {},
      false,
    ],
    [
      'what is present',
      { query: { sort: { present: true } } },
      'GET /v2/tools?sort=name',
      {},
      true,
    ],
    [
      'what is present and cannot be read',
      { query: { limit: { present: true } } },
      'GET /v2/tools?limit=x',
      {},
      true,
    ],
    ['what is not present', { query: { sort: { present: true } } }, 'GET /v2/tools', {}, false],
    [
      'a header by a pattern',
      { headers: { 'User-Agent': { pattern: '^curl' } } },
      'GET /v2/tools',
      { headers: [['user-agent', 'curl/8']] },
      true,
    ],
    [
      'a header that is absent',
      { headers: { Cookie: { absent: true } } },
      'GET /v2/tools',
      cookie,
      false,
    ],
    [
      'a header that is one of several',
      { headers: { Cookie: { oneOf: ['a', 'session=abc'] } } },
      'GET /v2/tools',
      cookie,
      true,
    ],
    ['a session', { session: { pattern: '^test-' } }, 'GET /v2/tools', inSession('test-1'), true],
    ['no session', { session: 'default' }, 'GET /v2/tools', {}, true],
    ['another session', { session: { oneOf: ['a', 'b'] } }, 'GET /v2/tools', {}, false],
    [
      'part of a body',
      { body: { name: 'a' } },
      'POST /v2/tools',
      { body: { name: 'a', kind: 'saw' } },
      true,
    ],
    [
      'a place in a body',
      { bodyAt: { '/tags/1': 'y', '/name': { pattern: '^A' } } },
      'POST /v2/tools',
      { body: { name: 'Ax', tags: ['x', 'y'] } },
      true,
    ],
    [
      'an absent place in a body',
      { bodyAt: { '/tags': { absent: true } } },
      'POST /v2/tools',
      { body: { name: 'Ax' } },
      true,
    ],
    [
      'a body with another list',
      { body: { tags: ['y', 'x'] } },
      'POST /v2/tools',
      { body: { name: 'Ax', tags: ['x', 'y'] } },
      false,
    ],
    ['a body that cannot be read', { body: {} }, 'POST /v2/tools', { body: bytes('{') }, false],
  ])('%s', async (_what, match, line, sending, expected) => {
    expect(await matched(match, line, sending)).toBe(expected);
  });

  test('an operation by its tag', async () => {
    const contract = makeContract({
      paths: {
        '/a': {
          get: {
            operationId: 'getA',
            tags: ['first'],
            responses: { 200: { description: '' }, 404: { description: '' } },
          },
        },
        '/b': {
          get: {
            operationId: 'getB',
            tags: ['second', 'third'],
            responses: { 200: { description: '' }, 404: { description: '' } },
          },
        },
      },
    });
    const mock = await mockOf({
      contract,
      scenarios: [scenarioOf('x', { tag: ['second', 'third'], answers: [{ status: 404 }] })],
      scenario: 'x',
    });
    expect([(await send(mock, 'GET /a')).status, (await send(mock, 'GET /b')).status]).toEqual([
      200, 404,
    ]);
  });
});

describe('an answer of a scenario', () => {
  const playing = (
    answer: JsonValue,
    operation: JsonValue = '*',
  ): Promise<Awaited<ReturnType<typeof mockOf>>> =>
    mockOf({ scenarios: [scenarioOf('x', { operation, answers: [answer] })], scenario: 'x' });

  test('that passes is patched if it is a success', async () => {
    const mock = await playing(
      { patch: { kind: 'axe', weight: null, tags: ['new'] }, headers: { 'X-Told': 'yes' } },
      'getTool',
    );
    expect(
      await converse(mock, [
        ['GET /v2/tools/1', {}, 'X-Told'],
        ['GET /v2/tools/77', {}, 'X-Told'],
        ['HEAD /v2/tools/1', {}, 'Content-Length'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools/1 → 200 yes {"id":1,"name":"Rip","kind":"axe","tags":["new"],
        ↳"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}
      GET /v2/tools/77 → 404 yes {"error":{"code":"NOT_FOUND","text":"No record of tools
        ↳ has the id \`77\`.","http_status":404}}
      HEAD /v2/tools/1 → 200 103"
    `);
  });

  test('is patched by all steps, or not at all if one fails', async () => {
    const mock = await playing(
      {
        patch: [
          { op: 'replace', path: '/items/0/name', value: 'First' },
          { op: 'remove', path: '/items/1' },
        ],
      },
      'listTools',
    );
    expect(await converse(mock, [['GET /v2/tools?limit=2'], ['GET /v2/tools?limit=1']]))
      .toMatchInlineSnapshot(`
        "GET /v2/tools?limit=2 → 200 {"items":[{"id":1,"name":"First","kind":"saw",
          ↳"weight":700,"tags":["wood"],"serial":"SA-0001",
          ↳"createdAt":"2029-05-05T05:05:05Z"}],"total":5,"limit":2,"hasMore":true,
          ↳"meta":{"offset":0,"pages":3}}
        GET /v2/tools?limit=1 → 200 {"items":[{"id":1,"name":"Rip","kind":"saw",
          ↳"weight":700,"tags":["wood"],"serial":"SA-0001",
          ↳"createdAt":"2029-05-05T05:05:05Z"}],"total":5,"limit":1,"hasMore":true,
          ↳"meta":{"offset":0,"pages":5}}"
      `);
  });

  test('whose patch violates the contract is not sent, unless offContract is set', async () => {
    const patch = [{ op: 'add', path: '/items/3/name', value: '' }];
    const told = async (more: { readonly [key: string]: JsonValue }): Promise<string> => {
      const answer = await send(
        await playing({ patch, ...more }, 'listTools'),
        'GET /v2/tools?limit=4',
      );
      return (
        `${String(answer.status)} ` +
        (answer.status === 200
          ? JSON.stringify((jsonOf(answer) as { items: JsonValue[] }).items[3])
          : textOf(answer))
      );
    };
    expect([await told({}), await told({ offContract: true })].join('\n')).toMatchInlineSnapshot(`
      "501 {"error":{"code":"OTHER","text":"The mock cannot create this response: with the
        ↳ patch of the scenario x its 200 would break the contract. \`items[3].name\` in the
        ↳ body must have 1 character or more, but is empty. Fix the patch, or say
        ↳ offContract: true.","http_status":501}}
      200 {"id":4,"name":"","kind":"saw","tags":[],"serial":"SA-0002",
        ↳"createdAt":"2029-05-05T05:05:05Z"}"
    `);
  });

  test('has its fault; a fault without a response leaves the request without effect', async () => {
    const mock = await playing({ fault: 'reset', delay: '1s' }, 'deleteTool');
    const lost = await send(mock, 'DELETE /v2/tools/1');
    expect(lost).toMatchObject({
      fault: { kind: 'reset' },
      delayMs: 1000,
      operation: 'deleteTool',
    });
    expect((await send(mock, 'GET /v2/tools/1')).status).toBe(200);
    const passing = await playing({ fault: 'reset', pass: true }, 'deleteTool');
    expect(await send(passing, 'DELETE /v2/tools/1')).toMatchObject({
      fault: { kind: 'reset' },
      status: 204,
    });
    expect((await send(passing, 'GET /v2/tools/1')).status).toBe(404);
  });

  test('may be an example of the contract', async () => {
    const contract = makeContract({
      paths: {
        '/a': {
          get: {
            operationId: 'getA',
            responses: {
              200: {
                description: '',
                content: {
                  'application/json': {
                    schema: { type: 'integer' },
                    examples: { one: { value: 1 }, two: { value: 2 } },
                  },
                  'text/plain': {
                    schema: { type: 'string' },
                    examples: { word: { value: 'two' } },
                  },
                },
              },
              '4XX': {
                description: '',
                content: {
                  'application/json': { examples: { lost: { value: { code: 'lost' } } } },
                },
              },
              default: {
                description: '',
                content: {
                  'application/json': { examples: { fell: { value: { code: 'fell' } } } },
                },
              },
            },
          },
        },
      },
    });
    const played = async (answer: JsonValue): Promise<string> =>
      converse(
        await mockOf({
          contract,
          scenarios: [scenarioOf('x', { operation: 'getA', answers: [answer] })],
          scenario: 'x',
        }),
        [['GET /a', {}, 'Content-Type']],
      );
    expect(
      [
        await played({ example: 'two' }),
        await played({ example: 'word' }),
        await played({ example: 'lost' }),
        await played({ status: 404, example: 'lost' }),
        await played({ example: 'fell' }),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "GET /a → 200 application/json 2
      GET /a → 200 text/plain; charset=utf-8 two
      GET /a → 400 application/json {"code":"lost"}
      GET /a → 404 application/json {"code":"lost"}
      GET /a → 500 application/json {"code":"fell"}"
    `);
  });
});

describe('the initial records of a scenario', () => {
  const stateful = [
    parseScenario('empty', { description: 'No tools', state: { tools: [] } }),
    parseScenario('more', {
      description: 'One more shelf, and another A',
      state: { shelves: { add: [{ code: 'Z' }, { code: 'A', room: 'south' }] } },
    }),
    parseScenario('two', {
      description: 'Two tools',
      state: {
        tools: [
          { ...tool, id: 7 },
          { ...tool, id: 5 },
        ],
      },
    }),
  ];
  const ids = async (
    mock: Awaited<ReturnType<typeof mockOf>>,
    sending: Sending = {},
  ): Promise<JsonValue> => {
    const { items } = jsonOf(await send(mock, 'GET /v2/tools?limit=50', sending)) as {
      readonly items: readonly { readonly id: JsonValue }[];
    };
    return items.map(({ id }) => String(id));
  };

  test('replace the fixtures for its requests only', async () => {
    const mock = await mockOf({ scenarios: stateful });
    expect([
      await ids(mock, prefer('empty')),
      await ids(mock),
      await ids(mock, prefer('two')),
    ]).toEqual([[], ['1', '2', '3', '4', '9007199254740993'], ['7', '5']]);
  });

  test('keep changes made under it', async () => {
    const mock = await mockOf({ scenarios: stateful });
    const created = jsonOf(
      await send(mock, 'POST /v2/tools', prefer('two', { body: { name: 'n', kind: 'axe' } })),
    );
    expect(created).toMatchObject({ id: 9007199254740994n });
    expect([await ids(mock, prefer('two')), await ids(mock)]).toEqual([
      ['7', '5', '9007199254740994'],
      ['1', '2', '3', '4', '9007199254740993'],
    ]);
  });

  test('are added to the fixtures, replacing those with the same identifier', async () => {
    const mock = await mockOf({ scenarios: stateful, scenario: 'more' });
    expect(await converse(mock, [['GET /v2/shelves?page_size=9'], ['GET /v2/tools/1']]))
      .toMatchInlineSnapshot(`
        "GET /v2/shelves?page_size=9 → 200 {"data":[{"code":"A","room":"south"},{"code":"B"},
          ↳{"code":"C"},{"code":"Z"}],"next_cursor":null}
        GET /v2/tools/1 → 200 {"id":1,"name":"Rip","kind":"saw","weight":700,
          ↳"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}"
      `);
  });

  test('are separate per session, and restored by a reset', async () => {
    const mock = await mockOf({ scenarios: stateful, scenario: 'empty' });
    for (const session of ['a', 'b'])
      await send(
        mock,
        'POST /v2/tools',
        inSession(session, { body: { name: session, kind: 'axe' } }),
      );
    expect([
      await ids(mock),
      await ids(mock, inSession('a')),
      await ids(mock, inSession('b')),
    ]).toEqual([[], ['9007199254740994'], ['9007199254740994']]);
    await mock.reset('a');
    expect([await ids(mock, inSession('a')), await ids(mock, inSession('b'))]).toEqual([
      [],
      ['9007199254740994'],
    ]);
    await mock.reset();
    expect(await ids(mock, inSession('b'))).toEqual([]);
  });

  test('come from the first active scenario that has some', async () => {
    const mock = await mockOf({ scenarios: stateful, scenario: ['two', 'empty', 'more'] });
    expect(await ids(mock)).toEqual(['7', '5']);
    expect((await send(mock, 'GET /v2/shelves/Z')).status).toBe(200);
  });

  test('are prepared once for concurrent first requests', async () => {
    const mock = await mockOf({ scenarios: stateful, scenario: 'two' });
    await Promise.all(
      Array.from({ length: 5 }, () =>
        send(mock, 'POST /v2/tools', { body: { name: 'n', kind: 'axe' } }),
      ),
    );
    expect(await ids(mock)).toEqual([
      '7',
      '5',
      ...['4', '5', '6', '7', '8'].map((digit) => `900719925474099${digit}`),
    ]);
  });

  test('are restored with a snapshot', async () => {
    const mock = await mockOf({ scenarios: stateful, scenario: 'two' });
    await send(mock, 'DELETE /v2/tools/7');
    const snapshot = await mock.snapshot();
    await send(mock, 'DELETE /v2/tools/5');
    await mock.restore(snapshot);
    expect(await ids(mock)).toEqual(['5']);
  });

  test.each(['two', 'crowded'])(
    'of %s beyond the limit are refused, and none is kept',
    async (scenario) => {
      const store = makeMemoryStore({ records: 1 });
      const crowded = parseScenario('crowded', {
        description: 'Two more shelves',
        state: { shelves: { add: [{ code: 'X' }, { code: 'Y' }] } },
      });
      const mock = await mockOf({ store, scenarios: [...stateful, crowded], scenario });
      const answer = await send(mock, 'GET /v2/shelves');
      expect([answer.status, textOf(answer).includes('store_full')]).toEqual([409, true]);
      expect(await store.sessions()).toEqual([]);
    },
  );
});
