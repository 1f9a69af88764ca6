import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/json/parse-yaml.ts';
import { startMock, type RunningMock } from '../../../src/library/start-mock.ts';
import { parseScenario } from '../../../src/mock/scenarios/parse/parse-scenario.ts';
import { thingsDocument } from '../things-contract.ts';

type Traffic = {
  readonly clearings: number;
  readonly exchanges: readonly {
    readonly id: number;
    readonly target: string;
    readonly judgement: string;
    readonly reason: string | null;
    readonly scenario: string | null;
    readonly status: number;
    readonly session: string | null;
  }[];
};

const things = parseYaml(thingsDocument);
if (!things.ok) throw new Error('The contract of these tests is no YAML.');
const document = things.value as Parameters<typeof startMock>[0] extends {
  contract?: infer Contract;
}
  ? Contract
  : never;

async function withMock(
  act: (mock: RunningMock) => Promise<void>,
  options: Parameters<typeof startMock>[0] = {},
): Promise<void> {
  const mock = await startMock({
    contract: document,
    config: false,
    seedRecords: 2,
    ...options,
  });
  try {
    await act(mock);
  } finally {
    await mock.close();
  }
}

async function ask(mock: RunningMock, path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${mock.url}${path}`, {
    ...init,
    headers: { 'X-Key': 'demo-key', ...init.headers },
  });
  await response.arrayBuffer();
  return response.status;
}

async function control<Body>(
  mock: RunningMock,
  path: string,
  init: RequestInit = {},
): Promise<Body> {
  const response = await fetch(`${mock.controlUrl}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${mock.controlToken}`, ...init.headers },
  });
  expect(response.ok, `${path} is ${String(response.status)}`).toBe(true);
  // What a route answers is held against its own document elsewhere.
  return (await response.json()) as Body;
}

const posted = { method: 'POST', headers: { 'Content-Type': 'application/json' } };

test('the console gets the origin of the mock only if it differs from its own', async () => {
  const originOf = async (mock: RunningMock): Promise<string | null> =>
    (await control<{ readonly origin: string | null }>(mock, '/operations')).origin;
  await withMock(async (mock) => expect(await originOf(mock)).toBeNull());
  await withMock(async (mock) => expect(await originOf(mock)).toBe(mock.origin), {
    controlPort: 0,
  });
});

describe('the judgement of a request', () => {
  test.each([
    ['/things', {}, 'valid', null],
    ['/things?limit=many', {}, 'invalid', 'limit'],
    ['/things', { headers: { 'X-Key': 'another' } }, 'invalid', 'key'],
    ['/things/404', {}, 'refused', '404'],
    ['/nothing', {}, 'invalid', 'nothing'],
    ['/things', { ...posted, body: '{"size":"large"}' }, 'invalid', 'name'],
    ['/things', { headers: { Prefer: 'scenario=busy' } }, 'unknown', null],
    ['/things', { headers: { Prefer: 'scenario=buzy' } }, 'unknown', 'Did you mean busy?'],
  ])('%s %j is %s', async (path, init, judgement, reason) => {
    await withMock(
      async (mock) => {
        await ask(mock, path, init);
        const { exchanges } = await control<Traffic>(mock, '/traffic');
        expect(exchanges).toMatchObject([{ id: 1, judgement }]);
        if (reason === null) expect(exchanges[0]?.reason).toBeNull();
        else expect(exchanges[0]?.reason).toContain(reason);
      },
      {
        scenarios: {
          busy: {
            description: 'It is busy.',
            rules: [{ operation: '*', answers: [{ status: 503, offContract: true }] }],
          },
        },
      },
    );
  });

  test.each([
    ['warn', 'invalid', 'limit'],
    ['off', 'unknown', null],
  ] as const)('that was answered with --validate %s is %s', async (validate, judgement, reason) => {
    await withMock(
      async (mock) => {
        expect(await ask(mock, '/things?limit=many')).toBe(200);
        const { exchanges } = await control<Traffic>(mock, '/traffic');
        expect(exchanges).toMatchObject([{ status: 200, judgement }]);
        if (reason === null) expect(exchanges[0]?.reason).toBeNull();
        else expect(exchanges[0]?.reason).toContain(reason);
        expect(await control<object>(mock, '/traffic/1')).toMatchObject({
          judgement,
          reason: exchanges[0]?.reason,
        });
      },
      { validate },
    );
  });

  const soldOut = {
    description: 'The small ones are sold out.',
    rules: [
      { operation: 'listThings', match: { query: { limit: 5 } }, answers: [{ body: [] }] },
      {
        operation: 'createThing',
        match: { body: { name: 'small' }, headers: { 'X-Shop': 'east' } },
        answers: [{ status: 409, offContract: true }],
      },
    ],
  };
  test.each<[string, RequestInit, object | null]>([
    [
      '/things',
      {},
      {
        kind: 'scenario',
        name: 'sold-out',
        message:
          'The active scenario sold-out would answer listThings, except for one ' +
          'condition: query limit must be 5.',
      },
    ],
    ['/things?limit=5', {}, null],
    ['/things?limit=4', { headers: { Prefer: 'scenario=another' } }, null],
    ['/things/1', {}, null],
    ['/things/404', {}, null],
    [
      '/thigns',
      {},
      {
        kind: 'operation',
        name: 'listThings',
        message: 'All but the path fits: GET /v1/things is listThings.',
      },
    ],
    ['/thigns', { method: 'PATCH' }, null],
    ['/nothing-like-it', {}, null],
    [
      '/things',
      { method: 'PUT' },
      {
        kind: 'operation',
        name: '/things',
        message: 'All but the method fits: here GET is listThings, POST is createThing.',
      },
    ],
    ['/things', { ...posted, body: '{"size":1}' }, null],
    [
      '/things',
      { ...posted, headers: { ...posted.headers, 'X-Shop': 'east' }, body: '{"name":"tall"}' },
      {
        kind: 'scenario',
        name: 'sold-out',
        message:
          'The active scenario sold-out would answer createThing, except for one ' +
          'condition: the body must hold {"name":"small"}.',
      },
    ],
    ['/things', { ...posted, body: '{"name":"tall"}' }, null],
    ['/things?limit=many', {}, { kind: 'scenario', name: 'sold-out' }],
    [
      '/things',
      {
        ...posted,
        headers: { ...posted.headers, 'X-Shop': 'east' },
        body: JSON.stringify({ name: 'tall'.repeat(5_000) }),
      },
      null,
    ],
  ])('%s %j nearly was %j', async (path, init, near) => {
    await withMock(
      async (mock) => {
        mock.prepared.mock.scenarios.activate('sold-out');
        await ask(mock, path, init);
        const { exchanges } = await control<{
          readonly exchanges: readonly { readonly near: object | null }[];
        }>(mock, '/traffic');
        if (near === null) expect(exchanges[0]?.near).toBeNull();
        else expect(exchanges[0]?.near).toMatchObject(near);
        expect(await control(mock, '/traffic/1')).toMatchObject({ near });
      },
      { scenarios: { 'sold-out': soldOut, another: { description: 'Another.', rules: [] } } },
    );
  });

  test('of the exchanges after a given one', async () => {
    await withMock(async (mock) => {
      for (const path of ['/things', '/things/1', '/things/2']) await ask(mock, path);
      const { exchanges } = await control<Traffic>(mock, '/traffic?after=1');
      expect(exchanges.map(({ target }) => target)).toEqual(['/v1/things/1', '/v1/things/2']);
    });
  });
});

describe('a page of the traffic', () => {
  const targetsOf = ({ exchanges }: Traffic): string[] => exchanges.map(({ target }) => target);
  type Page = Traffic & { readonly total: number; readonly matching: number };
  /** Six exchanges, in this order. */
  const asked: readonly (readonly [path: string, init?: RequestInit])[] = [
    ['/things?limit=1'],
    ['/things', { headers: { 'Vouch-Session': 'checkout' } }],
    ['/things?limit=many'],
    ['/things/404'],
    ['/thigns'],
    ['/things/1', { method: 'DELETE' }],
  ];

  test('is found by words, filters and place, and says how many match', async () => {
    await withMock(async (mock) => {
      for (const [path, init] of asked) await ask(mock, path, init);
      const page = (query: string): Promise<Page> => control(mock, `/traffic?${query}`);
      expect(await page('limit=2')).toMatchObject({ total: 6, matching: 6 });
      expect(targetsOf(await page('limit=2'))).toEqual(['/v1/thigns', '/v1/things/1']);
      expect(targetsOf(await page('limit=2&before=5'))).toEqual([
        '/v1/things?limit=many',
        '/v1/things/404',
      ]);
      expect(await page('limit=0')).toMatchObject({ total: 6, exchanges: [] });
      const matching = async (query: string): Promise<readonly number[]> => {
        const found = await page(query);
        expect(found.matching, query).toBe(found.exchanges.length);
        return found.exchanges.map(({ id }) => id);
      };
      expect(await matching('search=LIMIT%20get')).toEqual([1, 3]);
      expect(await matching('search=no%20such%20words')).toEqual([]);
      // The reason of the refusal and the near miss count too; `limit` alone also is in a target.
      expect(await matching('search=integer')).toEqual([3]);
      expect(await matching('search=listThings&status=4XX')).toEqual([3, 5]);
      expect(await matching('status=404')).toEqual([4, 5]);
      expect(await matching('method=DELETE')).toEqual([6]);
      expect(await matching('operation=getThing')).toEqual([4]);
      expect(await matching('session=checkout')).toEqual([2]);
      expect(await matching('judgement=refused')).toEqual([4]);
      expect(await matching('near=true')).toEqual([5]);
      expect(await page('status=4xx&limit=1&before=5')).toMatchObject({
        total: 6,
        matching: 3,
        exchanges: [{ id: 4 }],
      });
    });
  });

  test.each(['status=40', 'status=ok', 'judgement=good', 'near=yes', 'before=-1', 'limit=all'])(
    'refuses %s',
    async (query) => {
      await withMock(async (mock) => {
        const { status } = await fetch(`${mock.controlUrl}/traffic?${query}`, {
          headers: { Authorization: `Bearer ${mock.controlToken}` },
        });
        expect(status).toBe(400);
      });
    },
  );
});

describe('the curl command of an exchange', () => {
  const curlOf = async (mock: RunningMock, id = 1): Promise<string> =>
    (await control<{ readonly curl: string }>(mock, `/traffic/${String(id)}`)).curl;

  test.each<[string, RequestInit, string]>([
    ['/things', {}, "curl -H 'X-Key: demo-key' 'ORIGIN/v1/things'"],
    [
      "/things?q=it's%20$HOME&tags[]=a",
      { headers: { 'X-Note': '`ls` "x" \\' } },
      "curl -g -H 'X-Key: demo-key' -H 'X-Note: `ls` \"x\" \\' " +
        "'ORIGIN/v1/things?q=it%27s%20$HOME&tags[]=a'",
    ],
    ['/things/1', { method: 'DELETE' }, "curl -X DELETE -H 'X-Key: demo-key' 'ORIGIN/v1/things/1'"],
    ['/things', { method: 'HEAD' }, "curl -I -H 'X-Key: demo-key' 'ORIGIN/v1/things'"],
    [
      '/things',
      { ...posted, body: '{"name":"it\'s\\n"}' },
      "curl -H 'X-Key: demo-key' -H 'Content-Type: application/json' " +
        "--data-raw '{\"name\":\"it'\\''s\\n\"}' 'ORIGIN/v1/things'",
    ],
    [
      '/things',
      { headers: { 'X-Key': 'secret-of-another', Cookie: 'sid=hidden-value; a=demo-key' } },
      'curl -H "X-Key: $VOUCH_TOKEN" -H "Cookie: sid=$VOUCH_TOKEN; a=demo-key" ' +
        "'ORIGIN/v1/things'",
    ],
    [
      '/things?key=demo-key&page=1',
      {},
      "curl -H 'X-Key: demo-key' 'ORIGIN/v1/things?key=demo-key&page=1'",
    ],
    [
      '/things?key=secret-of-another',
      {},
      'curl -H \'X-Key: demo-key\' "ORIGIN/v1/things?key=$VOUCH_TOKEN"',
    ],
  ])('%s %j is %s', async (path, init, command) => {
    await withMock(async (mock) => {
      await ask(mock, path, init);
      expect(await curlOf(mock)).toBe(command.replace('ORIGIN', mock.origin));
    });
  });

  test('sends the same bytes from a shell', async () => {
    await withMock(async (mock) => {
      for (const body of [
        new TextEncoder().encode('{"name":"\n\'a\'  é"}'),
        Uint8Array.of(0, 255, 10),
      ])
        await ask(mock, '/things?limit=2', { ...posted, body });
      for (const id of [1, 2]) {
        const command = await curlOf(mock, id);
        await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -s')]);
        const bodyOf = async (each: number): Promise<unknown> =>
          (
            await control<{ readonly request: { readonly body: unknown } }>(
              mock,
              `/traffic/${String(each)}`,
            )
          ).request.body;
        expect(await bodyOf(id + 2)).toEqual(await bodyOf(id));
      }
    });
  });

  test('names the origin that the console was opened at', async () => {
    await withMock(async (mock) => {
      await ask(mock, '/things');
      expect(
        await control(mock, `/traffic/1?origin=${encodeURIComponent('https://localhost:4443')}`),
      ).toMatchObject({ curl: "curl -H 'X-Key: demo-key' 'https://localhost:4443/v1/things'" });
      const { status } = await fetch(`${mock.controlUrl}/traffic/1?origin=javascript:x`, {
        headers: { Authorization: `Bearer ${mock.controlToken}` },
      });
      expect(status).toBe(400);
    });
  });
});

describe('the stream of traffic', () => {
  test('streams exchanges and clearings of the journal until the mock stops', async () => {
    await withMock(async (mock) => {
      await ask(mock, '/things');
      const events = await openStream(mock);
      expect((await events.next()).exchanges.map(({ id }) => id)).toEqual([1]);
      await ask(mock, '/things/1');
      expect((await events.next()).exchanges.map(({ id }) => id)).toEqual([2]);
      await fetch(`${mock.controlUrl}/journal`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${mock.controlToken}` },
      });
      expect(await events.next()).toMatchObject({ clearings: 1, exchanges: [] });
      await mock.close();
      await events.ended;
    });
  });

  test('needs the token', async () => {
    await withMock(async (mock) => {
      expect((await fetch(`${mock.controlUrl}/traffic/stream`)).status).toBe(401);
      expect(
        (await fetch(`${mock.controlUrl}/traffic/stream?token=${mock.controlToken}`)).status,
      ).toBe(401);
    });
  });
});

describe('an exchange as a scenario', () => {
  test.each([
    ['/things', {}, 'listthings-200'],
    ['/things/1', {}, 'getthing-200'],
    ['/things/404', {}, 'getthing-404'],
    ['/things?limit=many', {}, 'listthings-400'],
  ])('%s %j answers the same again where it is on', async (path, init, name) => {
    let written = { name: '', yaml: '' };
    let first: readonly [number, string] = [0, ''];
    await withMock(async (mock) => {
      const response = await fetch(`${mock.url}${path}`, {
        ...init,
        headers: { 'X-Key': 'demo-key' },
      });
      first = [response.status, await response.text()];
      written = await control(mock, '/traffic/1/scenario');
    });
    expect(written.name).toBe(name);
    const reading = parseYaml(written.yaml);
    expect(reading).toMatchObject({ ok: true });
    if (!reading.ok) return;
    await withMock(
      async (mock) => {
        await fetch(`${mock.controlUrl}/reset`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${mock.controlToken}` },
        });
        const response = await fetch(`${mock.url}${path.replace('limit=many', 'limit=1')}`, {
          headers: { 'X-Key': 'demo-key' },
        });
        expect([response.status, await response.text()]).toEqual(first);
      },
      {
        scenarios: [parseScenario(written.name, reading.value)],
        scenario: written.name,
        seedRecords: 0,
      },
    );
  });

  test('keeps every digit of a number, and is formatted', async () => {
    await withMock(async (mock) => {
      await ask(mock, '/things', {
        ...posted,
        body: '{"name":"it\'s: #1","size":9007199254740993}',
      });
      const { yaml } = await control<{ yaml: string }>(mock, '/traffic/1/scenario');
      expect(yaml.replace(/"id":\d+/, '"id":ID')).toMatchInlineSnapshot(`
        "description: "POST /things answers 201."
        rules:
          - operation: createThing
            answers:
              - status: 201
                headers: { Location: "/v1/things/3" }
                body: { id: 3, name: "it's: #1", size: 9007199254740993 }
        "
      `);
    });
  });

  test('shows braces of a response as they are, and no placeholder', async () => {
    await withMock(async (mock) => {
      await ask(mock, '/things', { ...posted, body: '{"name":"{$now} {{ 1 }}","size":1}' });
      const { yaml } = await control<{ yaml: string }>(mock, '/traffic/1/scenario');
      expect(yaml).toContain(String.raw`name: "\\{$now} \\{{ 1 }}"`);
    });
  });

  test('an exchange without an operation has no scenario', async () => {
    await withMock(async (mock) => {
      await ask(mock, '/nothing');
      const response = await fetch(`${mock.controlUrl}/traffic/1/scenario`, {
        headers: { Authorization: `Bearer ${mock.controlToken}` },
      });
      expect(response.status).toBe(404);
    });
  });
});

interface Events {
  next(): Promise<Traffic>;
  readonly ended: Promise<void>;
}

async function openStream(mock: RunningMock): Promise<Events> {
  const waiting: ((told: Traffic) => void)[] = [];
  const come: Traffic[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  await new Promise<void>((opened) => {
    get(
      `${mock.controlUrl}/traffic/stream`,
      { headers: { Authorization: `Bearer ${mock.controlToken}` } },
      (response) => {
        opened();
        expect(response.headers['content-type']).toBe('text/event-stream');
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const events = (rest + text).split('\n\n');
          rest = events.pop() ?? '';
          for (const event of events.filter((each) => each.startsWith('data: '))) {
            const told = JSON.parse(event.slice(6)) as Traffic;
            const next = waiting.shift();
            if (next === undefined) come.push(told);
            else next(told);
          }
        });
        response.on('close', resolve);
      },
    );
  });
  return {
    ended,
    next: () =>
      new Promise((told) => {
        const first = come.shift();
        if (first === undefined) waiting.push(told);
        else told(first);
      }),
  };
}
