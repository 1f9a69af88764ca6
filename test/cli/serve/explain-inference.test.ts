import { expect, test } from 'vitest';
import { explainInference } from '../../../src/cli/serve/explain-inference.ts';
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
