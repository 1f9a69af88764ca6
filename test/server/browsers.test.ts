import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import request from 'supertest';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExchangeDetail, StartFacts } from '../../src/server/console/console-api.ts';
import { createMockApp, type MockApp, startMock } from '../../src/library/start-mock.ts';

const apps: { close(): Promise<void> }[] = [];
let app: MockApp;
beforeEach(async () => {
  app = await createMockApp({ contract: 'openapi/petstore.v1.yaml' });
  apps.push(app);
});
afterAll(() => Promise.all(apps.map((each) => each.close())));

const fox = 'Mozilla/5.0 (X11) Firefox/150.0';
const other = 'Mozilla/5.0 (X11) Chrome/150.0';
const local = { Host: 'localhost:4010' };

function pets(agent = fox, headers: Readonly<Record<string, string>> = {}): request.Test {
  return request(app)
    .get('/v1/pets')
    .set({ 'User-Agent': agent, Authorization: 'Bearer demo-key', ...headers });
}

async function addPet(agent: string): Promise<void> {
  await request(app)
    .post('/v1/pets')
    .set({ 'User-Agent': agent, Authorization: 'Bearer demo-key' })
    .send({ name: 'Rex', categoryId: 1 })
    .expect(201);
}

async function countOf(agent?: string): Promise<unknown> {
  const answer = await request(app)
    .get('/__vouch/start')
    .set({ ...local, ...(agent === undefined ? {} : { 'User-Agent': agent }) });
  const { resources } = answer.body as StartFacts;
  return resources.find(({ name }) => name === 'pets')?.count;
}

function choose(mode: string, agent = fox): request.Test {
  return request(app)
    .put('/__vouch/browser')
    .set({ ...local, 'User-Agent': agent })
    .send({ mode });
}

describe('a browser chooses for itself alone', () => {
  test('an empty mock, and has its records again afterwards', async () => {
    await addPet(other);
    await choose('empty').expect(204);
    expect((await pets().expect(200)).body).toEqual([]);
    expect((await pets(other).expect(200)).body).not.toEqual([]);
    await addPet(fox);
    expect((await pets()).body).toMatchObject([{ name: 'Rex' }]);
    await choose('usual').expect(204);
    expect([await countOf(fox), await countOf(other)]).toEqual([73, 73]);
  });

  test('an error for each request, which then does nothing', async () => {
    await choose('error').expect(204);
    await pets().expect(500);
    await request(app)
      .delete('/v1/pets/1')
      .set({ 'User-Agent': fox, Authorization: 'Bearer demo-key' })
      .expect(500);
    await pets(other).expect(200);
    await choose('usual').expect(204);
    expect(await countOf(fox)).toBe(72);
  });

  test('to be logged out, however it shows who it is', async () => {
    await choose('out').expect(204);
    const { body, headers } = await pets().expect(401);
    expect(body.message).toBe(
      'The start page logged this browser out, so its credentials are ignored. ' +
        'To undo it, press Logged out there again.',
    );
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
    const bare = await request(app).get('/v1/pets').set('User-Agent', fox).expect(401);
    expect(bare.body.message).toContain('The header Authorization is missing.');
    await pets(other).expect(200);
  });

  test('slow answers', async () => {
    await choose('slow').expect(204);
    const started = performance.now();
    await pets(other).expect(200);
    expect(performance.now() - started).toBeLessThan(1_500);
    const before = performance.now();
    await pets().expect(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(1_990);
  });

  test('and begins with the records that all share; a reset is of its own', async () => {
    await addPet(other);
    await choose('slow').expect(204);
    expect(await countOf(fox)).toBe(73);
    await request(app)
      .post('/__vouch/browser/reset')
      .set({ ...local, 'User-Agent': fox })
      .expect(204);
    expect([await countOf(fox), await countOf(other), await countOf()]).toEqual([72, 73, 73]);
    await request(app)
      .delete('/__vouch/browser')
      .set({ ...local, 'User-Agent': fox })
      .expect(204);
    expect(await countOf(fox)).toBe(73);
  });

  test('but nothing for requests that name a session', async () => {
    await choose('error').expect(204);
    await pets(fox, { 'Vouch-Session': 'checkout' }).expect(200);
  });
});

describe('a mode is not chosen', () => {
  test.each<[string, Readonly<Record<string, string>>, object, number]>([
    ['by a page of another origin', { ...local, Origin: 'http://localhost:3000' }, {}, 403],
    ['under a name that leads here', { Host: 'evil.test' }, {}, 403],
    ['without a User-Agent', { ...local, 'User-Agent': '' }, {}, 400],
    ['that does not exist', local, { mode: 'fast' }, 400],
  ])('%s', async (_how, headers, body, status) => {
    await request(app)
      .put('/__vouch/browser')
      .set({ 'User-Agent': fox, ...headers })
      .send({ mode: 'error', ...body })
      .expect(status);
    await pets().expect(200);
  });
});

describe('an error that a browser chose', () => {
  const json = (schema: string): object => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  });
  const text = { type: 'string' };
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Wells', version: '1' },
    paths: {
      '/wells': {
        post: {
          operationId: 'dig',
          requestBody: { required: true, ...json('Well') },
          responses: {
            201: { description: 'Dug', ...json('Well') },
            400: { description: 'Wrong', ...json('Error') },
          },
        },
      },
    },
    components: {
      schemas: {
        Well: { type: 'object', required: ['depth'], properties: { depth: { type: 'integer' } } },
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: { code: text, message: text },
        },
      },
    },
  };
  const chosen =
    'The start page makes each answer to this browser a 500, and nothing is done. ' +
    'To undo it, press Error 500 there again.';

  async function dig(body: object): Promise<[request.Response, ExchangeDetail]> {
    const mock = await startMock({ contract: contract as never, config: false });
    apps.push(mock);
    const sent = { 'User-Agent': fox, 'Content-Type': 'application/json' };
    await request(mock.origin).put('/__vouch/browser').set(sent).send({ mode: 'error' });
    const answer = await request(mock.origin).post('/wells').set(sent).send(body);
    const { body: row } = await request(mock.origin)
      .get('/__vouch/traffic/1')
      .set('Authorization', `Bearer ${mock.controlToken}`);
    return [answer, row as ExchangeDetail];
  }

  test('is written in the schema of another error of the operation', async () => {
    const [{ status, body }] = await dig({ depth: 3 });
    expect([status, body]).toEqual([500, { code: 'internal_server_error', message: chosen }]);
  });

  test.each([
    ['valid', { depth: 3 }, ''],
    ['invalid', { depth: 'deep' }, '`depth` in the body must be an integer'],
  ])('leaves a request %s in the traffic, with the reason', async (judgement, body, why) => {
    const [, row] = await dig(body);
    expect(row).toMatchObject({ status: 500, judgement });
    expect(row.reason).toContain(why);
    expect(row.reason).toContain(chosen);
  });

  test('is written like one that the console sets for all', async () => {
    const mock = await startMock({ contract: contract as never, config: false });
    apps.push(mock);
    await request(mock.origin)
      .put('/__vouch/faults')
      .set('Authorization', `Bearer ${mock.controlToken}`)
      .send({ status: 503 })
      .expect(200);
    const { status, body } = await request(mock.origin).post('/wells').send({ depth: 3 });
    expect([status, body]).toEqual([
      503,
      {
        code: 'service_unavailable',
        message: 'The mock answers 503, because this fault is set. The request was carried out.',
      },
    ]);
  });

  test('comes again by the curl command of its row', async () => {
    const [, { curl }] = await dig({ depth: 3 });
    const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
    expect(JSON.parse(stdout)).toMatchObject({ message: chosen });
  });
});

test('keys in queries and cookies are taken away with the others', async () => {
  const key = (place: string): object => ({ type: 'apiKey', in: place, name: 'pass' });
  const read = (scheme: string): object => ({
    get: {
      operationId: scheme,
      security: [{ [scheme]: [] }],
      responses: { 204: { description: 'Done' }, 401: { description: 'Who are you?' } },
    },
  });
  app = await createMockApp({
    config: false,
    contract: {
      openapi: '3.1.0',
      info: { title: 'Doors', version: '1' },
      components: {
        securitySchemes: { q: key('query'), c: key('cookie'), h: key('header') },
      },
      paths: { '/q': read('q'), '/c': read('c'), '/h': read('h') },
    } as never,
  });
  apps.push(app);
  const ask = async (): Promise<number[]> => {
    const pass = 'demo-key';
    const sent = [
      request(app).get(`/q?pass=${pass}`),
      request(app).get('/c').set('Cookie', `pass=${pass}`),
      request(app).get('/h').set('Pass', pass),
    ].map(async (each) => (await each.set('User-Agent', fox)).status);
    return Promise.all(sent);
  };
  expect(await ask()).toEqual([204, 204, 204]);
  await choose('out').expect(204);
  expect(await ask()).toEqual([401, 401, 401]);
});
