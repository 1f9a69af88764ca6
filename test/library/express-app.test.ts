import express, { type ErrorRequestHandler } from 'express';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { afterEach, describe, expect, test } from 'vitest';
import { createMockApp, type MockApp } from '../../src/library/start-mock.ts';
import { makeWorkplace, notesContract, noteSchema } from './workplace.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openApp(): Promise<MockApp> {
  const place = await makeWorkplace({
    'openapi.yaml': notesContract(),
    'note.yaml': noteSchema(''),
    'fixtures/notes.yaml': 'notes:\n  - { id: 1, text: first }\n',
  });
  const app = await createMockApp({
    contract: place.path('openapi.yaml'),
    fixtures: place.path('fixtures'),
    config: false,
    authentication: 'off',
  });
  closing.push(() => place.remove(), app.close);
  return app;
}

const first = { id: 1, text: 'first' };

describe('createMockApp() is an Express application', () => {
  test('middleware runs before the mock, and may change its response', async () => {
    const app = await openApp();
    app.use((_request, response, next) => {
      response.setHeader('X-Seen', 'yes');
      next();
    });
    const { body, headers } = await request(app).get('/v1/notes/1').expect(200);
    expect([body, headers['x-seen']]).toEqual([first, 'yes']);
  });

  test('a route that is added wins over the contract, also after the first request', async () => {
    const app = await openApp();
    expect((await request(app).get('/v1/notes/1')).body).toEqual(first);
    app.get('/v1/notes/:id', ({ params }, response) => void response.json({ own: params.id }));
    expect((await request(app).get('/v1/notes/7')).body).toEqual({ own: '7' });
    expect((await request(app).get('/v1/notes')).body).toEqual([first]);
    app.get('/version', (_request, response) => void response.send('2'));
    expect((await request(app).get('/version')).text).toBe('2');
  });

  test('a route for one method leaves the others of its path to the mock', async () => {
    const app = await openApp();
    app.delete('/v1/notes/:id', (_request, response) => void response.sendStatus(418));
    await request(app).delete('/v1/notes/1').expect(418);
    await request(app).get('/v1/notes/1').expect(200, first);
    const { headers } = await request(app).options('/v1/notes/1').expect(204);
    expect(headers['allow']).toContain('GET');
  });

  test('a router is mounted under its path', async () => {
    const app = await openApp();
    const router = express.Router();
    router.get('/health', (_request, response) => void response.json({ up: true }));
    app.use('/internal', router);
    expect((await request(app).get('/internal/health')).body).toEqual({ up: true });
    await request(app).get('/internal/other').expect(404);
    await request(app).get('/v1/notes/1').expect(200, first);
  });

  test('an error handler that is added later gets what a route throws', async () => {
    const app = await openApp();
    app.get('/broken', () => {
      throw new Error('broken on purpose');
    });
    await request(app).get('/v1/notes/1').expect(200);
    const handler: ErrorRequestHandler = (error: Error, _request, response, _next) =>
      void response.status(503).json({ error: error.message });
    app.use(handler);
    await request(app).get('/broken').expect(503, { error: 'broken on purpose' });
    await request(app).get('/v1/notes/1').expect(200, first);
  });

  test('without an error handler, Express answers errors of routes, not the mock', async () => {
    const app = await openApp();
    app.set('env', 'test');
    app.get('/broken', () => {
      throw new Error('broken on purpose');
    });
    await request(app).get('/broken').expect(500).expect('Content-Type', /html/);
  });

  test('settings and locals are those of Express', async () => {
    const app = await openApp();
    expect(app.get('env')).toBe(process.env['NODE_ENV'] ?? 'development');
    app.set('title', 'Notes');
    app.enable('trust proxy');
    app.locals['greeting'] = 'hello';
    app.get('/about', ({ app: own, ip }, response) => {
      response.json([own.get('title'), own.locals['greeting'], ip]);
    });
    const { body } = await request(app).get('/about').set('X-Forwarded-For', '203.0.113.7');
    expect(body).toEqual(['Notes', 'hello', '203.0.113.7']);
  });

  test('is mounted in another application, which keeps its own routes', async () => {
    const mock = await openApp();
    mock.use((_request, response, next) => {
      response.setHeader('X-Mock', 'yes');
      next();
    });
    const outer = express();
    outer.get('/api/v1/notes/2', (_request, response) => void response.send('outer'));
    outer.use('/api', mock);
    outer.get('/other', (_request, response) => void response.send('other'));
    const { body, headers } = await request(outer).get('/api/v1/notes/1').expect(200);
    expect([body, headers['x-mock']]).toEqual([first, 'yes']);
    expect((await request(outer).get('/api/v1/notes/2')).text).toBe('outer');
    expect((await request(outer).get('/other')).text).toBe('other');
    expect(mock.mountpath).toBe('/api');
  });

  test('answers as the listener of a server of node:http', async () => {
    const server = createServer(await openApp()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${String(port)}/v1/notes/1`);
    expect(await response.json()).toEqual(first);
  });
});

describe('a body that middleware has read before the mock', () => {
  test('is taken from req.body: JSON', async () => {
    const app = await openApp();
    const seen: unknown[] = [];
    app.use(express.json());
    app.use(({ body }: express.Request, _response, next) => {
      seen.push(body);
      next();
    });
    const created = await request(app).post('/v1/notes').send({ text: 'mine' }).expect(201);
    expect(created.body).toEqual({ id: 2, text: 'mine' });
    expect(seen).toEqual([{ text: 'mine' }]);
    await request(app).post('/v1/notes').send({ text: 7 }).expect(400);
    await request(app).get('/v1/notes/2').expect(200, { id: 2, text: 'mine' });
  });

  test('is used as middleware changed it', async () => {
    const app = await openApp();
    app.use(express.json(), (given: express.Request, _response, next) => {
      given.body = { text: 'changed' };
      next();
    });
    const { body } = await request(app).post('/v1/notes').send({ text: 'mine' }).expect(201);
    expect(body).toMatchObject({ text: 'changed' });
  });

  test('is used as bytes or text, and rawBody has priority', async () => {
    const raw = await openApp();
    raw.use(express.raw({ type: () => true }));
    await request(raw).post('/v1/notes').send({ text: 'raw' }).expect(201);
    const kept = await openApp();
    kept.use(
      express.json({
        verify: (given, _response, bytes) => void Object.assign(given, { rawBody: bytes }),
      }),
      (given: express.Request, _response, next) => {
        given.body = { text: 'not this' };
        next();
      },
    );
    const { body } = await request(kept).post('/v1/notes').send({ text: 'kept' }).expect(201);
    expect(body).toMatchObject({ text: 'kept' });
  });

  test('is not awaited if it was consumed', async () => {
    const app = await openApp();
    app.use((given, _response, next) => void given.resume().once('end', () => next()));
    await request(app).post('/v1/notes').send({ text: 'lost' }).expect(400);
  });
});
