import { describe, expect, test } from 'vitest';
import { openEnvelopes } from '../../../src/contract/infer/open-envelopes.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const boat = object({ id: integer, name: text, length: integer }, 'id', 'name');
const listed = object({ rows: { type: 'array', items: boat }, total: integer });
const form = object({ name: text, length: integer }, 'name');

interface Described {
  readonly query?: readonly string[];
  readonly body?: JsonValue;
  readonly answer: JsonValue;
}

/** An operation whose query parameters are required integers. */
function operation({ query = [], body, answer }: Described): JsonObject {
  return {
    parameters: query.map((name) => ({ name, in: 'query', required: true, schema: integer })),
    ...(body === undefined ? {} : { requestBody: { required: true, ...jsonContent(body) } }),
    responses: { '200': { description: 'OK', ...jsonContent(answer) } },
  };
}

/** The ordinary form of each operation, and where its values are sent. */
function formsOf(operations: Readonly<Record<string, Described>>): Record<string, string> {
  const paths: Record<string, Record<string, JsonValue>> = {};
  for (const [name, described] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = operation(described);
  }
  return Object.fromEntries(
    openEnvelopes(makeContract({ paths })).operations.map(({ id, method, path, parameters }) => {
      const carried = parameters.flatMap(({ name, carried: place }) =>
        place === undefined
          ? []
          : ` ${name}@${place.in}${place.at}${place.many === true ? '[]' : ''}`,
      );
      return [id, `${method} ${path}${carried.join('')}`];
    }),
  );
}

const envelope = (data: JsonValue): JsonObject => object({ code: integer, msg: text, data });
const byId = object({ id: integer }, 'id');

describe('calls stand on ordinary paths', () => {
  test('verbs in the last segment, with everything in bodies', () => {
    const asked = object({ pageNo: integer, filter: object({ name: text }) });
    expect(
      formsOf({
        'POST /boat/query': { body: asked, answer: envelope(listed) },
        'POST /boat/save': { body: form, answer: envelope(boat) },
        'POST /boat/detail': { body: byId, answer: envelope(boat) },
        'POST /boat/updateById': { body: boat, answer: envelope({ type: 'boolean' }) },
        'POST /boat/removeByIds': {
          body: object({ ids: { type: 'array', items: integer } }, 'ids'),
          answer: envelope({ type: 'boolean' }),
        },
        'POST /boat/launch': { body: byId, answer: envelope(boat) },
      }),
    ).toEqual({
      'POST /boat/query': 'GET /boat pageNo@body/pageNo name@body/filter/name',
      'POST /boat/save': 'POST /boat',
      'POST /boat/detail': 'GET /boat/{id} id@body/id',
      'POST /boat/updateById': 'PATCH /boat/{id} id@body/id',
      'POST /boat/removeByIds': 'DELETE /boat/{id} id@body/ids[]',
      'POST /boat/launch': 'POST /boat/{id}/launch id@body/id',
    });
  });

  test('verb and noun behind a dot, with a name that the client chooses', () => {
    const named = (name: string): JsonObject => object({ [name]: text }, name);
    const site = object({ siteId: text, tags: { type: 'array', items: boat } }, 'siteId');
    expect(
      formsOf({
        'POST /sites.createSite': { body: named('name'), answer: envelope(named('siteId')) },
        'POST /sites.getSite': {
          body: named('siteId'),
          answer: object({ meta: named('requestId'), data: site }),
        },
        'POST /sites.deleteSite': { body: named('siteId'), answer: envelope(object({})) },
        'POST /sites.listRoles': {
          body: object({ limit: integer }),
          answer: envelope({ type: 'array', items: object({ id: text }) }),
        },
        'POST /roles.createRole': {
          body: object({ role: text, note: text }, 'role', 'note'),
          answer: envelope(named('id')),
        },
        'POST /roles.getRole': { body: named('role'), answer: envelope(object({ id: text })) },
        'POST /roles.setNote': { body: named('role'), answer: envelope(object({})) },
        'POST /roles.createMark': { body: named('name'), answer: envelope(named('id')) },
        'POST /roles.getMark': { body: named('markId'), answer: envelope(object({ id: text })) },
      }),
    ).toEqual({
      'POST /sites.createSite': 'POST /sites',
      'POST /sites.getSite': 'GET /sites/{siteId} siteId@body/siteId',
      'POST /sites.deleteSite': 'DELETE /sites/{siteId} siteId@body/siteId',
      'POST /sites.listRoles': 'POST /sites.listRoles',
      'POST /roles.createRole': 'POST /roles',
      'POST /roles.getRole': 'GET /roles/{role} role@body/role',
      'POST /roles.setNote': 'POST /roles/{role}/setNote role@body/role',
      'POST /roles.createMark': 'POST /roles/mark',
      'POST /roles.getMark': 'GET /roles/mark/{markId} markId@body/markId',
    });
  });

  test('verb and noun in one word, with keys in queries', () => {
    expect(
      formsOf({
        'GET /api/getBoatList': { answer: listed },
        'GET /api/getBoat': { query: ['boatId'], answer: boat },
        'POST /api/createBoat': { body: form, answer: boat },
        'POST /api/deleteBoat': { query: ['boatId'], answer: object({}) },
        'POST /api/sinkBoat': { query: ['boatId'], answer: boat },
      }),
    ).toEqual({
      'GET /api/getBoatList': 'GET /api/boat',
      'GET /api/getBoat': 'GET /api/boat/{boatId} boatId@query/boatId',
      'POST /api/createBoat': 'POST /api/boat',
      'POST /api/deleteBoat': 'DELETE /api/boat/{boatId} boatId@query/boatId',
      'POST /api/sinkBoat': 'POST /api/boat/{boatId}/sink boatId@query/boatId',
    });
  });

  test('methods of a service, as Twirp and Connect write them', () => {
    expect(
      formsOf({
        'POST /fleet.v1.BoatService/ListBoats': { body: object({}), answer: listed },
        'POST /fleet.v1.BoatService/GetBoat': { body: byId, answer: boat },
        'POST /fleet.v1.BoatService/DeleteBoat': { body: byId, answer: object({}) },
      }),
    ).toEqual({
      'POST /fleet.v1.BoatService/ListBoats': 'GET /fleet.v1.BoatService/boats',
      'POST /fleet.v1.BoatService/GetBoat': 'GET /fleet.v1.BoatService/boats/{id} id@body/id',
      'POST /fleet.v1.BoatService/DeleteBoat': 'DELETE /fleet.v1.BoatService/boats/{id} id@body/id',
    });
  });
});

test('a call beside ordinary operations adds what they do not have', () => {
  expect(
    formsOf({
      'GET /boats': { answer: listed },
      'POST /boats/search': { body: object({ name: text }), answer: listed },
      'PUT /boats/edit': { body: boat, answer: boat },
      'POST /boats/delete': { body: byId, answer: object({}) },
    }),
  ).toEqual({
    'GET /boats': 'GET /boats',
    'POST /boats/search': 'POST /boats/search',
    'PUT /boats/edit': 'PUT /boats/{id} id@body/id',
    'POST /boats/delete': 'DELETE /boats/{id} id@body/id',
  });
});

test.each(['index', 'load', 'select'])('%s is no verb that only shows a record', (verb) => {
  const forms = formsOf({
    'GET /api/getBoat': { query: ['boatId'], answer: boat },
    'POST /api/deleteBoat': { query: ['boatId'], answer: object({}) },
    [`POST /api/${verb}Boat`]: { query: ['boatId'], answer: boat },
  });
  expect(forms[`POST /api/${verb}Boat`]).toMatch(/^POST /);
});

describe('operations that are no calls stay as they are', () => {
  test.each<[what: string, operations: Readonly<Record<string, Described>>]>([
    ['one verb', { 'POST /boats/search': { body: object({ name: text }), answer: listed } }],
    [
      'verbs without a record',
      {
        'POST /boat/save': { body: form, answer: object({}) },
        'POST /boat/remove': { body: byId, answer: object({}) },
      },
    ],
  ])('%s', (_what, operations) => {
    expect(Object.entries(formsOf(operations)).filter(([id, now]) => id !== now)).toEqual([]);
  });
});
