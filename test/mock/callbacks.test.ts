import { describe, expect, test } from 'vitest';
import type { Answer, Mock, OutgoingRequest } from '../../src/mock/mock.ts';
import { judgeAnswer, makeWebhook } from '../../src/mock/callbacks/make-callbacks.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { mockOf, send, type Sending } from './workshop.ts';

const ticket = {
  type: 'object',
  required: ['id', 'title', 'state'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string' },
    state: { enum: ['open', 'closed'] },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
    hook: { type: 'string' },
  },
};
const answers = { 200: { description: 'taken' } };
const event = {
  type: 'object',
  required: ['id', 'kind', 'sentAt', 'data'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    kind: { const: 'ticket.opened' },
    sentAt: { type: 'string', format: 'date-time' },
    data: ticket,
  },
};

/** A contract in which opening a ticket has these callbacks. */
function mockWith(callbacks: JsonObject, more: JsonObject = {}): Promise<Mock> {
  const contract = makeContract({
    paths: {
      '/teams/{teamId}/tickets': {
        parameters: [{ name: 'teamId', in: 'path', required: true, schema: { type: 'string' } }],
        post: {
          operationId: 'openTicket',
          parameters: [{ name: 'notify', in: 'query', schema: { type: 'string' } }],
          requestBody: { required: true, ...jsonContent(ticket) },
          responses: { 201: { description: 'opened', ...jsonContent(ticket) } },
          callbacks,
        },
        get: {
          operationId: 'listTickets',
          responses: {
            200: { description: 'all', ...jsonContent({ type: 'array', items: ticket }) },
          },
        },
      },
    },
    ...more,
  });
  return mockOf({ contract });
}

const valid = { title: 'Leak', state: 'open', hook: 'http://127.0.0.1:9/hook' };

const open = (mock: Mock, sending: Sending = {}): Promise<Answer> =>
  send(mock, 'POST /teams/red/tickets', { key: false, body: valid, ...sending });

function only(answer: Answer): OutgoingRequest {
  const [callback, ...others] = answer.callbacks ?? [];
  if (callback?.kind !== 'sendable' || others.length > 0)
    throw new Error(`not one callback: ${JSON.stringify(answer.callbacks)}`);
  return callback;
}

function bodyOf({ body }: OutgoingRequest): JsonValue {
  const reading = parseJson(body);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.value;
}

describe('the callbacks of an operation', () => {
  test('contain the record as in the response, with its identifier', async () => {
    const answer = await open(
      await mockWith({
        opened: {
          '{$request.body#/hook}': {
            post: { requestBody: jsonContent(ticket), responses: answers },
          },
        },
      }),
    );
    const callback = only(answer);
    expect(callback).toMatchObject({
      name: 'opened',
      operation: 'openTicket',
      method: 'POST',
      url: 'http://127.0.0.1:9/hook',
    });
    expect(Object.fromEntries(callback.headers)).toEqual({
      'Content-Type': 'application/json',
      'Vouch-Callback': 'opened',
      'User-Agent': 'vouch',
    });
    expect(bodyOf(callback)).toEqual(
      parseJson(answer.body).ok ? JSON.parse(new TextDecoder().decode(answer.body)) : undefined,
    );
  });

  test('wrap the record in an event with its own identifier and time', async () => {
    const answer = await open(
      await mockWith({
        opened: {
          '$request.body#/hook': { post: { requestBody: jsonContent(event), responses: answers } },
        },
      }),
    );
    const body = bodyOf(only(answer));
    expect(body).toMatchObject({
      kind: 'ticket.opened',
      sentAt: '2030-01-02T03:04:05.000Z',
      data: { title: 'Leak', state: 'open', hook: valid.hook },
    });
    expect(body).toHaveProperty('data.id', JSON.parse(new TextDecoder().decode(answer.body)).id);
    expect(body).not.toHaveProperty('id', JSON.parse(new TextDecoder().decode(answer.body)).id);
  });

  test('have the URL scheme of the request', async () => {
    const mock = await mockWith({
      opened: { 'http://127.0.0.1:9/?from={$url}': { post: { responses: answers } } },
    });
    const request = {
      method: 'POST',
      target: '/teams/red/tickets',
      headers: [
        ['Host', 'localhost'],
        ['Content-Type', 'application/json'],
      ],
      body: new TextEncoder().encode(JSON.stringify(valid)),
    } as const;
    const from = (answer: Answer): string | null =>
      new URL(only(answer).url).searchParams.get('from');
    for (const scheme of ['https', 'http', 'https'] as const)
      expect(from(await mock.answer({ ...request, scheme }))).toBe(
        `${scheme}://localhost/teams/red/tickets`,
      );
    expect(from(await mock.answer(request))).toBe('http://localhost/teams/red/tickets');
  });

  test('name their owners by path parameters and by other names of the record', async () => {
    const flat = {
      type: 'object',
      required: ['teamId', 'title'],
      properties: {
        teamId: { type: 'string' },
        title: { type: 'string' },
        state: { enum: ['queued'] },
      },
    };
    const body = bodyOf(
      only(
        await open(
          await mockWith({
            opened: {
              '$request.body#/hook': {
                post: { requestBody: jsonContent(flat), responses: answers },
              },
            },
          }),
        ),
      ),
    );
    expect(body).toMatchObject({ teamId: 'red', title: 'Leak' });
    // The record is open, but this member is never that.
    expect(body).not.toHaveProperty('state', 'open');
  });

  test('are sent to the URL of the exchange, with the required parameters', async () => {
    const mock = await mockWith({
      opened: {
        ['http://127.0.0.1:9/{$request.path.teamId}/{$response.body#/id}' +
        '?to={$request.query.notify}&at={$statusCode}']: {
          parameters: [
            { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
            { name: 'try', in: 'query', required: true, schema: { type: 'integer', enum: [1] } },
            { name: 'X-Not-Asked', in: 'header', schema: { type: 'string' } },
          ],
          put: { responses: answers },
        },
      },
    });
    const answer = await send(mock, 'POST /teams/red%20one/tickets?notify=a%26b', {
      key: false,
      body: valid,
      headers: [['X-Trace', 'abc']],
    });
    const { id } = JSON.parse(new TextDecoder().decode(answer.body)) as { id: number };
    const callback = only(answer);
    expect(callback).toMatchObject({
      method: 'PUT',
      url: `http://127.0.0.1:9/red%20one/${String(id)}?to=a%26b&at=201&try=1`,
    });
    expect(callback.headers).toContainEqual(['X-Trace', 'abc']);
    expect(callback.headers.map(([name]) => name)).not.toContain('X-Not-Asked');
    expect(callback.body).toHaveLength(0);
  });

  test('know the URL of the request', async () => {
    const mock = await mockWith({
      opened: { 'http://127.0.0.1:9/?from={$url}&by={$method}': { post: { responses: answers } } },
    });
    expect(only(await open(mock, { headers: [['Host', 'localhost:4010']] })).url).toBe(
      'http://127.0.0.1:9/?from=http%3A%2F%2Flocalhost%3A4010%2Fteams%2Fred%2Ftickets&by=POST',
    );
  });

  test('may be a form, or a text', async () => {
    const form = {
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['title', 'tags'],
            properties: {
              title: { type: 'string' },
              tags: { type: 'array', items: { enum: ['a b'] }, minItems: 2, maxItems: 2 },
            },
          },
        },
      },
    };
    const text = { content: { 'text/plain': { schema: { type: 'string', enum: ['opened'] } } } };
    const [first, second] = await Promise.all(
      [form, text].map(async (requestBody) =>
        only(
          await open(
            await mockWith({
              opened: { '$request.body#/hook': { post: { requestBody, responses: answers } } },
            }),
          ),
        ),
      ),
    );
    expect(new TextDecoder().decode(first?.body)).toBe('title=Leak&tags=a%20b&tags=a%20b');
    expect(first?.headers).toContainEqual(['Content-Type', 'application/x-www-form-urlencoded']);
    expect(new TextDecoder().decode(second?.body)).toBe('opened');
  });

  test(
    'may be a form of which the contract says no more than an example, or ' +
      'that holds an object',
    async () => {
      const plain = {
        content: {
          'application/x-www-form-urlencoded': { example: { 'a title': 'Leak & more', count: 2 } },
        },
      };
      const nested = {
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['data'],
              properties: { data: { const: { a: [1] } } },
            },
          },
        },
      };
      const bodies = await Promise.all(
        [plain, nested].map(async (requestBody) =>
          new TextDecoder().decode(
            only(
              await open(
                await mockWith({
                  opened: { '$request.body#/hook': { post: { requestBody, responses: answers } } },
                }),
              ),
            ).body,
          ),
        ),
      );
      expect(bodies).toEqual([
        'a%20title=Leak%20%26%20more&count=2',
        'data=%7B%22a%22%3A%5B1%5D%7D',
      ]);
    },
  );

  test('have the cookies that the contract requires', async () => {
    const parameters = [{ name: 'run', in: 'cookie', required: true, schema: { const: 'a b' } }];
    const callback = only(
      await open(
        await mockWith({
          opened: { '$request.body#/hook': { post: { parameters, responses: answers } } },
        }),
      ),
    );
    expect(callback.headers.filter(([name]) => name === 'Cookie')).toEqual([
      ['Cookie', 'run=a%20b'],
    ]);
  });

  test('are the same for the same request', async () => {
    const make = async (): Promise<JsonValue> =>
      bodyOf(
        only(
          await open(
            await mockWith({
              opened: {
                '$request.body#/hook': {
                  post: {
                    requestBody: jsonContent({
                      type: 'object',
                      required: ['note'],
                      properties: { note: { type: 'string', minLength: 4 } },
                    }),
                    responses: answers,
                  },
                },
              },
            }),
          ),
        ),
      );
    expect(await make()).toEqual(await make());
  });

  test('differ for another seed, of the mock or of the request', async () => {
    const body = jsonContent({
      type: 'object',
      required: ['note'],
      properties: { note: { type: 'string', pattern: '^[a-z]{12}$' } },
    });
    const contract = makeContract({
      paths: {
        '/tickets': {
          post: {
            operationId: 'openTicket',
            responses: { 204: { description: 'opened' } },
            callbacks: {
              opened: {
                'http://127.0.0.1:9/': { post: { requestBody: body, responses: answers } },
              },
            },
          },
        },
      },
    });
    const noteOf = async (seed: string, ...prefer: string[]): Promise<string> =>
      JSON.stringify(
        bodyOf(
          only(
            await send(await mockOf({ contract, seed }), 'POST /tickets', {
              key: false,
              headers: prefer.map((word) => ['Prefer', word] as const),
            }),
          ),
        ),
      );
    expect(await noteOf('a')).not.toBe(await noteOf('b'));
    expect(await noteOf('a', 'seed=mine')).toBe(await noteOf('b', 'seed=mine'));
    expect(await noteOf('a', 'seed=mine')).not.toBe(await noteOf('a', 'seed=other'));
  });

  test.each([
    ['the client names no URL', { body: { title: 'Leak', state: 'open' } }, 201],
    ['the request is refused', { body: { title: 'Leak' } }, 400],
    ['the request is a callback itself', { headers: [['Vouch-Callback', 'opened']] }, 201],
  ] satisfies [string, Sending, number][])('are none where %s', async (_name, sending, status) => {
    const answer = await open(
      await mockWith({ opened: { '$request.body#/hook': { post: { responses: answers } } } }),
      sending,
    );
    expect(answer).toMatchObject({ status });
    expect(answer.callbacks).toBeUndefined();
  });

  test('are absent if the contract declares none', async () => {
    expect((await open(await mockWith({}))).callbacks).toBeUndefined();
  });

  test.each([
    ['a URL that is none', { '$request.body#/title': { post: { responses: answers } } }],
    [
      'a scheme that nobody sends by',
      { 'ftp://127.0.0.1/{$request.body#/title}': { post: { responses: answers } } },
    ],
    [
      'a body that cannot be',
      {
        '$request.body#/hook': {
          post: {
            requestBody: jsonContent({ type: 'string', minLength: 3, maxLength: 2 }),
            responses: answers,
          },
        },
      },
    ],
    [
      'a body that is any kind of text',
      {
        '$request.body#/hook': {
          post: {
            requestBody: {
              required: true,
              content: { 'text/*': { schema: { type: 'string', enum: ['opened'] } } },
            },
            responses: answers,
          },
        },
      },
    ],
    [
      'a body that vouch does not write',
      {
        '$request.body#/hook': {
          post: {
            requestBody: {
              required: true,
              content: { 'application/pdf': { schema: { type: 'string' } } },
            },
            responses: answers,
          },
        },
      },
    ],
  ])('with %s are told of, and the operation succeeds all the same', async (_name, urls) => {
    const answer = await open(await mockWith({ opened: urls }));
    expect(answer.status).toBe(201);
    expect(answer.callbacks).toMatchObject([{ kind: 'unsendable', operation: 'openTicket' }]);
    expect(answer.callbacks?.[0]).toHaveProperty('reason', expect.stringMatching(/URL|body|made/));
  });

  test('are sent even if the reference to their body does not resolve', async () => {
    const requestBody = { $ref: '#/components/requestBodies/lost' };
    const urls = { '$request.body#/hook': { post: { requestBody, responses: answers } } };
    const answer = await open(await mockWith({ opened: urls }));
    expect(answer.status).toBe(201);
    expect(answer.callbacks).toMatchObject([{ kind: 'sendable', operation: 'openTicket' }]);
  });

  test('show only the beginning of an invalid URL', async () => {
    const answer = await open(
      await mockWith({ opened: { '$request.body#/title': { post: { responses: answers } } } }),
      { body: { ...valid, title: 'x'.repeat(300) } },
    );
    expect(answer.callbacks).toMatchObject([
      {
        reason:
          `has a URL that is none: "${'x'.repeat(200)}" (it must begin with ` +
          'http:// or https://)',
      },
    ]);
  });
});

describe('a webhook', () => {
  const contract = makeContract({
    webhooks: {
      opened: {
        post: {
          requestBody: jsonContent(event),
          responses: {
            200: { description: 'taken', ...jsonContent({ type: 'object', required: ['ok'] }) },
            204: { description: 'taken' },
          },
        },
      },
    },
  });
  const [webhook] = contract.webhooks;
  if (webhook === undefined) throw new Error('no webhook');
  const order = {
    url: 'http://127.0.0.1:9/hook?a=1',
    seed: 'test',
    making: {
      now: new Date('2030-01-02T03:04:05Z'),
      makeId: () => '7b0a1c9e-1111-4222-8333-444455556666',
    },
  };

  test('is valid, and has the requested members', () => {
    const made = makeWebhook(webhook, {
      ...order,
      body: { data: { title: 'Mine', id: 9007199254740993n } },
    });
    if (made.kind !== 'sendable') throw new Error(made.reason);
    expect(made).toMatchObject({ method: 'POST', url: order.url, name: 'opened' });
    expect(bodyOf(made)).toMatchObject({
      id: '7b0a1c9e-1111-4222-8333-444455556666',
      kind: 'ticket.opened',
      data: { title: 'Mine', id: 9007199254740993n },
    });
    expect(webhook.requestBody?.content[0]?.schema?.validate(bodyOf(made), 'request')).toEqual([]);
  });

  test('is refused if the requested members violate the contract', () => {
    expect(makeWebhook(webhook, { ...order, body: { data: { state: 'lost' } } }))
      .toMatchInlineSnapshot(`
      {
        "kind": "unsendable",
        "name": "opened",
        "reason": "has a body that breaks the contract: /data/state must be one of open, closed",
      }
    `);
  });

  test.each([
    [200, 'application/json', '{"ok":true}', []],
    [204, '', '', []],
    [200, 'application/json', '{}', ['The body must have the property ok.']],
    [200, 'application/json', 'no', ['The body is not valid JSON']],
    [
      200,
      'text/html',
      '<p>',
      ['The content type text/html is not documented; there are: application/json.'],
    ],
    [500, '', '', ['The status 500 is not documented; there are: 200, 204.']],
  ])('answered with %i %s %s is judged', (status, type, body, broken) => {
    const judged = judgeAnswer(webhook, {
      status,
      headers: type === '' ? [] : [['Content-Type', type]],
      body: new TextEncoder().encode(body),
    });
    expect(judged).toHaveLength(broken.length);
    broken.forEach((sentence, index) => expect(judged[index]).toContain(sentence));
  });

  test.each<[string, JsonObject, string, string]>([
    ['that is no JSON', { 'text/plain': { schema: { type: 'string' } } }, 'text/plain', 'taken'],
    ['that is JSON of no schema', { 'application/json': {} }, 'application/json', '{'],
  ])('answered with a body %s is not judged by a schema', (_name, content, type, body) => {
    const [other] = makeContract({
      webhooks: { opened: { post: { responses: { 200: { description: 'taken', content } } } } },
    }).webhooks;
    if (other === undefined) throw new Error('no webhook');
    expect(
      judgeAnswer(other, {
        status: 200,
        headers: [['Content-Type', type]],
        body: new TextEncoder().encode(body),
      }),
    ).toEqual([]);
  });
});
