import { expect, test } from 'vitest';
import { lintContract } from '../../src/lint/lint-contract.ts';

/** The rules that a document breaks, with their lines. */
async function errorsOf(text: string): Promise<[string, number][]> {
  const { problems } = await lintContract({ file: 'api.yaml', text });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, place }) => [rule, place.line]);
}

const rest = `
info: { title: T, version: '1', license: { name: MIT, url: 'https://a.example' } }
servers: [{ url: 'https://a.example' }]
security: []
paths:
  /a:
    get:
      operationId: a
      summary: A
      responses: { '200': { description: Fine }, '400': { description: Refused } }
`;

test('a document is linted as its intended version', async () => {
  expect(await errorsOf(`swagger: '3.1.0'${rest}`)).toEqual([['struct', 1]]);
  expect(await errorsOf(`openapi: '3'${rest}`)).toEqual([['struct', 1]]);
});

test('a repair of YAML is an error with its place', async () => {
  const text = `openapi: 3.1.0${rest}  /a:\n    x-note: [\n    ]\n`;
  expect(await errorsOf(text)).toEqual([
    ['vouch/valid-yaml', 11],
    ['vouch/valid-yaml', 13],
  ]);
});

test('a circular reference is an error, and the rest is linted', async () => {
  const circle = "  schemas:\n    A: { $ref: '#/components/schemas/A' }\n";
  const errors = await errorsOf(`openapi: 3.1.0${rest}components:\n${circle}`);
  expect(errors).toEqual([['no-unresolved-refs', 13]]);
});

/** The problems of a schema of the document, without their places. */
async function problemsOf(schema: string): Promise<string[][]> {
  const schemas = `  schemas:\n    Book: ${schema}\n    Owner: { type: object }\n`;
  const used = `  /b:
    get:
      operationId: b
      summary: B
      responses:
        '200':
          description: Fine
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Book' }
              example: { of: 5 }
        '400': { description: Refused }
`;
  const text = `openapi: 3.1.0${rest}${used}components:\n${schemas}`;
  const { problems } = await lintContract({ file: 'api.yaml', text });
  return problems
    .filter(({ rule, severity }) => rule !== 'no-unused-components' && severity !== 'note')
    .map(({ rule, severity, message, hint }) => [severity, rule, message, hint ?? '']);
}

test.each([
  ['int', 'integer'],
  ['str', 'string'],
  ['bool', 'boolean'],
  ['float', 'number'],
  ['dict', 'object'],
  ['map', 'object'],
  ['list', 'array'],
])('the type %s is a warning: it is read as %s', async (written, meant) => {
  const schema = `{ properties: { of: { type: integer }, at: { type: ${written} } } }`;
  const message = `The type "${written}" is not one of OpenAPI; it is read as "${meant}".`;
  expect(await problemsOf(schema)).toEqual([
    ['warning', 'struct', message, `Write type: ${meant}`],
  ]);
});

test('an example is judged by the type that is meant', async () => {
  const [first, second] = await problemsOf('{ type: object, properties: { of: { type: str } } }');
  expect([first, second].map((problem) => problem?.[1])).toEqual([
    'no-invalid-media-type-examples',
    'struct',
  ]);
  expect(first?.[2]).toContain('must be a string');
});

test('a type that means nothing is an error, in words of OpenAPI', async () => {
  const problems = await problemsOf('{ type: object, properties: { of: { type: qux } } }');
  expect(problems.map(([severity, rule]) => [severity, rule])).toEqual([['error', 'struct']]);
});

test('a broken reference names what was probably meant', async () => {
  const schema = "{ properties: { of: { $ref: '#/components/schemas/Ownr' } } }";
  expect(await problemsOf(schema)).toContainEqual([
    'error',
    'no-unresolved-refs',
    'The reference #/components/schemas/Ownr does not resolve; anything is valid in its place.',
    'Did you mean #/components/schemas/Owner?',
  ]);
});

test('a broken reference that is like no name suggests none', async () => {
  const schema = "{ properties: { of: { $ref: '#/components/schemas/Warehouse' } } }";
  const [problem] = await problemsOf(schema);
  expect(problem?.[3]).toBe('Fix the reference, or add its target.');
});
