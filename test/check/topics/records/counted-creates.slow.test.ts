import { describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../../../src/http/message.ts';
import { alarmsOf, contractOf } from '../../fixture/odd-contract.ts';

const lease = "application/json: { schema: { $ref: '#/components/schemas/Lease' } }";
/** Records without a text in which a run could write its mark. */
const contract = contractOf(`
paths:
  /leases:
    get: { operationId: listLeases, responses: { '200': { description: all, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Lease' } } } } } } }
    post: { operationId: addLease, requestBody: { required: true, content: { ${lease} } },
      responses: { '201': { description: made, content: { ${lease} } },
        '400': { description: bad } } }
  /leases/{leaseId}:
    parameters: [{ name: leaseId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getLease, responses: { '200': { description: one, content: {
        ${lease} } }, '404': { description: none } } }
    delete: { operationId: endLease, responses: { '204': { description: gone },
        '404': { description: none } } }
components: { schemas: { Lease: { type: object, required: [id, from, rate], properties: {
    id: { type: integer, readOnly: true }, from: { type: string, format: date },
    rate: { type: number, minimum: 0, maximum: 90 } } } } }`);

type Respond = Parameters<NonNullable<Parameters<typeof alarmsOf>[1]>>[0];
type Records = readonly { readonly id: number }[];

/** A list with other records than the service has. */
function listing(
  respond: Respond,
  edit: (records: Records, request: HttpRequest) => readonly unknown[],
): Respond {
  return async (request) => {
    const reply = await respond(request);
    const { response } = reply;
    if (request.method !== 'GET' || request.target !== '/v2/leases') return reply;
    if (response?.status !== 200) return reply;
    return { ...reply, response: withJson(response, edit(jsonIn(response) as Records, request)) };
  };
}

function jsonIn({ body }: HttpResponse): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

function withJson(response: HttpResponse, value: unknown): HttpResponse {
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...response, headers, body: new TextEncoder().encode(JSON.stringify(value)) };
}

const isCreate = ({ method }: HttpRequest): boolean => method === 'POST';

describe('a service whose records have no text for a mark', () => {
  test('is reported if its list lacks the newest one', async () => {
    const { errors } = await alarmsOf(contract, (respond) =>
      listing(respond, (records) => records.slice(0, -1)),
    );
    expect(errors.join('\n')).toMatch(/created-is-readable: .*the list after it does not have it/);
  });

  test('is reported if a create makes two', async () => {
    const { errors } = await alarmsOf(contract, (respond) => async (request) => {
      if (isCreate(request)) await respond(request);
      return respond(request);
    });
    expect(errors.join('\n')).toMatch(/created-is-readable: One create made two records/);
  });

  test('is reported if a refused create leaves one', async () => {
    let sound: HttpRequest | undefined;
    const { errors } = await alarmsOf(contract, (respond) => async (request) => {
      const reply = await respond(request);
      if (isCreate(request) && reply.response?.status === 201) sound = request;
      else if (isCreate(request) && sound !== undefined) await respond(sound);
      return reply;
    });
    expect(errors.join('\n')).toMatch(/refusal-is-harmless: .*counts one record more/);
    expect(errors.join('\n')).not.toMatch(/created-is-readable/);
  });

  test.each([1, 3, 5])('is sound if its list is %i requests late', async (lag) => {
    const seen = new Map<number, number>();
    let count = 0;
    const { alarms } = await alarmsOf(contract, (respond) =>
      listing(
        async (request) => {
          count += 1;
          const reply = await respond(request);
          if (isCreate(request) && reply.response?.status === 201)
            seen.set((jsonIn(reply.response) as Records[number]).id, count);
          return reply;
        },
        (records) => records.filter(({ id }) => (seen.get(id) ?? -lag) + lag < count),
      ),
    );
    expect(alarms).toEqual([]);
  });

  test('is sound if other clients make records meanwhile', async () => {
    let rate = 0;
    const { alarms } = await alarmsOf(contract, (respond) => async (request) => {
      if (isCreate(request) || request.method === 'GET') {
        rate = (rate + 1) % 90;
        const other = new TextEncoder().encode(JSON.stringify({ from: '2031-01-01', rate }));
        const headers: HttpRequest['headers'] = [['Content-Type', 'application/json']];
        if (rate % 3 === 0)
          await respond({ method: 'POST', target: '/v2/leases', headers, body: other });
      }
      return respond(request);
    });
    expect(alarms).toEqual([]);
  });
});
