import request from 'supertest';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { StartFacts } from '../../src/server/console/console-api.ts';
import { createMockApp, type MockApp } from '../../src/library/start-mock.ts';

const apps: MockApp[] = [];
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
    const { body } = await pets().expect(401);
    expect(body.message).toContain('The header Authorization is missing.');
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
