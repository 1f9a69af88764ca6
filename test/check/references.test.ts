import { describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../src/http/message.ts';
import type { ServiceReply, Respond } from '../../src/check/mutants/mutant.ts';
import { alarmsOf, contractOf } from './fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const name = 'type: string, minLength: 1, maxLength: 30';

/** Sites by name, visits that name a site, and a search that needs one; an unknown site is 404. */
const sites = contractOf(`
paths:
  /sites:
    get: { operationId: listSites, responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/Site' } }")} } } }
    post: { operationId: addSite, requestBody: { required: true,
        ${json("{ $ref: '#/components/schemas/Site' }")} }, responses: { '201': {
        description: made, ${json("{ $ref: '#/components/schemas/Site' }")} }, '400': {
        description: bad }, '409': { description: The name is taken. } } }
  /sites/{siteName}:
    parameters: [{ name: siteName, in: path, required: true, schema: { ${name} } }]
    get: { operationId: getSite, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Site' }")} }, '404': { description: none } } }
  /free:
    get: { operationId: findFree, parameters: [{ name: siteName, in: query, required: true,
        schema: { ${name} }, example: harbour }], responses: { '200': { description: ok,
        ${json('{ type: object, properties: { free: { type: integer } } }')} }, '400': {
        description: bad }, '404': { description: No such site. } } }
  /visits:
    post: { operationId: addVisit, requestBody: { required: true,
        ${json("{ $ref: '#/components/schemas/Visit' }")} }, responses: { '201': {
        description: made, ${json("{ $ref: '#/components/schemas/Visit' }")} }, '400': {
        description: bad }, '422': { description: No such site. } } }
components: { schemas: {
    Site: { type: object, required: [siteName], properties: { siteName: { ${name} },
        floors: { type: integer } } },
    Visit: { type: object, required: [siteName], properties: { siteName: { ${name},
        example: harbour }, guest: { type: string, maxLength: 12 } } } } }`);

const refused = (status: number): ServiceReply => ({
  response: { status, headers: [], body: new Uint8Array() } satisfies HttpResponse,
});

function memberOf({ body }: HttpRequest, member: string): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>)[member];
  } catch {
    return undefined;
  }
}

/** A service that knows its sites, and refuses every other one as documented. */
function strict(refuses: (request: HttpRequest) => boolean = () => false) {
  return (respond: Respond): Respond =>
    async (request) => {
      const inQuery = /^\/v2\/free\?siteName=([^&]*)$/.exec(request.target)?.[1];
      const isVisit = request.method === 'POST' && request.target === '/v2/visits';
      const inBody = isVisit ? memberOf(request, 'siteName') : undefined;
      const asked = inQuery ?? (typeof inBody === 'string' ? encodeURIComponent(inBody) : '');
      if (asked === '') return respond(request);
      const site = await respond({
        method: 'GET',
        target: `/v2/sites/${asked}`,
        headers: [['accept', 'application/json']],
        body: new Uint8Array(),
      });
      const isKnown = site.response?.status === 200;
      if (!isKnown || refuses(request)) return refused(isVisit ? 422 : 404);
      return respond(request);
    };
}

describe('a service that refuses references to records that it does not have', () => {
  test('has no finding: references use values of records in responses', async () => {
    const { alarms } = await alarmsOf(sites, strict());
    expect(alarms).toEqual([]);
  });

  test('has a finding if it refuses a record that it showed', async () => {
    const { alarms } = await alarmsOf(
      sites,
      strict(({ target }) => target.startsWith('/v2/free')),
    );
    expect(alarms).toEqual([
      expect.stringMatching(/^valid-accepted: The server answered 404 to a plain request/),
    ]);
  });

  test('has a finding if it refuses another field beside a valid reference', async () => {
    const { alarms } = await alarmsOf(
      sites,
      strict((request) => String(memberOf(request, 'guest') ?? '').length === 12),
    );
    expect(alarms).toContainEqual(
      expect.stringMatching(/^valid-accepted: .* guest has 12 characters, the most/),
    );
  });
});

/** Orders that are drafts when they are made, and one action on them. */
const ordersWith = (action: string, description: string): ReturnType<typeof contractOf> =>
  contractOf(`
paths:
  /orders:
    get: { operationId: listOrders, responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/Order' } }")} } } }
    post: { operationId: addOrder, requestBody: { required: true,
        ${json('{ type: object, required: [item], properties: { item: { type: string } } }')} },
        responses: { '201': { description: made,
        ${json("{ $ref: '#/components/schemas/Order' }")} }, '400': { description: bad } } }
  /orders/{orderId}:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getOrder, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Order' }")} }, '404': { description: none } } }
  /orders/{orderId}/${action}:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
    post: { operationId: ${action}Order, description: '${description}', responses: { '200': {
        description: ok, ${json("{ $ref: '#/components/schemas/Order' }")} }, '404': {
        description: none }, '409': { description: The status does not allow it. } } }
components: { schemas: { Order: { type: object, required: [id, item, status], properties: { id: {
    type: integer, readOnly: true }, item: { type: string }, status: { type: string, readOnly: true,
    enum: [draft, paid, shipped] } } } } }`);

/** Every action is refused; new orders are drafts. */
const refusesActions =
  (action: string) =>
  (respond: Respond): Respond =>
  async (request) => {
    if (request.target.endsWith(`/${action}`) && request.method === 'POST') {
      const order = await respond({
        ...request,
        method: 'GET',
        target: request.target.replace(`/${action}`, ''),
        body: new Uint8Array(),
      });
      return order.response?.status === 200 ? refused(409) : order;
    }
    return respond(request);
  };

describe('a service whose records have states', () => {
  test.each([
    [
      'a state that the description excludes',
      'ship',
      'A `paid` order becomes `shipped`; else 409.',
    ],
    ['the state that the description names', 'pay', 'A `draft` becomes `paid`; otherwise 409.'],
  ])('has no error for a 409 in %s: an order may lack something else', async (_, action, text) => {
    const { alarms } = await alarmsOf(ordersWith(action, text), refusesActions(action));
    expect(alarms).toEqual([]);
  });
});
