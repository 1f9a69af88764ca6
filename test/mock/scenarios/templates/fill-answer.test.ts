import { describe, expect, test } from 'vitest';
import { headerValue, type HeaderList } from '../../../../src/http/message.ts';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import type { Mock } from '../../../../src/mock/mock.ts';
import { makeContract } from '../../../contract/make-contract.ts';
import { jsonOf, mockOf, send, type Sending } from '../../workshop.ts';
import { complaint, objections, scenarioOf, withAnswer } from '../read-scenario.ts';

const contract = makeContract({
  paths: {
    '/hello/{name}': {
      parameters: [
        { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'times', in: 'query', schema: { type: 'integer' } },
        { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
      ],
      get: { operationId: 'readHello', responses: answers() },
      post: {
        operationId: 'sayHello',
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: answers(),
      },
    },
  },
});

function answers(): JsonObject {
  const properties = {
    greeting: { type: 'string', pattern: '^Hello' },
    count: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    state: { enum: ['new', 'old'] },
    any: {},
  };
  return {
    200: {
      description: 'A greeting',
      headers: { 'X-Count': { schema: { type: 'integer' } } },
      content: { 'application/json': { schema: { type: 'object', properties } } },
    },
  };
}

const playing = (answer: JsonObject): Promise<Mock> =>
  mockOf({
    contract,
    scenarios: [scenarioOf('s', { operation: '*', answers: [{ status: 200, ...answer }] })],
    scenario: 's',
  });

const bodyFor = async (body: JsonValue, line: string, sending?: Sending) =>
  jsonOf(await send(await playing({ body }), line, sending));

describe('an answer of a scenario', () => {
  test('repeats values of the request in its texts', async () => {
    const body = { greeting: 'Hello {$request.path.name} from {$request.header.x-trace}!' };
    const headers: HeaderList = [['X-Trace', 'far']];
    expect(await bodyFor(body, 'GET /hello/Ada%20L', { headers })).toEqual({
      greeting: 'Hello Ada L from far!',
    });
  });

  test('keeps the type of a value that stands alone', async () => {
    const body = {
      count: '{$request.query.times}',
      any: ['{$request.body#/list}', '{$request.body#/no}', '{$request.body#/big}', 'x'],
    };
    const sent = { list: [1, { a: null }], big: 9007199254740993n };
    expect(await bodyFor(body, 'POST /hello/x?times=3', { body: sent })).toEqual({
      count: 3,
      any: [[1, { a: null }], 9007199254740993n, 'x'],
    });
  });

  test('leaves a member without a value out, and nothing within a text', async () => {
    const body = { count: '{$request.query.times}', greeting: 'Hello {$request.query.who}.' };
    expect(await bodyFor(body, 'GET /hello/x')).toEqual({ greeting: 'Hello .' });
  });

  test('writes other values within a text as JSON', async () => {
    const body = { greeting: 'Hello {$request.body#/a} and {$request.body}' };
    expect(await bodyFor(body, 'POST /hello/x', { body: { a: [1] } })).toEqual({
      greeting: 'Hello [1] and {"a":[1]}',
    });
  });

  test('has the time of the mock, new identifiers and the request itself', async () => {
    const body = { at: '{$now}', any: ['{$uuid}', '{$uuid}', '{$method} {$url}'] };
    const headers: HeaderList = [['Host', 'mock.example']];
    expect(await bodyFor(body, 'GET /hello/x?q', { headers })).toEqual({
      at: '2030-01-02T03:04:05.000Z',
      any: ['made-1', 'made-2', 'GET http://mock.example/hello/x?q'],
    });
  });

  test('computes in CEL', async () => {
    const body = {
      greeting: 'Hello {{ request.path.name.size() > 2 ? request.path.name : "you" }}',
      count: '{{ sum(request.body.items.map(i, i.price * i.count)) + request.query.times }}',
      at: '{{ now + duration("1h") }}',
      any: '{{ {"trace": request.headers["x-trace"], "method": request.method} }}',
    };
    const items = [
      { price: 2, count: 3 },
      { price: 1, count: 4 },
    ];
    expect(
      await bodyFor(body, 'POST /hello/Ada?times=5', {
        body: { items },
        headers: [['X-Trace', 't']],
      }),
    ).toEqual({
      greeting: 'Hello Ada',
      count: 15,
      at: '2030-01-02T04:04:05.000Z',
      any: { trace: 't', method: 'POST' },
    });
  });

  test('says why an expression has no value, and sends nothing of it', async () => {
    const mock = await playing({ body: { count: '{{ request.body.count + 1 }}' } });
    const answer = await send(mock, 'GET /hello/x');
    expect(answer.status).toBe(501);
    expect(answer.refusal?.message).toMatch(
      /^The mock cannot create this response: \{\{ request\.body\.count \+ 1 \}\} of the scenario/,
    );
  });

  test('is not sent if a value of the request breaks the contract', async () => {
    const mock = await playing({ body: { state: '{$request.body#/state}' } });
    const state = async (value: JsonValue) =>
      (await send(mock, 'POST /hello/x', { body: { state: value } })).status;
    expect([await state('old'), await state('odd')]).toEqual([200, 501]);
  });

  test('has placeholders in header fields, which cannot break lines', async () => {
    const mock = await playing({
      body: {},
      headers: { 'X-Said': 'a {$request.body#/b}', 'X-None': '{$request.query.q}' },
    });
    const { headers } = await send(mock, 'POST /hello/x', { body: { b: 'c\r\nX-D: é' } });
    expect(headerValue(headers, 'x-said')).toBe('a c??X-D: é');
    expect(headerValue(headers, 'x-none')).toBeUndefined();
  });

  test('has placeholders in the patch of a normal answer', async () => {
    const mock = await mockOf({
      scenarios: [
        scenarioOf('s', {
          operation: 'getTool',
          answers: [
            { patch: { name: 'No. {$request.path.toolId}' } },
            { patch: [{ op: 'replace', path: '/weight', value: '{$request.path.toolId}' }] },
          ],
        }),
      ],
      scenario: 's',
    });
    expect(jsonOf(await send(mock, 'GET /v2/tools/2'))).toMatchObject({ name: 'No. 2' });
    expect(jsonOf(await send(mock, 'GET /v2/tools/2'))).toMatchObject({ weight: 2 });
  });

  test('shows escaped braces as they are', async () => {
    expect(await bodyFor({ any: { 'a\\{{': '\\{$now}' } }, 'GET /hello/x')).toEqual({
      any: { 'a{{': '{$now}' },
    });
  });
});

describe('a placeholder that cannot be read is an error of the scenario with its place', () => {
  test.each([
    [{ status: 200, body: { a: [{ b: '{$request.nothing}' }] } }, '/body/a/0/b'],
    [{ status: 200, body: {}, headers: { 'X-A': '{{ nothing }}' } }, '/headers/X-A'],
    [{ patch: { a: '{$now' } }, '/patch/a'],
    [{ status: 200, body: { '{$now}': 1 } }, '/body/{$now}'],
    [
      { status: 200, body: '', headers: { 'Content-Type': '{$request.query.q}' } },
      '/headers/Content-Type',
    ],
  ])('%j', (answer, place) => {
    expect(complaint(withAnswer(answer))).toContain(`/rules/0/answers/0${place}: `);
  });

  test.each([
    ['{$request.path.nme}', 'readHello has no path parameter nme. (Did you mean name?)'],
    ['{$request.query.tmies}', 'readHello has no query tmies. (Did you mean times?)'],
    ['{$request.header.X-Trase}', 'readHello has no header X-Trase. (Did you mean X-Trace?)'],
    ['{$request.body#/a}', 'readHello takes no body.'],
  ])('if no request can have the value: %s', (text, message) => {
    const rules = [{ operation: 'readHello', answers: [{ status: 200, body: { any: text } }] }];
    expect(objections({ description: 'd', rules }, contract)).toBe(
      `/rules/0/answers/0/body/any ${text} cannot be read: ${message}`,
    );
  });

  test.each([
    [{ count: '{$request.query.times}', state: '{$request.query.state}' }, ''],
    [{ greeting: '{$request.path.name}' }, ''],
    [{ count: 'about {$request.query.times}' }, '/rules/0/answers/0/body/count'],
    [{ count: 'many', greeting: 'Hello {$now}' }, '/rules/0/answers/0/body/count'],
  ])('but a value that only a request tells is no error: %j', (body, place) => {
    const rules = [{ operation: 'readHello', answers: [{ status: 200, body }] }];
    expect(objections({ description: 'd', rules }, contract).split(' ')[0]).toBe(place);
  });
});
