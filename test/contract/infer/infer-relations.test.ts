import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const list = (properties: JsonObject): JsonObject => ({
  get: {
    responses: {
      200: {
        description: 'ok',
        ...jsonContent({ type: 'array', items: { type: 'object', properties } }),
      },
    },
  },
});
const key = (name: string): JsonObject => ({
  parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
});
const text = { type: 'string' };

test.each(['siteCode', 'site_code', 'SiteCode'])(
  'the field %s names a site where a code identifies sites',
  (field) => {
    const name = field.startsWith('S') ? 'Code' : 'code';
    const contract = makeContract({
      paths: {
        '/sites': list({ [name]: text }),
        [`/sites/{${name}}`]: { ...key(name), ...list({ [name]: text }) },
        '/visits': list({ id: text, [field]: text }),
        '/visits/{id}': { ...key('id'), ...list({ id: text, [field]: text }) },
      },
    });
    const visits = contract.resources.find((resource) => resource.name === 'visits');
    expect(visits?.foreignKeys.map((one) => [one.field, one.resource.name])).toEqual([
      [field, 'sites'],
    ]);
  },
);

test.each<[string, string[]]>([
  ['fromStopId', ['stops']],
  ['via_stop_id', ['stops']],
  ['externalStopId', []],
  ['stopgapId', []],
])('the field %s refers to %j', (field, expected) => {
  const contract = makeContract({
    paths: {
      '/stops': list({ id: text }),
      '/stops/{id}': { ...key('id'), ...list({ id: text }) },
      '/trips': list({ id: text, [field]: text }),
      '/trips/{id}': { ...key('id'), ...list({ id: text, [field]: text }) },
    },
  });
  const trips = contract.resources.find((resource) => resource.name === 'trips');
  expect(trips?.foreignKeys.map((one) => one.resource.name)).toEqual(expected);
});

test('two paths whose parameters may name each other are read', () => {
  const below = (word: string): JsonObject => ({
    [`/${word}s/{owner}/{${word}}`]: list({ id: text }),
    [`/${word}s/{owner}/{${word}}/{version}`]: list({ id: text }),
    [`/${word}s/{owner}/{${word}}/{version}/notes`]: list({ id: text }),
  });
  const { resources } = makeContract({ paths: { ...below('api'), ...below('domain') } });
  expect(resources.map(({ parents }) => parents.length)).toEqual([2, 3, 2, 3]);
});

test('a parameter names the records of the path that has it, wherever that stands', () => {
  const { resources } = makeContract({
    paths: {
      '/projects': list({ key: text }),
      '/projects/{projectKey}': { ...key('projectKey'), ...list({ key: text }) },
      '/flags/{projectKey}': { ...key('projectKey'), ...list({ key: text }) },
      '/flags/{projectKey}/{flagKey}': {
        parameters: ['projectKey', 'flagKey'].map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: text,
        })),
        ...list({ key: text }),
      },
    },
  });
  const flags = resources.find(({ name }) => name === 'flags');
  expect(flags?.parents.map(({ resource }) => resource?.name)).toEqual(['projects']);
});
