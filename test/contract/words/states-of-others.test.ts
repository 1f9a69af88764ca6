import { expect, test } from 'vitest';
import { allowedStates, statesToBeNamed } from '../../../src/contract/words/read-states.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const text = { type: 'string' };
const client = { type: 'object', properties: { id: text, is_active: { type: 'boolean' } } };
const answer = {
  200: { description: 'ok', ...jsonContent(client) },
  409: { description: 'the state does not allow it' },
};

function clients(description: string, key: string): ReturnType<typeof makeContract> {
  const named: JsonObject = { client_id: { ...text, description: key } };
  const made = { type: 'object', properties: { id: text, ...named } };
  return makeContract({
    paths: {
      '/clients': {
        get: {
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: client }) },
          },
        },
      },
      '/clients/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        patch: { description, requestBody: jsonContent(client), responses: answer },
      },
      '/jobs': {
        post: {
          requestBody: jsonContent(made),
          responses: { 201: { description: 'made', ...jsonContent(made) } },
        },
      },
    },
  });
}

test('a member that is named beside a status, and the state of others, restrict no change', () => {
  const { operations, resources } = clients(
    'Archived by `is_active` false, which is refused with 409 while one of its jobs is active.',
    '',
  );
  const patch = operations.find(({ method }) => method === 'PATCH');
  const [resource] = resources;
  if (patch === undefined || resource === undefined) throw new Error('There are no clients.');
  expect(allowedStates(patch, resource)).toBeUndefined();
});

test.each([
  ['an active client (422)', ['true']],
  ['a client (422)', undefined],
])('a member says "%s"', (key, expected) => {
  const { operations, resources } = clients('', key);
  const create = operations.find(({ path }) => path === '/jobs');
  const schema = create?.requestBody?.content[0]?.schema;
  const place = schema?.flatten().properties.get('client_id');
  const [resource] = resources;
  if (create === undefined || place === undefined || resource === undefined)
    throw new Error('There are no jobs.');
  expect(statesToBeNamed(create, place, resource)?.values).toEqual(expected);
});
