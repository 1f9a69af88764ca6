import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningMock, startMock } from '../../src/library/start-mock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { jsonContent } from '../contract/make-contract.ts';
import { noRedis, type RedisServer, startRedis } from '../store/redis-server.ts';

const note = { $ref: '#/components/schemas/Note' };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const match = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
const fine = (status: string, more: JsonObject = {}): JsonObject => ({
  [status]: { description: 'fine', ...jsonContent(note), ...more },
});
const failures = { 404: { description: 'missing' }, 409: { description: 'taken' } };
const tag = { headers: { ETag: { schema: { type: 'string' } } } };
const conditional = { ...failures, 412: { description: 'changed' } };
const body = { required: true, ...jsonContent(note) };

const contract: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Notes of replicas', version: '1' },
  paths: {
    '/notes': {
      get: {
        operationId: 'listNotes',
        responses: {
          200: { description: 'fine', ...jsonContent({ type: 'array', items: note }) },
        },
      },
      post: {
        operationId: 'createNote',
        requestBody: body,
        responses: { ...fine('201'), ...failures },
      },
    },
    '/notes/{id}': {
      parameters: [id],
      get: { operationId: 'getNote', responses: { ...fine('200', tag), ...failures } },
      patch: {
        operationId: 'mergeNote',
        parameters: [match],
        requestBody: {
          required: true,
          content: { 'application/merge-patch+json': { schema: note } },
        },
        responses: { ...fine('200', tag), ...conditional },
      },
      delete: {
        operationId: 'deleteNote',
        parameters: [match],
        responses: { 204: { description: 'gone' }, ...conditional },
      },
    },
  },
  components: {
    schemas: {
      Note: {
        type: 'object',
        properties: { id: { type: 'integer' }, title: { type: 'string' } },
        additionalProperties: true,
      },
    },
  },
};

describe.skipIf(noRedis !== undefined)(noRedis ?? 'two mocks with one Redis', () => {
  let redis: RedisServer;
  const mocks: RunningMock[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    for (const _ of [1, 2])
      mocks.push(
        await startMock({
          contract,
          fixtures: new Map([['notes', [{ id: '1', record: { id: 1, title: 'one' } }]]]),
          store: redis.url,
          config: false,
        }),
      );
  }, 30_000);

  afterAll(async () => {
    for (const mock of mocks) await mock.close();
    await redis.stop();
  });

  test('have the records that a handler of one of them writes', async () => {
    const handled = await startMock({
      contract,
      store: redis.url,
      config: false,
      handlers: {
        getNote: async ({ request, records }) => {
          const asked = Number(request.path['id']);
          return { body: await records.put('notes', asked, { id: asked, title: 'handled' }) };
        },
      },
    });
    expect(await (await fetch(`${handled.url}/notes/77`)).json()).toMatchObject({
      title: 'handled',
    });
    await handled.close();
    const seen = await send(1, ['GET', '/notes/77']);
    expect(seen.body).toMatchObject({ id: 77, title: 'handled' });
    expect((await send(0, ['DELETE', '/notes/77'])).status).toBe(204);
  });

  interface Sent {
    readonly status: number;
    readonly etag: string;
    readonly body: JsonValue;
  }

  /** Sends a request to one of the mocks, in turn. */
  async function send(
    at: number,
    [method, path]: readonly [string, string],
    given?: { readonly body?: JsonObject; readonly headers?: Record<string, string> },
  ): Promise<Sent> {
    const { url = '' } = mocks[at % mocks.length] ?? {};
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(given?.body === undefined ? {} : { 'content-type': type }),
        ...given?.headers,
      },
      ...(given?.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      etag: answer.headers.get('etag') ?? '',
      body: text === '' ? null : (JSON.parse(text) as JsonValue),
    };
  }

  const many = <Result>(count: number, run: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(index)));

  async function create(title: string): Promise<string> {
    const { body: made } = await send(0, ['POST', '/notes'], { body: { title } });
    return `/notes/${String(isJsonObject(made) ? made['id'] : '')}`;
  }

  test.each([
    ['a fixture', async () => '/notes/1'],
    ['a record that was added', () => create('added')],
  ])('lose none of 40 merges of %s at the same time', async (_what, place) => {
    const path = await place();
    const answers = await many(40, (index) =>
      send(index, ['PATCH', path], { body: { [`member${String(index)}`]: index } }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body: kept } = await send(1, ['GET', path]);
    expect(kept).toMatchObject(
      Object.fromEntries(answers.map((_, index) => [`member${String(index)}`, index])),
    );
  });

  test('make one of many changes that name the same entity tag', async () => {
    const path = await create('conditional');
    const { etag } = await send(0, ['GET', path]);
    expect(etag).not.toBe('');
    const answers = await many(20, (index) =>
      send(index, ['PATCH', path], {
        body: { title: `by ${String(index)}` },
        headers: { 'if-match': etag },
      }),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { body: kept } = await send(1, ['GET', path]);
    expect(kept).toMatchObject({ title: `by ${String(winner)}` });
  });

  test('delete nothing that has changed since the named entity tag', async () => {
    const path = await create('deleted');
    const { etag } = await send(0, ['GET', path]);
    await send(1, ['PATCH', path], { body: { title: 'changed' } });
    const late = await send(0, ['DELETE', path], { headers: { 'if-match': etag } });
    expect(late.status).toBe(412);
    expect((await send(0, ['GET', path])).status).toBe(200);
  });

  test('give one record to many creates with the same identifier', async () => {
    const answers = await many(20, (index) =>
      send(index, ['POST', '/notes'], { body: { id: 7_000, title: String(index) } }),
    );
    const ids = answers.flatMap(({ status, body: made }) =>
      status === 201 && isJsonObject(made) ? [made['id']] : [],
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((each) => each === 7_000).length).toBeLessThan(2);
  });

  test('a change never brings a deleted record back', async () => {
    for (let round = 0; round < 10; round += 1) {
      const path = await create('gone');
      const [removed, ...changed] = await many(6, (index) =>
        index === 0
          ? send(index, ['DELETE', path])
          : send(index, ['PATCH', path], { body: { [`m${String(index)}`]: index } }),
      );
      expect(removed?.status).toBe(204);
      for (const { status } of changed) expect([200, 404]).toContain(status);
      expect((await send(round, ['GET', path])).status).toBe(404);
    }
  });

  test('sessions do not disturb each other', async () => {
    const answers = await many(40, (index) =>
      send(index, ['PATCH', '/notes/1'], {
        body: { [`s${String(index)}`]: index },
        headers: { 'vouch-session': `session-${String(index % 4)}` },
      }),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    for (const session of [0, 1, 2, 3]) {
      const { body: kept } = await send(session, ['GET', '/notes/1'], {
        headers: { 'vouch-session': `session-${String(session)}` },
      });
      const own = Object.keys(isJsonObject(kept) ? kept : {}).filter((name) => /^s\d/.test(name));
      expect(own).toHaveLength(10);
    }
  });
});
