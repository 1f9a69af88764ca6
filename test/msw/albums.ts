import type { JsonObject } from '../../src/json/value.ts';

const id = { name: 'albumId', in: 'path', required: true, schema: { type: 'integer' } };
const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const album = { $ref: '#/components/schemas/Album' };
const cover = { description: 'Stored.', content: json({ type: 'object', properties: {} }) };

/** A contract with uploads, events, a callback and a key in a cookie, at two origins. */
export const albums: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Albums', version: '1' },
  servers: [{ url: 'https://albums.example/v2' }],
  paths: {
    '/albums': {
      get: {
        operationId: 'listAlbums',
        responses: { 200: { description: '', content: json({ type: 'array', items: album }) } },
      },
      post: {
        operationId: 'createAlbum',
        requestBody: { content: json(album) },
        responses: { 201: { description: '', content: json(album) } },
        callbacks: {
          stored: {
            '{$request.query.notify}': { post: { responses: { 200: { description: '' } } } },
          },
        },
      },
    },
    '/albums/{albumId}': {
      parameters: [id],
      get: {
        operationId: 'getAlbum',
        responses: {
          200: { description: '', content: json(album) },
          404: { description: '', content: json({ type: 'object' }) },
        },
      },
      delete: { operationId: 'deleteAlbum', responses: { 204: { description: '' } } },
    },
    '/covers': {
      post: {
        operationId: 'addCover',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['title', 'image'],
                properties: {
                  title: { type: 'string', minLength: 2 },
                  image: { type: 'string', format: 'binary' },
                },
              },
            },
            'image/png': { schema: { type: 'string', format: 'binary' } },
          },
        },
        responses: { 200: cover },
      },
    },
    '/events': {
      get: {
        operationId: 'listen',
        responses: {
          200: {
            description: '',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
    '/account': {
      get: {
        operationId: 'getAccount',
        security: [{ cookie: [] }],
        responses: { 200: cover, 401: { description: '' } },
      },
    },
  },
  components: {
    schemas: {
      Album: {
        type: 'object',
        required: ['title'],
        properties: {
          id: { type: 'integer', format: 'int64', readOnly: true },
          title: { type: 'string' },
        },
      },
    },
    securitySchemes: { cookie: { type: 'apiKey', in: 'cookie', name: 'account' } },
  },
};

/** Records as they are written in a file; one identifier has more digits than a double. */
export const albumRecords = {
  albums: [
    { id: 1, title: 'Blue' },
    { id: 9_007_199_254_740_993n, title: 'Hejira' },
  ],
};

export const albumScenarios = {
  slow: {
    description: 'For a test.',
    rules: [{ operation: 'listAlbums', answers: [{ pass: true, delay: '20s' }] }],
  },
  lost: {
    description: 'For a test.',
    rules: [{ operation: 'listAlbums', answers: [{ fault: 'reset' }] }],
  },
  damaged: {
    description: 'For a test.',
    rules: [{ operation: 'listAlbums', answers: [{ pass: true, fault: 'truncated' }] }],
  },
  events: {
    description: 'For a test.',
    rules: [
      {
        operation: 'listen',
        answers: [
          {
            status: 200,
            headers: { 'Content-Type': 'text/event-stream' },
            body: 'event: added\ndata: 3\n\nevent: removed\ndata: 3\n\n',
            fault: { kind: 'dribble', bytes: 22, every: '5ms' },
          },
        ],
      },
    ],
  },
};
