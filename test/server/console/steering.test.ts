import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  CheckNews,
  ConsoleServices,
  OtherService,
} from '../../../src/server/console/console-services.ts';
import type { Records } from '../../../src/mock/control/record-browser.ts';
import { existingValues } from '../../../src/server/console/existing-values.ts';
import { Disturbance } from '../../../src/server/disturbance.ts';
import { fakeMock } from '../fake-mock.ts';
import { controlOf, requestOf, type ControlAnswer } from '../control/control-client.ts';
import { controlToken } from '../serve-fake.ts';

describe('a delay and a fault for all', () => {
  test('is set, shown and cleared', async () => {
    const { call } = controlOf();
    expect(await call('PUT /faults', { delay: '1.5s', fault: 'reset', share: 0.5 })).toMatchObject({
      status: 200,
      body: { delayMs: 1500, fault: 'reset', share: 0.5 },
    });
    expect(await call('GET /faults')).toMatchObject({ body: { delayMs: 1500, fault: 'reset' } });
    expect(await call('DELETE /faults')).toMatchObject({
      body: { delayMs: 0, fault: null, share: 1 },
    });
  });

  test('is for one operation, with a speed or an error', async () => {
    const { call, send, mock } = controlOf();
    await call('PUT /faults', { status: 503, operation: 'listThings' });
    const asked = (operation: string): Promise<number> =>
      send('GET /things', { 'X-Operation': operation });
    expect([await asked('listThings'), await asked('getThing')]).toEqual([503, 200]);
    expect(mock.requests).toHaveLength(2);
    const disturbance = new Disturbance();
    disturbance.set({ delayMs: 0, bytesPerSecond: 50_000, fault: undefined, share: 1 });
    const plain = { status: 200, headers: [], body: new Uint8Array(), delayMs: 0 };
    expect(disturbance.disturb(plain, () => plain).fault).toEqual({
      kind: 'dribble',
      bytes: 5000,
      everyMs: 100,
    });
  });

  test.each([
    [{ delay: 'soon' }, 'delay must be such as 200ms'],
    [{ fault: 'rest' }, 'Did you mean reset?'],
    [{ share: 0 }, 'share must be a number above 0'],
    [{ share: 2 }, 'share must be'],
    [{ status: 200 }, 'status must be a whole number from 400 to 599, or null.'],
    [{ status: 503, fault: 'reset' }, 'a status and a fault: set one'],
    [{ operation: 'listThing' }, 'Did you mean listThings?'],
    [{ dely: 1 }, 'Did you mean delay?'],
  ])('refuses %j', async (body, detail) => {
    const { call } = controlOf();
    const answer = await call('PUT /faults', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) },
    });
    expect(await call('GET /faults')).toMatchObject({ body: { delayMs: 0, fault: null } });
  });

  test('affects the requested share of responses, evenly spread', () => {
    const disturbance = new Disturbance();
    disturbance.set({ delayMs: 5, fault: undefined, share: 0.3 });
    const plain = { status: 200, headers: [], body: new Uint8Array(), delayMs: 0 };
    const delays = Array.from(
      { length: 20 },
      () => disturbance.disturb(plain, () => plain).delayMs,
    );
    expect(delays.map((delay) => (delay > 0 ? 'x' : '-')).join('')).toBe('---x--x--x---x--x--x');
  });

  test('applies to the mock, and not to the control API', async () => {
    const { call, send, mock } = controlOf();
    await call('PUT /faults', { fault: 'empty' });
    await expect(send('GET /things')).rejects.toThrow();
    expect(mock.requests).toHaveLength(1);
    expect(await call('GET /traffic')).toMatchObject({ body: { exchanges: [{ fault: 'empty' }] } });
  });
});

describe('sessions in the console', () => {
  test('are listed with their sizes, and dropped', async () => {
    const { call, send } = controlOf();
    await call('PUT /resources/things/records/7?session=mine', { id: 7, name: 'seven' });
    await send('GET /things', { 'Vouch-Session': 'mine' });
    expect((await call('GET /sessions')).body).toEqual({
      sessions: [
        { name: 'default', records: 1, exchanges: 0 },
        { name: 'mine', records: 2, exchanges: 1 },
      ],
      browser: null,
    });
    await call('DELETE /sessions/mine');
    expect((await call('GET /sessions')).body).toEqual({
      sessions: [{ name: 'default', records: 1, exchanges: 0 }],
      browser: null,
    });
  });
});

describe('operations in the console', () => {
  test('are listed with an example request and with the keys', async () => {
    const { call } = controlOf();
    expect(await call('GET /operations')).toMatchObject({
      body: {
        keys: ['demo-key'],
        services: [],
        checks: false,
        operations: [
          { id: 'listThings', method: 'GET', path: '/things', base: '/v1', secured: true },
          { id: 'createThing' },
          { id: 'getThing' },
          { id: 'removeThing' },
        ],
      },
    });
    expect(await call('GET /operations/createThing')).toMatchObject({
      body: { body: { mediaType: 'application/json', text: expect.stringContaining('"name":') } },
    });
    expect(await call('GET /operations/getThing')).toMatchObject({
      body: {
        parameters: [{ name: 'id', in: 'path', required: true, value: '1' }],
        body: null,
      },
    });
    expect(await call('GET /operations/getTing')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('Did you mean getThing?') },
    });
  });

  test.each([
    ['/lists', {}],
    ['/lists/{list}', { list: 'a' }],
    ['/lists/{id}/items/{itemId}/close', { id: 'b', itemId: '7' }],
    ['/lists/{id}/notes/{noteId}', { id: 'a' }],
    ['/things/{id}', {}],
  ])('a request to %s is filled in with records that exist', async (path, values) => {
    const kind = { kind: 'collection', parents: [] };
    const kinds = [
      { ...kind, name: 'lists', path: '/lists' },
      { ...kind, name: 'lists.items', path: '/lists/{listId}/items' },
      { ...kind, name: 'lists.notes', path: '/lists/{listId}/notes' },
    ] as unknown as Records['kinds'];
    const stored = new Map([
      ['lists', { id: 'a', parents: [], record: {} }],
      ['lists.items', { id: '7', parents: ['b'], record: {} }],
    ]);
    const list: Records['list'] = async ({ resource }) => {
      const record = stored.get(resource);
      return { records: record === undefined ? [] : [record], total: 1 };
    };
    const found = await existingValues({ path }, { kinds, list }, 'default');
    expect(Object.fromEntries(found)).toEqual(values);
  });

  test.each([
    ['where its requests go', { mockOrigin: () => 'http://127.0.0.1:4010' }, 'localhost:4020'],
    ['where the console stands', {}, 'localhost:4010'],
  ])('a target that is the mock itself is known by %s', async (_how, console, host) => {
    const service = (name: string, url: string): OtherService => ({
      name,
      kind: 'target',
      url,
      addressOf: () => undefined,
    });
    const others = (): OtherService[] => [
      service('local', 'http://127.0.0.1:4010/v1'),
      service('other', 'http://127.0.0.1:4011/v1'),
      service('far', 'https://api.example.com:4010'),
    ];
    const { app } = controlOf(fakeMock(), { console: { ...console, others } });
    const answer = await requestOf(app, 'GET', '/__vouch/operations')
      .set('Host', host)
      .set('Authorization', `Bearer ${controlToken}`);
    expect(answer.body).toMatchObject({
      services: [
        { name: 'local', itself: true },
        { name: 'other', itself: false },
        { name: 'far', itself: false },
      ],
    });
  });

  test(
    'the contract has the mock as its first server, by a path that fits any ' +
      'name of this machine',
    async () => {
      const { call } = controlOf();
      expect(await call('GET /contract.json')).toMatchObject({
        body: {
          servers: [{ url: '/v1', description: 'This mock' }, { url: 'https://things.example/v1' }],
        },
      });
    },
  );
});

describe('trying an operation in the console', () => {
  let other: Server;
  let url = '';
  const heard: { readonly url: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
  beforeAll(async () => {
    other = createServer((request, response) => {
      heard.push({ url: request.url ?? '', headers: request.headers });
      response
        .writeHead(request.url?.includes('away') === true ? 302 : 200, {
          'Content-Type': 'text/plain',
          Location: 'http://127.0.0.1:1/',
        })
        .end('from the other');
    });
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}`;
  });
  afterAll(() => void other.close());

  const outside = (): ConsoleServices => ({
    others: () => [
      {
        name: 'staging',
        kind: 'target',
        url,
        addressOf: () => ({
          url: `${url}/base`,
          headers: [['X-Key', 'staging-secret']],
          query: [],
        }),
      },
      {
        name: 'cloud',
        kind: 'target',
        url: 'http://169.254.169.254',
        addressOf: () => ({ url: 'http://169.254.169.254', headers: [], query: [] }),
      },
      { name: 'nowhere', kind: 'target', url, addressOf: () => undefined },
    ],
  });
  const tryOn = (
    body: Parameters<ReturnType<typeof controlOf>['call']>[1],
    console: ConsoleServices = outside(),
  ): Promise<ControlAnswer> => controlOf(fakeMock(), { console }).call('POST /try', body);
  const thing = {
    operation: 'getThing',
    parameters: [{ in: 'path', name: 'id', value: '1/2' }],
    key: 'demo-key',
  };

  test('sends the request with the API key of the contract, and records it', async () => {
    const { call, mock } = controlOf();
    const answer = await call('POST /try', {
      operation: 'listThings',
      parameters: [{ in: 'query', name: 'limit', value: 'a&b' }],
      key: 'demo-key',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { service: 'mock', status: 200, fault: null },
    });
    expect(mock.requests).toMatchObject([
      {
        method: 'GET',
        target: '/v1/things?limit=a%26b',
        headers: [
          ['Host', 'localhost'],
          ['X-Key', 'demo-key'],
        ],
      },
    ]);
    expect(await call('GET /traffic')).toMatchObject({
      body: { exchanges: [{ id: 1, target: '/v1/things?limit=a%26b' }] },
    });
  });

  test(
    'sends the request to a service by its name, with its own credential and ' +
      'no key of the mock',
    async () => {
      expect(await tryOn({ ...thing, service: 'staging' })).toMatchObject({
        body: { service: 'staging', status: 200, body: { text: 'from the other' } },
      });
      expect(heard.at(-1)).toMatchObject({
        url: '/base/things/1%2F2',
        headers: { 'x-key': 'staging-secret' },
      });
      expect(JSON.stringify(heard)).not.toContain('demo-key');
    },
  );

  test('sends no credential by default, and follows no redirect', async () => {
    expect(
      await tryOn({
        ...thing,
        key: null,
        parameters: [{ in: 'path', name: 'id', value: 'away' }],
        service: 'staging',
      }),
    ).toMatchObject({ body: { status: 302 } });
    expect(heard.at(-1)?.headers).not.toHaveProperty('x-key');
  });

  test.each([
    [
      { service: 'http://169.254.169.254/latest' },
      'There is no service http://169.254.169.254/latest',
    ],
    [{ service: 'stagin' }, 'Did you mean staging?'],
    [{ service: 'nowhere' }, 'does not say where getThing stands'],
    [{ headers: [['Host', 'evil.test']] }, 'The header Host is set by the connection.'],
    [{ headers: [['X-A', 'a\r\nX-B: b']] }, 'a name and a value that a header can have'],
    [{ operation: 'getTing' }, 'Did you mean getThing?'],
    [{ parameters: [{ in: 'path' }] }, 'Each of parameters must have'],
  ])('refuses %j', async (more, detail) => {
    expect(await tryOn({ ...thing, ...more })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) },
    });
  });

  test('never sends to a metadata address, even if it is configured', async () => {
    expect(await tryOn({ ...thing, service: 'cloud' })).toMatchObject({
      body: { problem: expect.stringContaining('metadata address') },
    });
  });
});

describe('checking from the console', () => {
  const news: CheckNews[] = [
    { type: 'planned', requests: 3 },
    { type: 'progress', done: 2 },
    { type: 'finished', verdict: 'passed', reason: 'It was kept.', requests: 3, report: 'r' },
  ];
  const wishes: unknown[] = [];
  const console: ConsoleServices = {
    others: () => [
      { name: 'staging', kind: 'target', url: 'https://a.example', addressOf: () => undefined },
    ],
    check: async function* (wish) {
      wishes.push(wish);
      yield* news;
    },
  };

  test('streams the events of the run, one in a line', async () => {
    const { app } = controlOf(fakeMock(), { console });
    const { default: request } = await import('supertest');
    const response = await request(app)
      .post('/__vouch/check')
      .set('Authorization', `Bearer ${controlToken}`)
      .set('Content-Type', 'application/json')
      .buffer(true)
      .parse((from, done) => {
        let text = '';
        from.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        from.on('end', () => done(null, text));
      })
      .send({ target: 'staging' });
    expect(response.headers['content-type']).toBe('application/x-ndjson');
    expect(
      String(response.body)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(news);
    expect(wishes).toEqual([{ target: 'staging', mode: 'read-only' }]);
  });

  test.each([
    [{ url: 'https://api.example.com/v1' }, 'can only name services of this machine'],
    [{ url: 'http://169.254.169.254/' }, 'can only name services of this machine'],
    [{ url: 'http://metadata.google.internal/' }, 'can only name services of this machine'],
    [{ url: 'http://user:word@127.0.0.1/' }, 'This is no base URL'],
    [{ url: 'file:///etc/passwd' }, 'This is no base URL'],
    [{ target: 'production' }, 'There is no service production'],
    [{ target: 'staging', url: 'http://127.0.0.1:1' }, 'one of the two'],
    [{ url: 'http://127.0.0.1:1', mode: 'fuzz' }, 'mode must be'],
  ])('refuses %j', async (body, detail) => {
    expect(await controlOf(fakeMock(), { console }).call('POST /check', body)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) },
    });
  });

  test('names the command if the mock cannot check servers', async () => {
    expect(
      await controlOf().call('POST /check', { url: 'http://127.0.0.1:8080/v1' }),
    ).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('npx vouch check http://127.0.0.1:8080/v1') },
    });
  });
});
