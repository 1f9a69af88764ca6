import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseJson } from '../../src/json/parse-json.ts';
import {
  createMswMock,
  type MswMock,
  type MswMockOptions,
  vouchHandlers,
} from '../../src/msw/msw.ts';
import { albumRecords, albums, albumScenarios } from './albums.ts';

const base = 'https://albums.example/v2';
const server = setupServer();
let mock: MswMock;
/** A service of another origin, which nothing mocks. */
let other: Server;
let otherUrl: string;

const create = (options: MswMockOptions = {}): Promise<MswMock> =>
  createMswMock({
    config: false,
    contract: albums,
    fixtures: albumRecords,
    scenarios: albumScenarios,
    ...options,
  });

beforeAll(async () => {
  other = createServer((_request, response) => response.end('real')).listen(0, '127.0.0.1');
  await new Promise((listening) => other.once('listening', listening));
  otherUrl = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}`;
  server.listen({ onUnhandledRequest: 'bypass' });
});
afterAll(() => {
  server.close();
  other.close();
});
beforeEach(async () => {
  mock = await create();
  server.use(...mock.handlers);
});
afterEach(async () => {
  server.resetHandlers();
  await mock.close();
});

const titles = async (headers: Readonly<Record<string, string>> = {}): Promise<string[]> => {
  const response = await fetch(`${base}/albums`, { headers });
  return ((await response.json()) as { title: string }[]).map(({ title }) => title);
};

const add = (title: unknown, query = ''): Promise<Response> =>
  fetch(`${base}/albums${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  });

test('functions of the page answer operations, with the records of the mock', async () => {
  await mock.close();
  mock = await create({
    handlers: {
      getAlbum: async ({ request, records, next }) => {
        const { body } = await next();
        const all = await records.list('albums');
        return {
          body: {
            ...Object(body),
            title: `${String(request.path['albumId'])} of ${String(all.length)}`,
          },
        };
      },
    },
  });
  server.resetHandlers(...mock.handlers);
  const answer = await fetch(`${base}/albums/1`);
  expect(await answer.json()).toMatchObject({ title: '1 of 2' });
  await expect(create({ handlers: { getAlbums: () => ({}) } })).rejects.toThrow(
    'The contract has no operation getAlbums. Did you mean getAlbum?',
  );
});

describe('the mock as handlers of MSW in Node', () => {
  test('keeps what a request creates and deletes', async () => {
    const created = await add('Mingus');
    expect(created.status).toBe(201);
    expect(created.statusText).toBe('Created');
    const { id } = (await created.json()) as { id: number };
    expect(await titles()).toEqual(['Blue', 'Hejira', 'Mingus']);
    const one = `${base}/albums/${String(id)}`;
    expect(await (await fetch(one)).json()).toEqual({ id, title: 'Mingus' });
    expect((await fetch(one, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(one)).status).toBe(404);
    expect(await titles()).toEqual(['Blue', 'Hejira']);
  });

  test('keeps every digit of an identifier', async () => {
    const text = await (await fetch(`${base}/albums/9007199254740993`)).text();
    expect(parseJson(text)).toEqual({
      ok: true,
      value: { id: 9_007_199_254_740_993n, title: 'Hejira' },
    });
  });

  test('refuses a request that breaks the contract', async () => {
    const refused = await add(7);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('title');
    expect(await titles()).toHaveLength(2);
  });

  test('answers HEAD with the length of GET and without a body', async () => {
    const got = await fetch(`${base}/albums`);
    const head = await fetch(`${base}/albums`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String((await got.text()).length));
    expect(await head.text()).toBe('');
  });

  test('restores the fixtures, and clears the journal', async () => {
    await add('Mingus');
    await mock.reset();
    expect(mock.journal()).toEqual([]);
    expect(await titles()).toEqual(['Blue', 'Hejira']);
  });

  test('verifies requests, and names the nearest one', async () => {
    await add('Mingus');
    expect(mock.verify({ operation: 'createAlbum', body: { title: 'Mingus' } })).toBe(1);
    expect(() => mock.verify({ operation: 'createAlbum', body: { title: 'Blue' } })).toThrow(
      'near: 1. POST /v2/albums 201: body.title must be "Blue", but is "Mingus"',
    );
  });

  test('takes a snapshot and restores it', async () => {
    await add('Mingus');
    const before = await mock.snapshot();
    await add('Shadows and Light');
    await mock.restore(before);
    expect(await titles()).toEqual(['Blue', 'Hejira', 'Mingus']);
  });

  test('has the clock of the mock', async () => {
    const demo = await createMswMock({ demo: true, config: false, url: 'https://pets.example/v1' });
    server.use(...demo.handlers);
    const get = (): Promise<Response> =>
      fetch('https://pets.example/v1/pets/1', { headers: { Authorization: 'Bearer demo-key' } });
    expect((await get()).status).toBe(200);
    demo.setClock({ now: '2031-01-01T00:00:00Z' });
    expect((await get()).status).toBe(410);
    demo.setClock();
    expect((await get()).status).toBe(200);
    await demo.close();
  });

  test('has the token endpoints of the mock, and does not record them', async () => {
    const demo = await createMswMock({ demo: true, config: false, url: 'https://pets.example/v1' });
    server.use(...demo.handlers);
    const issued = await fetch('https://pets.example/__vouch/oauth2/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'app',
        client_secret: 'secret',
      }),
    });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const list = (credential: string): Promise<Response> =>
      fetch('https://pets.example/v1/pets', { headers: { Authorization: `Bearer ${credential}` } });
    expect((await list(token)).status).toBe(200);
    expect((await list('another')).status).toBe(401);
    expect(demo.journal().map(({ target }) => target)).toEqual(['/v1/pets', '/v1/pets']);
    await demo.close();
  });
});

describe('sessions of the handlers', () => {
  test('are isolated by a header', async () => {
    const one = mock.session('one');
    const headers = { ...one.headers, 'Content-Type': 'application/json' };
    await fetch(`${base}/albums`, { method: 'POST', headers, body: '{"title":"Mingus"}' });
    expect(await titles(one.headers)).toHaveLength(3);
    expect(await titles()).toHaveLength(2);
    expect(one.verify({ operation: 'createAlbum', count: 1 })).toBe(1);
    expect(one.journal()).toHaveLength(2);
  });

  test('have handlers that need no header', async () => {
    const story = mock.session('story');
    server.use(...story.handlers);
    await add('Mingus');
    story.activate('lost');
    await expect(titles()).rejects.toThrow(TypeError);
    story.deactivate('lost');
    expect(await titles()).toHaveLength(3);
    // A header of the application has precedence.
    expect(await titles({ 'Vouch-Session': 'other' })).toHaveLength(2);
    await story.reset();
    expect(await titles()).toHaveLength(2);
  });

  test('are for stories: each resets its records and keeps its scenario', async () => {
    const story = (name: string, scenario?: string) => {
      const session = mock.session(name);
      if (scenario !== undefined) session.activate(scenario);
      return { handlers: session.handlers, beforeEach: () => session.reset() };
    };
    const filled = story('filled');
    const offline = story('offline', 'lost');
    for (let visit = 0; visit < 2; visit += 1) {
      server.resetHandlers(...filled.handlers);
      await filled.beforeEach();
      await add('Mingus');
      expect(await titles()).toHaveLength(3);
      server.resetHandlers(...offline.handlers);
      await offline.beforeEach();
      await expect(titles()).rejects.toThrow(TypeError);
    }
  });

  test('two mocks of one contract share nothing', async () => {
    const second = await create({ url: 'https://second.example/api' });
    server.use(...second.handlers);
    await add('Mingus');
    const answer = await fetch('https://second.example/api/albums');
    expect(await answer.json()).toHaveLength(2);
    expect(second.journal()).toHaveLength(1);
    expect(mock.journal()).toHaveLength(1);
    await second.close();
  });
});

describe('scenarios of the handlers', () => {
  test('a lost connection rejects the request', async () => {
    mock.activate('lost');
    await expect(fetch(`${base}/albums`)).rejects.toThrow(TypeError);
    mock.deactivate('lost');
    expect((await fetch(`${base}/albums`)).status).toBe(200);
    expect(mock.journal().map(({ fault }) => fault)).toEqual(['reset', null]);
  });

  test('a damaged response has its status, and its body cannot be read', async () => {
    mock.activate('damaged');
    const response = await fetch(`${base}/albums`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  test('events arrive one after the other', async () => {
    mock.activate('events');
    const response = await fetch(`${base}/events`);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const pieces: string[] = [];
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) pieces.push(decoder.decode(piece));
    expect(pieces).toEqual(['event: added\ndata: 3\n\n', 'event: removed\ndata: 3', '\n\n']);
  });

  test('a request that is aborted during a delay ends at once', async () => {
    mock.activate('slow');
    const abort = new AbortController();
    const waiting = fetch(`${base}/albums`, { signal: abort.signal });
    setTimeout(() => abort.abort(), 20);
    await expect(waiting).rejects.toThrow('abort');
    mock.deactivate('slow');
    expect((await fetch(`${base}/albums`)).status).toBe(200);
  });
});

describe('bodies that the handlers read', () => {
  test('a form with a file is judged by the contract', async () => {
    const form = new FormData();
    form.set('title', 'Blue');
    form.set('image', new Blob([new Uint8Array([0x89, 0x50, 0xff, 0])]), 'blue.png');
    expect((await fetch(`${base}/covers`, { method: 'POST', body: form })).status).toBe(200);
    form.set('title', 'B');
    const refused = await fetch(`${base}/covers`, { method: 'POST', body: form });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('title');
  });

  test('a blob has its media type', async () => {
    const send = (type: string): Promise<Response> =>
      fetch(`${base}/covers`, { method: 'POST', body: new Blob(['\u0089PNG'], { type }) });
    expect((await send('image/png')).status).toBe(200);
    expect((await send('image/gif')).status).toBe(415);
  });

  test('a body above the limit is refused', async () => {
    const small = await create({ bodyLimit: 100, url: 'https://small.example' });
    server.use(...small.handlers);
    const send = (length: number): Promise<Response> =>
      fetch('https://small.example/albums', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ title: 'x'.repeat(length) }),
      });
    expect((await send(10)).status).toBe(201);
    expect((await send(100)).status).toBe(413);
    await small.close();
  });

  test('a credential may be a cookie', async () => {
    const send = (cookie: string): Promise<Response> =>
      fetch(`${base}/account`, { headers: { Cookie: cookie } });
    expect((await send('account=demo-key')).status).toBe(200);
    expect((await send('account=another')).status).toBe(401);
  });

  test('callbacks are reported, and not sent', async () => {
    const made: unknown[] = [];
    const told = await create({
      url: 'https://told.example',
      onCallback: (callback) => made.push(callback),
    });
    server.use(...told.handlers);
    await fetch(`https://told.example/albums?notify=${encodeURIComponent(otherUrl)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"title":"Mingus"}',
    });
    expect(made).toMatchObject([{ name: 'stored', url: expect.stringContaining(otherUrl) }]);
    await told.close();
  });
});

describe('which requests the handlers answer', () => {
  test('other origins reach the network', async () => {
    expect(await (await fetch(`${otherUrl}/v2/albums`)).text()).toBe('real');
    expect(mock.journal()).toEqual([]);
  });

  test('an unknown path below the base URL gets the error of the contract', async () => {
    const unknown = await fetch(`${base}/album`);
    expect(unknown.status).toBe(404);
    expect(await unknown.text()).toContain('/v2/album');
  });

  test('a known path with another method is refused with the allowed ones', async () => {
    const refused = await fetch(`${base}/albums`, { method: 'PUT' });
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toContain('POST');
  });

  test('a path beside the base path is not for the mock', async () => {
    server.use(
      ...mock.handlers,
      http.all('*', () => HttpResponse.text('next')),
    );
    expect(await (await fetch('https://albums.example/v20/albums')).text()).toBe('next');
  });

  test('with onUnknown: pass, an unknown path is for the next handler', async () => {
    const passing = await vouchHandlers({ contract: albums, config: false, onUnknown: 'pass' });
    server.use(
      ...passing,
      http.all('*', () => HttpResponse.text('next')),
    );
    expect(await (await fetch(`${base}/album`)).text()).toBe('next');
    expect((await fetch(`${base}/albums`)).status).toBe(200);
  });

  test('the paths of the contract are answered at the origin of the page', async () => {
    expect((await fetch('http://localhost/v2/albums')).status).toBe(200);
  });

  test('without a base path, unknown paths at the origin of the page pass', async () => {
    const bare = await create({ url: 'http://localhost/' });
    server.use(
      ...bare.handlers,
      http.all('*', () => HttpResponse.text('a file')),
    );
    expect(await (await fetch('http://localhost/main.js')).text()).toBe('a file');
    expect((await fetch('http://localhost/albums')).status).toBe(200);
    await bare.close();
  });

  test('several contracts have handlers together', async () => {
    const both = await createMswMock({
      config: false,
      contracts: [
        { contract: albums, name: 'albums', fixtures: albumRecords },
        { contract: albums, name: 'archive', base: '/archive' },
      ],
    });
    server.use(...both.handlers);
    expect(await (await fetch('https://albums.example/archive/albums')).json()).toHaveLength(3);
    expect(await titles()).toEqual(['Blue', 'Hejira']);
    await both.close();
  });
});

describe('options of the handlers', () => {
  test.each([
    [{ url: 'http://' }, 'The base URL http:// is not a URL. Pass `url` as https://'],
    [{ fixtures: { album: [] } }, 'the contract has no resource album. Did you mean albums?'],
    [{ fixtures: { albums: [{ id: 1, title: 7 }] } }, 'albums[0].title must be a string'],
    [{ scenario: 'slwo' }, 'There is no scenario slwo. Did you mean slow?'],
    [{ bodyLimit: 0 }, 'The body limit 0 is no number of bytes'],
  ])('%j is refused with a hint', async (options, message) => {
    await expect(create(options)).rejects.toThrow(message);
  });

  test('an internal error is reported, and the client gets status 500', async () => {
    const faults: unknown[] = [];
    const broken = await create({
      url: 'https://broken.example',
      clock: () => {
        throw new Error('no time');
      },
      onFault: (fault) => faults.push(fault),
    });
    server.use(...broken.handlers);
    expect((await fetch('https://broken.example/albums')).status).toBe(500);
    expect(String(faults[0])).toContain('no time');
    await broken.close();
  });

  test('exchanges are reported without the secrets of their query', async () => {
    const seen: unknown[] = [];
    const told = await create({
      url: 'https://told.example',
      keys: ['told-key'],
      onExchange: ({ target, status }) => seen.push([target, status]),
    });
    server.use(...told.handlers);
    await fetch('https://told.example/albums?key=told-key');
    expect(seen).toEqual([[expect.not.stringContaining('told-key'), expect.any(Number)]]);
    await told.close();
  });
});
