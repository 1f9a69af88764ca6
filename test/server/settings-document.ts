import type { JsonObject } from '../../src/json/value.ts';

/**
 * A contract with records that no identifier names: settings that are always there, an avatar that
 * can be added and deleted, and a profile for each owner.
 */
export function settingsDocument(): JsonObject {
  const owner = object(['id'], {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
  });
  const settings = object(['theme', 'account'], {
    theme: { enum: ['light', 'dark'] },
    account: { type: 'integer', format: 'int64', example: 7 },
    alerts: {
      type: 'object',
      properties: { email: { type: 'boolean' }, push: { type: 'boolean' } },
    },
  });
  const avatar = object(['alt'], { alt: { type: 'string', minLength: 1, example: 'A face' } });
  const profile = object(['bio'], {
    bio: { type: 'string', example: 'Nothing yet' },
    seen: { type: 'integer', format: 'int64' },
  });
  const ownerId = { name: 'ownerId', in: 'path', required: true, schema: { type: 'integer' } };
  return {
    openapi: '3.1.0',
    info: { title: 'Settings', version: '1' },
    paths: {
      '/owners': {
        get: answers({ 200: { type: 'array', items: owner } }),
        post: { requestBody: json(owner), ...answers({ 201: owner }) },
      },
      '/owners/{ownerId}': { parameters: [ownerId], get: answers({ 200: owner, 404: undefined }) },
      '/owners/{ownerId}/profile': {
        parameters: [ownerId],
        get: answers({ 200: profile, 404: undefined }),
        put: { requestBody: json(profile), ...answers({ 200: profile, 404: undefined }) },
      },
      '/settings': {
        get: answers({ 200: settings }),
        put: { requestBody: json(settings), ...answers({ 200: settings }) },
      },
      '/me/avatar': {
        get: answers({ 200: avatar, 404: undefined }),
        put: { requestBody: json(avatar), ...answers({ 200: avatar, 201: avatar }) },
        delete: answers({ 204: undefined, 404: undefined }),
      },
    },
  };
}

function object(required: readonly string[], properties: JsonObject): JsonObject {
  return { type: 'object', required, properties };
}

function json(schema: JsonObject): JsonObject {
  return { description: 'It is so', content: { 'application/json': { schema } } };
}

function answers(schemas: Readonly<Record<number, JsonObject | undefined>>): JsonObject {
  return {
    responses: Object.fromEntries(
      Object.entries(schemas).map(([status, schema]) => [
        status,
        schema === undefined ? { description: 'It is so' } : json(schema),
      ]),
    ),
  };
}
