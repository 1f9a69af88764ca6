import { expect, test } from 'vitest';
import { alarmsOf, contractOf } from '../fixture/odd-contract.ts';

const lease = "application/json: { schema: { $ref: '#/components/schemas/Lease' } }";
const contract = contractOf(`
paths:
  /leases:
    post: { operationId: addLease, requestBody: { required: true, content: { ${lease} } },
      responses: { '201': { description: made, content: { ${lease} } },
        '400': { description: bad } } }
  /leases/{leaseId}:
    parameters: [{ name: leaseId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getLease, responses: { '200': { description: one, content: {
        ${lease} } }, '404': { description: none } } }
    put: { operationId: putLease, requestBody: { required: true, content: { ${lease} } },
      responses: { '200': { description: put, content: { ${lease} } },
        '400': { description: bad }, '404': { description: none } } }
components: { schemas: { Lease: { type: object, required: [id, from, to, ownerId], properties: {
    id: { type: integer, readOnly: true }, ownerId: { type: string },
    from: { type: string, format: date }, to: { type: string, format: date } } } } }`);

test('a record without free texts is changed in its dates, and not in its references', async () => {
  const owners: unknown[] = [];
  const { alarms } = await alarmsOf(contract, (respond) => {
    const shown = new Map<string, Awaited<ReturnType<typeof respond>>>();
    return async (request) => {
      const reply = await respond(request);
      const before = shown.get(request.target);
      if (request.method === 'GET') shown.set(request.target, reply);
      if (request.method !== 'PUT' || reply.response?.status !== 200) return reply;
      owners.push(/"ownerId":"([^"]*)"/.exec(new TextDecoder().decode(request.body))?.[1]);
      return before ?? reply;
    };
  });
  expect(alarms.join()).toMatch(/replaced-is-persisted.*returned another from than it stored/);
  expect(owners.length).toBeGreaterThan(2);
  expect(owners.filter((owner) => String(owner).endsWith('again'))).toEqual([]);
});
