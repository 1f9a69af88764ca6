import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../../src/http/message.ts';
import type { Respond } from '../../../src/prove/deviation.ts';
import { alarmsOf, contractOf } from '../fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const list = (name: string): string => json(`{ type: array, items: { $ref: '#/components/schemas/${name}' } }`);

const contract = contractOf(`
paths:
  /owners:
    get: { operationId: listOwners, responses: { '200': { description: ok, ${list('Owner')} } } }
  /owners/{ownerId}:
    parameters: [{ name: ownerId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getOwner, responses: { '200': { description: ok, ${json("{ $ref: '#/components/schemas/Owner' }")} }, '404': { description: none } } }
  /owners/{ownerId}/notes:
    parameters: [{ name: ownerId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: listNotes, responses: { '200': { description: ok, ${list('Note')} }, '404': { description: none } } }
components:
  schemas:
    Owner: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
    Note: { type: object, required: [id], properties: { id: { type: integer }, text: { type: string } } }`);

/** Whatever notes are asked for, the service answers with these. */
function always(body: string): (respond: Respond) => Respond {
  return (respond) => async (request) => {
    const reply = await respond(request);
    const response: HttpResponse = { status: 200, headers: [['Content-Type', 'application/json']], body: new TextEncoder().encode(body) };
    return reply.response?.status === 404 && /^\/v2\/owners\/\d+\/notes$/.test(request.target) ? { response } : reply;
  };
}

describe('what stands below a record that there is not', () => {
  test('is asked for, and is not found', async () => {
    let asked = 0;
    const { alarms } = await alarmsOf(contract, (respond) => async (request) => {
      const reply = await respond(request);
      asked += reply.response?.status === 404 && /^\/v2\/owners\/\d+\/notes$/.test(request.target) ? 1 : 0;
      return reply;
    });
    expect([alarms, asked > 0]).toEqual([[], true]);
  });

  test.each([['records', '[{"id":1}]'], ['nothing', '[]']])('is no list of %s', async (_what, body) => {
    const { alarms } = await alarmsOf(contract, always(body));
    expect(alarms).toEqual([expect.stringMatching(/^missing-refused: The server answered 200 to a request in which ownerId is \d+; no record has that identifier\.$/)]);
  });
});
