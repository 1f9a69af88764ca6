import { describe, expect, test } from 'vitest';
import { planCheck } from '../../../src/check/engine/check-target.ts';
import type { GivenValues } from '../../../src/check/plan/given-values.ts';
import { contractOf } from '../fixture/odd-contract.ts';

const zone = '{ $ref: "#/components/schemas/Zone" }';
const contract = contractOf(`
paths:
  /zones:
    post: { operationId: addZone, parameters: [{ name: X-Site, in: header, required: true, schema: {
        type: string } }], requestBody: { required: true, content: { application/json: { schema:
        ${zone} } } }, responses: { '201': { description: made, content: { application/json: {
        schema: ${zone} } } }, '422': { description: refused } } }
components: { schemas: { Zone: { type: object, required: [title, kind, owner], properties: {
    title: { type: string }, kind: { type: string }, owner: { type: object, required: [team],
    properties: { team: { type: string } } } } } } }`);

function plainRequest(values: GivenValues): string {
  const { requests } = planCheck({
    contract,
    url: 'http://127.0.0.1:9',
    mode: 'read-write',
    values,
  });
  const plain = requests.find(({ title }) => title === 'a plain request');
  return JSON.stringify(plain);
}

describe('values that the user gives', () => {
  test('are in the plain request: by name, by pointer, and in a header', () => {
    const text = plainRequest({
      'POST /zones': { kind: 'Native', '/owner/team': 'core', 'X-Site': 'north-7' },
    });
    for (const value of ['Native', 'core', 'north-7']) expect(text).toContain(value);
  });

  test('are given by the id of the operation, or by the pointer of a schema', () => {
    expect(plainRequest({ addZone: { kind: 'Native' } })).toContain('Native');
    expect(plainRequest({ '#/components/schemas/Zone/properties/kind': 'Slave' })).toContain(
      'Slave',
    );
  });

  test.each([
    [{ 'POST /zone': { kind: 'x' } }, 'There is no operation POST /zone.'],
    [{ addZone: { knd: 'x' } }, 'addZone has no parameter and no member of its body called knd.'],
  ])('are refused where they name nothing of the contract: %j', (values, message) => {
    expect(() => plainRequest(values)).toThrow(message);
  });
});
