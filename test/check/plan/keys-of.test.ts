import { expect, test } from 'vitest';
import { keysOf } from '../../../src/check/plan/story.ts';
import { contractOf } from '../fixture/odd-contract.ts';

/** Trams of a network, each of which stands in a shed. */
function shedKeys(member: string): readonly string[] {
  const { resources } = contractOf(`
paths:
  /sheds:
    get: { operationId: listSheds, responses: { '200': { description: all, content: {
      application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shed' } } } } } } }
    post: { operationId: createShed, requestBody: { content: { application/json: { schema: {
      $ref: '#/components/schemas/Shed' } } } }, responses: { '201': { description: made, content: {
      application/json: { schema: { $ref: '#/components/schemas/Shed' } } } } } }
  /sheds/{shedId}:
    parameters: [{ name: shedId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getShed, responses: { '200': { description: one, content: {
      application/json: { schema: { $ref: '#/components/schemas/Shed' } } } } } }
  /trams:
    get: { operationId: listTrams, responses: { '200': { description: all, content: {
      application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Tram' } } } } } } }
    post: { operationId: createTram, requestBody: { content: { application/json: { schema: {
      $ref: '#/components/schemas/Tram' } } } }, responses: { '201': { description: made, content: {
      application/json: { schema: { $ref: '#/components/schemas/Tram' } } } } } }
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
