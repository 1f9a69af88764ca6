import { expect, test } from 'vitest';
import { lintContract } from '../../src/lint/lint-contract.ts';

const content = (schema: object, rest: object): object => ({
  'application/json': { schema, ...rest },
});

/** The problems of the examples in a document with one operation. */
async function problemsOf(operation: object, components: object = {}): Promise<string[]> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Boats', version: '1' },
    paths: { '/boats': { post: { responses: { 201: { description: 'Made' } }, ...operation } } },
    components,
  };
  const text = JSON.stringify(document);
  const { problems } = await lintContract({ file: 'boats.json', text });
  return problems
    .filter(({ rule }) => /examples?(?:-valid)?$/.test(rule))
    .map(({ rule, pointer, message }) => `${rule} ${pointer ?? ''}: ${message}`);
}

const boat = {
  type: 'object',
  required: ['id', 'name', 'pin'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    pin: { type: 'string', writeOnly: true },
    price: { type: 'number', multipleOf: 0.01 },
  },
};

test('a request has no readOnly members in its example, a response no writeOnly ones', async () => {
  expect(
    await problemsOf({
      requestBody: { content: content(boat, { example: { name: 'Ada', pin: '1', price: 4.02 } }) },
      responses: {
        200: { description: 'Made', content: content(boat, { example: { id: 1, name: 'Ada' } }) },
      },
    }),
  ).toEqual([]);
});

test('an example of a schema is one of a request or of a response', async () => {
  expect(
    await problemsOf(
      {},
      {
        schemas: {
          Boat: {
            ...boat,
            examples: [
              { id: 1, name: 'Ada' },
              { name: 'Ada', pin: '1' },
            ],
          },
          Wrong: { ...boat, example: { id: 1, name: 5 } },
        },
      },
    ),
  ).toEqual([
    'no-invalid-schema-examples /components/schemas/Wrong/example/name: The example breaks its ' +
      'schema: the value at /name must be a string, but is an integer.',
  ]);
});

test('a discriminator whose property comes by allOf needs no other declaration', async () => {
  const kinds = (names: readonly string[]): object[] =>
    names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const own = (name: string): object => ({
    allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', required: [name] }],
  });
  const schema = { oneOf: kinds(['Sail', 'Motor']), discriminator: { propertyName: 'drive' } };
  const Base = {
    type: 'object',
    required: ['drive'],
    properties: { drive: { type: 'string' } },
  };
  const examples = {
    right: { value: { drive: 'Sail', mast: 2 } },
    wrong: { value: { drive: 'Sail' } },
    shared: { $ref: '#/components/examples/Shared' },
  };
  const found = await problemsOf(
    { requestBody: { content: content(schema, { examples }) } },
    {
      schemas: { Base, Sail: own('mast'), Motor: own('power') },
      examples: { Shared: { value: { power: 90 } } },
    },
  );
  expect(found.map((each) => each.split(':')[0])).toEqual([
    'no-invalid-media-type-examples /paths/~1boats/post/requestBody/content/application~1json/' +
      'examples/wrong/value',
    'no-invalid-media-type-examples /components/examples/Shared/value',
  ]);
});

test('examples of parameters and of headers are judged', async () => {
  const found = await problemsOf({
    parameters: [{ name: 'mast', in: 'query', schema: { type: 'integer' }, example: 'two' }],
    responses: {
      200: {
        description: 'Made',
        headers: { 'X-Mast': { schema: { type: 'integer' }, example: 'two' } },
      },
    },
  });
  expect(found.map((each) => each.split(' ')[0])).toEqual([
    'vouch/example-valid',
    'no-invalid-parameter-examples',
  ]);
});
