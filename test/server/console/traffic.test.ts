import { get } from 'node:http';
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
    [
      '/things',
      { ...posted, body: '{"size":1}' },
      { kind: 'operation', name: 'createThing', message: 'All but the body fits.' },
    ],
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

describe('the stream', () => {
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
