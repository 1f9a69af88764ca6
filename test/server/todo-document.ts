import type { JsonObject } from '../../src/json/value.ts';

/**
 * A contract with records below records below records: lists, their items, and the notes of these.
 * Items say of which list they are.
 */
export function todoDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'To do', version: '1' },
    paths: {
      ...resourceAt('/lists', 'listId', { name: { type: 'string', minLength: 1 } }),
      ...resourceAt('/lists/{listId}/items', 'itemId', {
        text: { type: 'string', minLength: 1 },
        listId: { type: 'integer' },
      }),
      ...resourceAt('/lists/{listId}/items/{itemId}/notes', 'noteId', { body: { type: 'string' } }),
    },
  };
}

function resourceAt(path: string, parameter: string, properties: JsonObject): JsonObject {
  const [required = ''] = Object.keys(properties);
  const record = {
    type: 'object',
    required: ['id', required],
    properties: { id: { type: 'integer', format: 'int64', readOnly: true }, ...properties },
  };
  const json = (schema: JsonObject): JsonObject => ({
    description: 'It is so',
    content: { 'application/json': { schema } },
  });
  const parameters = (template: string): JsonObject[] =>
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'integer' },
    }));
  const item = `${path}/{${parameter}}`;
  const none = { 404: { description: 'There is none' } };
  return {
    [path]: {
      parameters: parameters(path),
      get: { responses: { 200: json({ type: 'array', items: record }), ...none } },
      post: {
        requestBody: { required: true, ...json(record) },
        responses: { 201: json(record), ...none },
      },
    },
    [item]: {
      parameters: parameters(item),
      get: { responses: { 200: json(record), ...none } },
      delete: { responses: { 204: { description: 'It is gone' }, ...none } },
    },
  };
}
