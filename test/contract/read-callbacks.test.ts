import { describe, expect, test } from 'vitest';
import { jsonContent, makeContract } from './make-contract.ts';

const event = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const accepted = { 204: { description: 'taken' } };

const contract = makeContract({
  paths: {
    '/subscriptions': {
      post: {
        operationId: 'subscribe',
        responses: { 201: { description: 'made' } },
        callbacks: {
          happened: {
            '{$request.body#/url}': {
              post: {
                summary: 'It happened.',
                requestBody: jsonContent(event),
                responses: accepted,
              },
              put: { responses: accepted },
            },
            'x-note': 'not a URL',
          },
          ended: { $ref: '#/components/callbacks/ended' },
        },
      },
      get: { operationId: 'list', responses: { 200: { description: 'all' } } },
    },
  },
  webhooks: {
    created: { post: { requestBody: jsonContent(event), responses: accepted } },
    removed: { $ref: '#/components/pathItems/removed' },
  },
  components: {
    callbacks: {
      ended: {
        'http://localhost/{$response.body#/id}': { $ref: '#/components/pathItems/removed' },
      },
    },
    pathItems: {
      removed: {
        parameters: [{ name: 'X-Sign', in: 'header', required: true, schema: { type: 'string' } }],
        post: { responses: accepted },
      },
    },
  },
});

const [subscribe, list] = ['subscribe', 'list'].map((id) =>
  contract.operations.find((operation) => operation.id === id),
);

describe('the requests that a service makes', () => {
  test('are the callbacks of an operation, one for each name, URL and method', () => {
    expect(
      subscribe?.callbacks.map(
        ({ name, method, url, pointer }) => `${name} ${method} ${url} ${pointer}`,
      ),
    ).toEqual([
      'happened PUT {$request.body#/url} ' +
        '/paths/~1subscriptions/post/callbacks/happened/{$request.body#~1url}/put',
      'happened POST {$request.body#/url} ' +
        '/paths/~1subscriptions/post/callbacks/happened/{$request.body#~1url}/post',
      'ended POST http://localhost/{$response.body#/id} /components/pathItems/removed/post',
    ]);
    expect(list?.callbacks).toEqual([]);
  });

  test('have the body, the responses and the parameters of the contract', () => {
    const posted = subscribe?.callbacks.find(
      ({ method, name }) => method === 'POST' && name === 'happened',
    );
    expect(posted?.summary).toBe('It happened.');
    expect(posted?.responses.map(({ status }) => status)).toEqual(['204']);
    expect(posted?.requestBody?.content[0]?.schema?.validate({ id: 'no' }, 'request')).toHaveLength(
      1,
    );
    expect(
      subscribe?.callbacks.find(({ name }) => name === 'ended')?.parameters.map(({ name }) => name),
    ).toEqual(['X-Sign']);
  });

  test('are the webhooks of a document', () => {
    expect(
      contract.webhooks.map(({ name, method, pointer }) => `${name} ${method} ${pointer}`),
    ).toEqual([
      'created POST /webhooks/created/post',
      'removed POST /components/pathItems/removed/post',
    ]);
  });

  test('are those of a 3.0 document that has them as an extension', () => {
    const older = makeContract({
      openapi: '3.0.3',
      'x-webhooks': { created: { post: { responses: accepted } } },
    });
    expect(older.webhooks.map(({ name }) => name)).toEqual(['created']);
  });

  test('are read once, on first access', () => {
    expect(subscribe?.callbacks).toBe(subscribe?.callbacks);
    expect(contract.webhooks).toBe(contract.webhooks);
    const broken = makeContract({
      paths: {
        '/a': {
          get: {
            responses: { 200: { description: 'ok' } },
            callbacks: { lost: { $ref: '#/components/callbacks/nowhere' } },
          },
        },
      },
    });
    expect(broken.operations).toHaveLength(1);
    expect(broken.operations[0]?.callbacks).toEqual([]);
    expect(broken.faults[0]?.message).toContain('does not resolve');
  });
});
