import { describe, expect, test } from 'vitest';
import { headerValue } from '../../src/http/message.ts';
import type { JsonValue } from '../../src/json/value.ts';
import type { Answer } from '../../src/mock/mock.ts';
import type { HandlerCall, Handlers } from '../../src/mock/handlers/handler.ts';
import { jsonOf, mockOf, send, textOf } from './workshop.ts';

const axe = { name: 'Maul', kind: 'axe' };

async function ask(handlers: Handlers, line: string, body?: JsonValue): Promise<Answer> {
  return send(await mockOf({ handlers }), line, body === undefined ? {} : { body });
}

/** What a handler of a request is given. */
async function callOf(operation: string, line: string, body?: JsonValue): Promise<HandlerCall> {
  let given: HandlerCall | undefined;
  await ask({ [operation]: (call) => void (given = call) }, line, body);
  if (given === undefined) throw new Error('The handler was not called.');
  return given;
}

describe('a handler', () => {
  test('answers instead of the mock, and may change what the mock answers', async () => {
    const handlers: Handlers = {
      getTool: async ({ request, next }) => {
        const { status, body } = await next();
        return {
          status,
          body: { ...Object(body), name: `tool ${String(request.path['toolId'])}` },
        };
      },
    };
    expect(jsonOf(await ask(handlers, 'GET /v2/tools/1'))).toMatchObject({
      name: 'tool 1',
      kind: 'saw',
    });
    expect((await ask(handlers, 'GET /v2/shelves')).status).toBe(200);
  });

  test('is named by method and path too', async () => {
    const answer = await ask({ 'DELETE /tools/{toolId}': () => ({}) }, 'DELETE /v2/tools/1');
    expect(answer).toMatchObject({ status: 204, operation: 'deleteTool' });
  });

  test('that answers nothing leaves the answer to the mock, bytes and headers', async () => {
    const plain = await ask({}, 'GET /v2/tools/1');
    expect(await ask({ getTool: () => undefined }, 'GET /v2/tools/1')).toEqual(plain);
    expect(await ask({ getTool: ({ next }) => next() }, 'GET /v2/tools/1')).toEqual(plain);
  });

  test('gets the request as the contract types it', async () => {
    const list = await callOf('listTools', 'GET /v2/tools?limit=2&kind=saw');
    expect(list.request).toMatchObject({
      operation: 'listTools',
      query: { limit: 2, kind: ['saw'] },
    });
    const create = await callOf('createTool', 'POST /v2/tools', axe);
    expect(create.request).toMatchObject({ method: 'POST', target: '/v2/tools', body: axe });
    expect(create.request.headers['content-type']).toBe('application/json');
    expect(create.now.toISOString()).toBe('2030-01-02T03:04:05.000Z');
    expect(create.session).toBe('default');
  });

  test('is not asked for what breaks the contract, or lacks the credential', async () => {
    let calls = 0;
    const mock = await mockOf({ handlers: { createTool: () => void (calls += 1) } });
    expect((await send(mock, 'POST /v2/tools', { body: { name: 1 } })).status).toBe(422);
    expect((await send(mock, 'POST /v2/tools', { body: axe, key: false })).status).toBe(401);
    expect(calls).toBe(0);
    expect((await send(mock, 'POST /v2/tools', { body: axe })).status).toBe(201);
    expect(calls).toBe(1);
  });

  test('answers a status alone from the contract', async () => {
    const missing = await ask({ getTool: () => ({ status: 404 }) }, 'GET /v2/tools/1');
    expect(missing.status).toBe(404);
    expect(jsonOf(missing)).toMatchObject({ error: { http_status: 404 } });
  });

  test('writes dates and leaves out what is undefined, as JSON.stringify does', async () => {
    const created = new Date('2029-05-05T05:05:05Z');
    const handlers: Handlers = {
      getTool: async ({ next }) => ({
        headers: { 'X-Made': 'here', 'Set-Cookie': ['a=1', 'b=2'] },
        body: { ...Object((await next()).body), createdAt: created, weight: undefined },
      }),
    };
    const answer = await ask(handlers, 'GET /v2/tools/1');
    expect(jsonOf(answer)).toMatchObject({ createdAt: '2029-05-05T05:05:05.000Z' });
    expect(jsonOf(answer)).not.toHaveProperty('weight');
    expect(headerValue(answer.headers, 'x-made')).toBe('here');
    expect(answer.headers.filter(([name]) => name === 'Set-Cookie')).toHaveLength(2);
  });
});

describe('the records of a handler', () => {
  test('are those of the session, for later requests too', async () => {
    const handlers: Handlers = {
      lockDoor: async ({ records }) => {
        const tools = await records.list('tools', { offset: 1, limit: 2 });
        await records.put('tools', 1, { ...(await records.get('tools', 1)), name: 'Locked' });
        const isGone = await records.remove('tools', 2);
        return { status: 404, headers: { 'X-Seen': `${String(tools.length)} ${String(isGone)}` } };
      },
    };
    const mock = await mockOf({ handlers });
    const headers = [['Vouch-Session', 'mine']] as const;
    const answer = await send(mock, 'POST /v2/doors/7/lock', { headers });
    expect(headerValue(answer.headers, 'x-seen')).toBe('2 true');
    const [mine, other] = await Promise.all([
      send(mock, 'GET /v2/tools', { headers }),
      send(mock, 'GET /v2/tools'),
    ]);
    expect(textOf(mine)).toContain('Locked');
    expect(textOf(mine)).not.toContain('Splitter');
    expect(textOf(other)).not.toContain('Locked');
    expect(textOf(other)).toContain('Splitter');
  });

  test('keep the contract', async () => {
    const handlers: Handlers = {
      getTool: async ({ records }) => {
        await records.put('tools', 1, { name: 'Rip', kind: 'spoon' });
        return {};
      },
    };
    const answer = await ask(handlers, 'GET /v2/tools/1');
    expect(answer.status).toBe(500);
    expect(textOf(answer)).toContain('The contract does not allow the record 1 of tools: at ');
    expect(jsonOf(await ask({}, 'GET /v2/tools/1'))).toMatchObject({ kind: 'saw' });
  });

  test('that do not exist are named', async () => {
    const awaited = await ask(
      { getTool: async ({ records }) => void (await records.list('tols')) },
      'GET /v2/tools/1',
    );
    expect(textOf(awaited)).toContain('There are no records tols (');
  });
});

describe('a handler that fails', () => {
  test('is a 500 with what was thrown, and its place', async () => {
    const handlers: Handlers = {
      getTool: () => {
        throw new TypeError('no axe to grind');
      },
    };
    const answer = await ask(handlers, 'GET /v2/tools/1');
    expect(answer.status).toBe(500);
    expect(textOf(answer)).toMatch(
      /The handler of getTool failed: TypeError: no axe to grind \(\S+handlers\.test\.ts:\d+:\d+\)\./,
    );
    expect(answer.refusal?.message).toContain('no axe to grind');
  });

  test.each([
    [
      'an answer that breaks the contract',
      { body: { id: 'one' } },
      501,
      /would break the contract at #\//,
    ],
    ['no answer', 'a text', 500, /A handler answers \{ status, headers, body \}/],
    ['another member', { statusCode: 200 }, 500, /An answer has no statusCode/],
    ['no status', { status: 99 }, 500, /99 is no status from 200 to 599/],
    ['headers that are none', { headers: 'x' }, 500, /headers of an answer are an object/],
    [
      'what JSON cannot say',
      { body: { a: [() => 1] } },
      500,
      /value at \/a\/0 is no JSON: it is a function/,
    ],
    ['no number', { body: { a: NaN } }, 500, /value at \/a is no JSON: it is NaN/],
  ])('%s', async (_what, given, status, message) => {
    const answer = await ask({ getTool: () => given as object }, 'GET /v2/tools/1');
    expect(answer.status).toBe(status);
    expect(textOf(answer).replaceAll('\\"', '"')).toMatch(message);
  });

  test('an answer that breaks the contract shows the lines that it breaks', async () => {
    const { refusal } = await ask({ getTool: () => ({ body: { id: 'one' } }) }, 'GET /v2/tools/1');
    expect(refusal?.frame).toMatch(/^\s*>.*required: \[id, name, kind, createdAt, serial\]$/m);
  });

  test('a value in itself', async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const answer = await ask({ getTool: () => ({ body: circle }) }, 'GET /v2/tools/1');
    expect(textOf(answer)).toContain('it contains itself');
  });
});

describe('handlers that cannot be used', () => {
  test.each([
    ['a name without an operation', { getTol: () => ({}) }, /no operation getTol/],
    ['what is no function', { getTool: {} }, /The handler of getTool is no function/],
    [
      'two of one operation',
      { getTool: () => ({}), 'GET /tools/{toolId}': () => ({}) },
      /getTool has two handlers/,
    ],
  ])('%s is an error', async (_what, handlers, message) => {
    await expect(mockOf({ handlers: handlers as unknown as Handlers })).rejects.toMatchObject({
      code: 'handler-invalid',
      message: expect.stringMatching(message),
    });
  });
});
