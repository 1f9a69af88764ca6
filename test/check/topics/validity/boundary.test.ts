import { expect, test } from 'vitest';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

const numbers = Object.fromEntries(
  ['width', 'height', 'depth', 'weight'].map((name) => [
    name,
    { type: 'integer', minimum: 1, maximum: 9 },
  ]),
);
const thing = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { type: 'string', enum: ['thing'] },
    state: { type: 'string', enum: ['open', 'closed'], default: 'open' },
    name: { type: 'string', minLength: 2, maxLength: 9 },
    note: { type: ['string', 'null'] },
    isOwn: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    ...numbers,
  },
};

test('a change gets a word of a list that it has not yet, behind its other edges', () => {
  const shown = jsonContent({
    ...thing,
    properties: { id: { type: 'integer' }, ...thing.properties },
  });
  const contract = makeContract({
    paths: {
      '/things': {
        post: {
          operationId: 'make',
          requestBody: jsonContent(thing),
          responses: { 201: { description: 'made', ...shown } },
        },
      },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'read', responses: { 200: { description: 'one', ...shown } } },
        patch: {
          operationId: 'change',
          requestBody: jsonContent(thing),
          responses: { 200: { description: 'changed', ...shown } },
        },
      },
    },
  });
  const { stages } = planOf(
    resolveSettings({ url: 'http://127.0.0.1:4010', contract, seed: 'edges', mode: 'read-write' }),
  );
  const titles = stages
    .flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases))
    .filter(({ phase, operation }) => phase === 'boundary' && operation.id === 'change')
    .map(({ title }) => title);
  expect(titles.at(-1)).toBe('state is "closed"');
});
