import { expect, test } from 'vitest';
import { explainInference, outlineInference } from '../../../src/cli/serve/explain-inference.ts';
import { parseContract } from '../../../src/contract/load.ts';

const round =
  '{ type: object, required: [id], properties: { id: { type: integer }, ' +
  'radius: { type: number } } }';
const square =
  '{ type: object, required: [id], properties: { id: { type: integer }, side: { type: number } } }';

/** The line of the resource whose records have this schema. */
function toldOf(shape: string): string | undefined {
  const answer =
    `responses: { '200': { description: one, content: { application/json: { ` +
    `schema: { $ref: '#/components/schemas/Shape' } } } } }`;
  const paths =
    `{ '/shapes/{id}': { parameters: [{ name: id, in: path, required: true, ` +
    `schema: { type: integer } }], get: { ${answer} }, put: { requestBody: { ` +
    `content: { application/json: { schema: {} } } }, ${answer} }, delete: { ` +
    `responses: { '204': { description: gone } } } } }`;
  const contract = parseContract(
    `{ openapi: 3.1.0, info: { title: Shapes, version: '1' }, paths: ` +
      `${paths}, components: { schemas: { Shape: ${shape} } } }`,
    'shapes.yaml',
  );
  return explainInference(contract, [], 'reference.md')
    .split('\n')
    .find((line) => line.startsWith('Resource'));
}

test.each([
  ['one form', round, 'Resource shapes: records with id, radius'],
  [
    'two forms',
    `{ oneOf: [${round}, ${square}] }`,
    'Resource shapes: records of 2 forms with id, radius, side',
  ],
])('records of %s', (_name, shape, line) => {
  expect(toldOf(shape)).toBe(line);
});

test('each operation has a line below its resource, with what its list takes', () => {
  const records =
    'content: { application/json: { schema: { type: array, items: { $ref: ' +
    "'#/components/schemas/Shape' } } } }";
  const contract = parseContract(
    `{ openapi: 3.1.0, info: { title: Shapes, version: '1' }, paths: {
      '/shapes': { get: { operationId: findShapes, parameters: [
        { name: radius, in: query, schema: { type: number } },
        { name: q, in: query, description: Searches the names., schema: { type: string } },
        { name: page, in: query, schema: { type: integer, minimum: 1 } } ],
        responses: { '200': { description: all, ${records} } } } },
      '/area': { get: { responses: { '200': { description: a number } } } } },
      components: { schemas: { Shape: ${round} } } }`,
    'shapes.yaml',
  );
  expect(outlineInference(contract, 'reference.md').split('\n').slice(2, 7)).toEqual([
    'shapes, by id',
    '  list  GET  /shapes  findShapes  radius, q (search), page',
    '',
    'Stateless, answered from the contract',
    '        GET  /area                reads',
  ]);
  expect(outlineInference(contract, 'reference.md', 40).split('\n').slice(2, 5)).toEqual([
    'shapes, by id',
    '  list  GET  /shapes  findShapes',
    '             radius, q (search), page',
  ]);
});
