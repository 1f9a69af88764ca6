import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { headerValue } from '../../src/http/message.ts';
import type { JsonValue } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const book = "content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }";
const tagged = 'headers: { ETag: { schema: { type: string }, example: \'"shown"\' } }';

/** Books, whose contract documents these statuses beside the usual ones. */
function contractOf(unmodified: string, failed: string): Contract {
  return parseContract(
    `
openapi: 3.1.0
info: { title: Books, version: '1' }
paths:
  /books:
    get: { responses: { '200': { description: all, ${tagged}, content: { application/json: {
        schema: { type: array, items: {
        $ref: '#/components/schemas/Book' } } } } }${unmodified} } }
    post: { requestBody: { ${book} }, responses: { '201': { description: made, ${tagged},
        ${book} } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: one, ${tagged}, ${book} }${unmodified}, '404': {
        description: none } } }
    put: { requestBody: { ${book} }, responses: { '200': { description: changed, ${tagged},
        ${book} }, '404': { description: none }${failed} } }
    patch: { requestBody: { ${book} }, responses: { '204': { description: changed, ${tagged} },
        '404': { description: none }${failed} } }
    delete: { responses: { '204': { description: gone }, '404': { description: none }${failed} } }
components: { schemas: { Book: { type: object, properties: { id: { type: integer,
    readOnly: true }, title: { type: string } } } } }`,
    'books.yaml',
  );
}

const whole = contractOf(
  ", '304': { description: as it was }",
  ", '412': { description: changed since }",
);
const title = (text: string): { readonly body: JsonValue } => ({ body: { title: text } });
const fixtures = new Map([
  ['books', [1, 2].map((id) => ({ id: String(id), record: { id, title: `Book ${String(id)}` } }))],
]);
const booksOf = (contract: Contract): Promise<Mock> => mockOf({ contract, fixtures });

async function tagOf(mock: Mock, line: string, more: object = {}): Promise<string> {
  return headerValue((await send(mock, line, more)).headers, 'ETag') ?? 'none';
}

async function statusOf(
  mock: Mock,
  line: string,
  headers: readonly (readonly [string, string])[],
  more: object = {},
): Promise<number> {
  return (await send(mock, line, { ...more, headers })).status;
}

describe('an entity tag', () => {
  test(
    'is that of a state: another after a change, the same when it is changed ' +
      'back, whoever shows it',
    async () => {
      const mock = await booksOf(whole);
      const first = await tagOf(mock, 'GET /books/1');
      expect(first).toMatch(/^"[0-9a-f]{16}"$/);
      expect(await tagOf(mock, 'GET /books/2')).not.toBe(first);
      const second = await tagOf(mock, 'PUT /books/1', title('Another'));
      expect([second === first, await tagOf(mock, 'GET /books/1')]).toEqual([false, second]);
      expect(await tagOf(mock, 'PATCH /books/1', title('Book 1'))).toBe(first);
    },
  );

  test('of a list changes with its records', async () => {
    const mock = await booksOf(whole);
    const before = await tagOf(mock, 'GET /books');
    expect(await tagOf(mock, 'GET /books')).toBe(before);
    await send(mock, 'DELETE /books/2');
    expect(await tagOf(mock, 'GET /books')).not.toBe(before);
  });
});

describe('a response that the client has already', () => {
  test.each(['GET /books/1', 'GET /books', 'HEAD /books/1'])(
    'is not sent again: %s',
    async (line) => {
      const mock = await booksOf(whole);
      const tag = await tagOf(mock, line);
      const answer = await send(mock, line, { headers: [['If-None-Match', `"other", W/${tag}`]] });
      expect([answer.status, answer.body.length, headerValue(answer.headers, 'ETag')]).toEqual([
        304,
        0,
        tag,
      ]);
      expect(await statusOf(mock, line, [['If-None-Match', '"other"']])).toBe(200);
    },
  );

  test('is sent again if the contract documents no 304', async () => {
    const mock = await booksOf(contractOf('', ''));
    expect(
      await statusOf(mock, 'GET /books/1', [['If-None-Match', await tagOf(mock, 'GET /books/1')]]),
    ).toBe(200);
  });
});

describe('a change', () => {
  test.each([
    ['PUT /books/1', title('Mine'), 200],
    ['PATCH /books/1', title('Mine'), 204],
    ['DELETE /books/1', {}, 204],
  ])('%s is made in the state that is named, and in no other', async (line, more, done) => {
    const mock = await booksOf(whole);
    const tag = await tagOf(mock, 'GET /books/1');
    await send(mock, 'PUT /books/1', title('Theirs'));
    expect(await statusOf(mock, line, [['If-Match', tag]], more)).toBe(412);
    expect(jsonOf(await send(mock, 'GET /books/1'))).toMatchObject({ title: 'Theirs' });
    expect(
      await statusOf(mock, line, [['If-Match', await tagOf(mock, 'GET /books/1')]], more),
    ).toBe(done);
  });

  test('returns the current tag of the record', async () => {
    const mock = await booksOf(whole);
    const answer = jsonOf(
      await send(mock, 'DELETE /books/1', { headers: [['If-Match', '"old"']] }),
    );
    expect(answer).toMatchObject({
      status: 412,
      code: 'precondition_failed',
      detail:
        'If-Match names another state than the record is in: its entity tag is ' +
        `now ${await tagOf(mock, 'GET /books/1')}. Read it again, and send the ` +
        'tag that it has.',
    });
  });

  test.each<[string, string, number]>([
    ['If-Match', '*', 200],
    ['If-None-Match', '*', 412],
    ['If-None-Match', '"other"', 200],
  ])('%s: %s', async (name, value, status) => {
    expect(
      await statusOf(await booksOf(whole), 'PUT /books/1', [[name, value]], title('Mine')),
    ).toBe(status);
  });

  test('of a missing record gets 404', async () => {
    expect(
      await statusOf(await booksOf(whole), 'PUT /books/9', [['If-Match', '"old"']], title('Mine')),
    ).toBe(404);
  });

  test('ignores the condition if the contract documents no 412', async () => {
    expect(
      await statusOf(
        await booksOf(contractOf('', '')),
        'PUT /books/1',
        [['If-Match', '"old"']],
        title('Mine'),
      ),
    ).toBe(200);
  });
});
