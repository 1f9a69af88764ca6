import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { headerValue } from '../../../src/http/message.ts';
import { mockOf, send, textOf } from '../workshop.ts';

interface Shown {
  readonly id?: string;
  readonly tag?: string;
  readonly success?: string;
  readonly servers?: string;
  /** More responses of the operation that makes a record. */
  readonly responses?: string;
  readonly schemas?: string;
}

/** A document with what a framework leaves in it. */
function documentOf(shown: Shown): string {
  const { id = 'add', tag = 'books', success = 'Fine', servers = '[{ url: / }]' } = shown;
  const { responses = '', schemas = '' } = shown;
  const book = '{ type: object, properties: { id: { type: integer }, copies: { type: integer } } }';
  return `
openapi: 3.1.0
info: { title: Library, version: '1' }
servers: ${servers}
paths:
  /books:
    post:
      operationId: ${id}
      tags: [${tag}]
      requestBody: { required: true, content: { application/json: { schema: { type: object,
        required: [copies], properties: { copies: { type: integer, minimum: 1 } } } } } }
      responses: { '201': { description: ${success}, content: { application/json: {
        schema: ${book} } } }${responses} }
  /books/{id}:
    get:
      operationId: ${id}_one
      tags: [${tag}]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: ${success}, content: { application/json: {
        schema: ${book} } } } }
components: { schemas: { Unused: {}${schemas} } }
`;
}

async function refusals(shown: Shown): Promise<Record<'invalid' | 'missing', unknown>> {
  const mock = await mockOf({ contract: parseContract(documentOf(shown), 'books.yaml') });
  const invalid = await send(mock, 'POST /books', { body: { copies: 0 } });
  const missing = await send(mock, 'GET /books/999');
  for (const answer of [invalid, missing])
    expect(headerValue(answer.headers, 'Content-Type')).toBe('application/json');
  return { invalid: JSON.parse(textOf(invalid)), missing: JSON.parse(textOf(missing)) };
}

const tooFew = '`copies` in the body must be 1 or more, but is `0`.';
const none = 'No record of books has the id `999`.';
const validation =
  ', HTTPValidationError: { type: object, properties: { detail: { type: array, items: { type: ' +
  'object, required: [loc, msg, type], properties: { loc: { type: array, items: {} }, msg: { ' +
  'type: string }, type: { type: string }, input: {}, ctx: { type: object } } } } } }';

describe('refusals in the form of the framework that a document shows', () => {
  test.each<[string, Shown, unknown, unknown]>([
    [
      'FastAPI',
      {
        schemas: validation,
        responses:
          ", '422': { description: Invalid, content: { application/json: { schema: { $ref: " +
          "'#/components/schemas/HTTPValidationError' } } } }",
      },
      {
        detail: [
          {
            type: 'greater_than_equal',
            loc: ['body', 'copies'],
            msg: tooFew,
            input: 0,
            ctx: { ge: 1 },
          },
        ],
      },
      { detail: none },
    ],
    [
      'Fastify',
      { success: 'Default Response' },
      { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message: tooFew },
      { statusCode: 404, error: 'Not Found', message: none },
    ],
    [
      'NestJS',
      { id: 'BooksController_add' },
      { message: [tooFew], error: 'Bad Request', statusCode: 400 },
      { message: none, error: 'Not Found', statusCode: 404 },
    ],
    [
      'Django REST framework',
      { id: 'books_partial_update', schemas: ', PatchedBook: {}' },
      { copies: [tooFew] },
      { detail: none },
    ],
    [
      'Litestar',
      {
        responses:
          ", '400': { description: Invalid, content: { application/json: { schema: { type: " +
          'object, required: [detail, status_code], properties: { status_code: { type: integer ' +
          '}, detail: { type: string }, extra: { type: [object, array] } } } } } }',
      },
      {
        status_code: 400,
        detail: tooFew,
        extra: [{ message: tooFew, key: 'copies', source: 'body' }],
      },
      { status_code: 404, detail: none },
    ],
  ])('%s', async (_, shown, invalid, missing) => {
    expect(await refusals(shown)).toEqual({ invalid, missing });
  });

  test.each<[string, Shown]>([
    ['by its server', { servers: '[{ url: /, description: Generated server url }]' }],
    ['by its tags', { tag: 'book-controller' }],
  ])('Spring, %s', async (_, shown) => {
    const { invalid, missing } = await refusals(shown);
    const timestamp: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(invalid).toEqual({ timestamp, status: 400, error: 'Bad Request', path: '/books' });
    expect(missing).toEqual({ timestamp, status: 404, error: 'Not Found', path: '/books/999' });
  });

  test('not where the operation documents another one', async () => {
    const { invalid } = await refusals({
      success: 'Default Response',
      responses:
        ", '400': { description: Invalid, content: { application/json: { schema: { type: " +
        'object, properties: { reason: { type: string } } } } } }',
    });
    expect(invalid).toEqual({ reason: tooFew });
  });
});

test('`error` beside the number of a status is its name', async () => {
  const { invalid } = await refusals({
    responses:
      ", '400': { description: Invalid, content: { application/json: { schema: { type: object, " +
      'properties: { statusCode: { type: integer }, error: { type: string }, message: { type: ' +
      'string } } } } } }',
  });
  expect(invalid).toEqual({ statusCode: 400, error: 'Bad Request', message: tooFew });
});
