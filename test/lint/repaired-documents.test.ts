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
