import { expect, test } from 'vitest';
import { lintContract } from '../../src/lint/lint-contract.ts';

const almost = `${'a'.repeat(40)}!`;

/** A document with one schema that a POST takes. */
function documentWith(schema: object, media: object = {}): string {
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/Thing' }, ...media },
  };
  const operation = {
    operationId: 'make',
    requestBody: { content },
    responses: { 200: { description: 'Fine' }, 400: { description: 'Bad' } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/things': { post: operation } },
    components: { schemas: { Thing: schema } },
  });
}

test.each<[string, object, object, string]>([
  [
    'an example of a schema',
    { type: 'string', pattern: '^(a+)+$', examples: [almost] },
    {},
    '/components/schemas/Thing/examples/0',
  ],
  [
    'an example of a body',
    { type: 'string', pattern: '^(a+)+$' },
    { example: almost },
    '/paths/~1things/post/requestBody/content/application~1json/example',
  ],
  [
    'a default',
    { type: 'string', pattern: '^(a|a|a)*$', default: almost },
    {},
    '/components/schemas/Thing/default',
  ],
  [
    'a name in an example',
    {
      type: 'object',
      patternProperties: { '^(a+)+$': { type: 'integer' } },
      additionalProperties: false,
      example: { [almost]: 1 },
    },
    {},
    '',
  ],
  [
    'a value below a name',
    {
      type: 'object',
      patternProperties: { '^(a+)+$': { type: 'integer' } },
      example: { aaaa: 'no' },
    },
    {},
    '/components/schemas/Thing/example/aaaa',
  ],
  [
    'a polynomial pattern',
    { type: 'string', pattern: 'a*a*a*a*a*a*b', examples: ['a'.repeat(2_000)] },
    {},
    '/components/schemas/Thing/examples/0',
  ],
])(
  '%s is validated by a pattern that could backtrack without end',
  async (_name, schema, media, place) => {
    const { problems } = await lintContract({
      file: 'things.json',
      text: documentWith(schema, media),
    });
    const pointers = problems
      .filter(({ rule }) => /example|default/.test(rule))
      .map((problem) => ('pointer' in problem ? problem.pointer : undefined));
    if (place !== '') expect(pointers).toContain(place);
  },
);

test('patterns of very many parts or groups are linted', async () => {
  for (const pattern of [
    `^${'[a-z]*'.repeat(58)}$`,
    `${'('.repeat(20_000)}a${')'.repeat(20_000)}`,
  ]) {
    await lintContract({ file: 'things.json', text: documentWith({ type: 'string', pattern }) });
  }
});
