import { expect, test } from 'vitest';
import { keysOf } from '../../../src/check/plan/story.ts';
import { contractOf } from '../fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const one = (name: string): string => json(`{ $ref: '#/components/schemas/${name}' }`);

/** A list, and a create, of the records of a schema. */
const collection = (name: string): string => `
    get: { responses: { '200': { description: all,
      ${json(`{ type: array, items: { $ref: '#/components/schemas/${name}' } }`)} } } }
    post: { requestBody: { ${one(name)} }, responses: { '201': { description: made,
      ${one(name)} } } }`;

/** Trams of a network, each of which stands in a shed. */
function shedKeys(member: string): readonly string[] {
  const { resources } = contractOf(`
paths:
  /sheds:${collection('Shed')}
  /sheds/{shedId}:
    parameters: [{ name: shedId, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: one, ${one('Shed')} } } }
  /trams:${collection('Tram')}
components:
  schemas:
    Shed: { type: object, properties: { id: { type: string }, city: { type: string } } }
    Tram: { type: object, properties: { id: { type: string }, ${member} } }`);
  const trams = resources.find(({ name }) => name === 'trams');
  const schema = trams?.operations.create?.requestBody?.content[0]?.schema;
  if (trams === undefined || schema === undefined) throw new Error('the contract has no trams');
  return keysOf(trams, { body: { schema, value: {} } as never }).map(({ field }) => field);
}

test.each([
  ['an identifier', 'shedId: { type: string }', ['shedId']],
  ['nothing, where it is an address', "shedId: { type: string, pattern: '^sheds/[^/]+$' }", []],
])('a reference of a body names a record by %s', (_what, member, expected) => {
  expect(shedKeys(member)).toEqual(expected);
});
