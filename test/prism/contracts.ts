import type { JsonObject } from '../../src/json/value.ts';

const book = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    title: { type: 'string' },
    sequels: { type: 'array', items: { $ref: '#/components/schemas/Book' } },
  },
};

const bookBody = { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } };

/**
 * A small library of books: a list with two examples, a create, a read, a search whose pattern can
 * run away, and more that servers stumble over.
 */
export const library: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1.0.0' },
  servers: [{ url: 'https://library.example/v1' }],
  security: [{ bearer: [] }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        ],
        responses: {
          200: {
            description: 'Books',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Book' } },
                examples: { one: { value: [{ id: 1, title: 'Emma' }] }, none: { value: [] } },
              },
            },
          },
          404: {
            description: 'No such library',
            content: { 'application/json': { example: { code: 'not_found' } } },
          },
        },
      },
      post: {
        operationId: 'createBook',
        requestBody: { required: true, content: bookBody },
        responses: {
          201: {
            description: 'Added',
            content: bookBody,
            headers: { 'X-Shelf': { schema: { type: 'string', examples: ['A'] } } },
          },
        },
      },
    },
    '/books/{bookId}': {
      get: {
        operationId: 'readBook',
        deprecated: true,
        parameters: [{ name: 'bookId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'A book', content: bookBody } },
      },
      delete: {
        operationId: 'deleteBook',
        parameters: [{ name: 'bookId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 204: { description: 'Gone' } },
      },
    },
    '/search': {
      get: {
        operationId: 'search',
        security: [],
        parameters: [{ name: 'text', in: 'query', schema: { type: 'string', pattern: '^(a+)+$' } }],
        responses: {
          200: {
            description: 'Found',
            content: {
              'application/xml': { schema: { $ref: '#/components/schemas/Book' } },
              'text/plain': { example: 'Emma' },
            },
          },
        },
      },
    },
    '/misprint': {
      get: {
        operationId: 'readMisprint',
        security: [],
        responses: {
          200: {
            description: 'Not what its schema says',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Book' },
                example: { id: 'one' },
              },
            },
          },
        },
      },
    },
    '/notes': {
      post: {
        operationId: 'notify',
        security: [],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { url: { type: 'string' } } },
            },
          },
        },
        callbacks: {
          noted: {
            '{$request.body#/url}': {
              post: {
                requestBody: { content: { 'application/json': { example: {} } } },
                responses: { 200: { description: 'Taken' } },
              },
            },
          },
        },
        responses: { 202: { description: 'Noted' } },
      },
    },
  },
  components: {
    schemas: { Book: book },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  },
};

/**
 * A target that keeps the pattern of `/search` busy for longer than anybody waits: Prism freezes on
 * it.
 */
export const freezingTarget = `/search?text=${'a'.repeat(64)}!`;
