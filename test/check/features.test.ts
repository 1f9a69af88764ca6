import { expect, test } from 'vitest';
import { type JsonObject, stringifyJson } from '../../src/json/value.ts';
import { makeContract } from '../contract/make-contract.ts';
import { bytes, converse, jsonOf, mockOf, send, textOf } from '../mock/workshop.ts';
import { alarms, type Call, findingsOf, type Service } from './fixture/inline-service.ts';

// OGC API - Features: the fields of a record are in `properties`, and a page ends with its links.
const media = 'application/geo+json';
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  required,
  properties,
});
const content = (schema: JsonObject): JsonObject => ({ content: { [media]: { schema } } });
const answer = (schema: JsonObject): JsonObject => ({ description: 'ok', ...content(schema) });
const numbers = { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number' } };
const geometry = object({ type: { const: 'Point' }, coordinates: numbers }, 'type', 'coordinates');
const kinds = ['garden', 'wood'];
const fields = { name: { ...text, minLength: 1 }, kind: { ...text, enum: kinds } };
const shape = { type: { const: 'Feature' }, geometry };
const sent = object({ ...shape, properties: object(fields, 'name') }, ...Object.keys(shape));
const members = { ...shape, id: text, properties: object(fields, 'name') };
const feature = object(members, ...Object.keys(members));
const link = object({ href: { ...text, format: 'uri' }, rel: text }, 'href', 'rel');
const page = object(
  {
    type: { const: 'FeatureCollection' },
    features: { type: 'array', items: feature },
    links: { type: 'array', items: link },
    numberMatched: count,
    numberReturned: count,
  },
  'type',
  'features',
);
const requestBody = {
  required: true,
  ...content({ ...sent, required: ['type', 'geometry', 'properties'] }),
};
const asked = (name: string, schema: JsonObject): JsonObject => ({ name, in: 'query', schema });
const done = { description: 'done' };
const refused = { 400: { description: 'invalid' }, 404: { description: 'none' } };
const contract = makeContract({
  paths: {
    '/collections/parks/items': {
      get: {
        operationId: 'getParks',
        parameters: [
          asked('limit', { type: 'integer', minimum: 1, maximum: 100, default: 10 }),
          asked('offset', count),
          asked('kind', fields.kind),
        ],
        responses: { 200: answer(page), 400: refused[400] },
      },
      post: {
        operationId: 'addPark',
        requestBody,
        responses: { 201: { ...done, headers: { Location: { schema: text } } }, ...refused },
      },
    },
    '/collections/parks/items/{featureId}': {
      parameters: [{ name: 'featureId', in: 'path', required: true, schema: text }],
      get: { operationId: 'getPark', responses: { 200: answer(feature), ...refused } },
      put: { operationId: 'replacePark', requestBody, responses: { 204: done, ...refused } },
      patch: {
        operationId: 'changePark',
        requestBody: {
          content: {
            'application/merge-patch+json': {
              schema: object({ geometry, properties: object(fields) }),
            },
          },
        },
        responses: { 204: done, ...refused },
      },
      delete: { operationId: 'deletePark', responses: { 204: done, ...refused } },
    },
  },
});

const park = (name: string, kind: string): JsonObject => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [7, 51] },
  properties: { name, kind },
});

test('features are found by their properties, paged by links, changed and deleted', async () => {
  const mock = await mockOf({ contract, seedRecords: 0 });
  const list = '/collections/parks/items';
  for (const name of ['A', 'B', 'C'])
    await send(mock, `POST ${list}`, {
      body: park(name, name === 'A' ? 'wood' : 'garden'),
      type: media,
    });
  const shown = async (target: string): Promise<JsonObject> =>
    jsonOf(await send(mock, `GET ${target}`, { headers: [['Host', 'parks.test']] })) as JsonObject;
  const first = await shown(`${list}?kind=garden&limit=1`);
  const next = `http://parks.test${list}?kind=garden&limit=1&offset=1`;
  expect(first).toEqual({
    type: 'FeatureCollection',
    features: [{ id: 'made-2', ...park('B', 'garden') }],
    links: [
      { href: `http://parks.test${list}?kind=garden&limit=1`, rel: 'self' },
      { href: next, rel: 'next' },
    ],
    numberMatched: 2,
    numberReturned: 1,
  });
  expect((await shown(next.slice('http://parks.test'.length)))['features']).toEqual([
    { id: 'made-3', ...park('C', 'garden') },
  ]);
  const own = `${list}/made-1`;
  const patch = { body: { properties: { name: 'P' } }, type: 'application/merge-patch+json' };
  expect(
    await converse(mock, [
      [`PUT ${own}`, { body: park('R', 'garden'), type: media }],
      [`PATCH ${own}`, patch],
    ]),
  ).toMatchInlineSnapshot(`
    "PUT /collections/parks/items/made-1 → 204
    PATCH /collections/parks/items/made-1 → 204"
  `);
  expect(await shown(own)).toEqual({ id: 'made-1', ...park('P', 'garden') });
  expect((await send(mock, `DELETE ${own}`)).status).toBe(204);
  expect(await shown(list)).toMatchObject({ numberMatched: 2, numberReturned: 2 });
});

/** What a service does to a request before, and to a page after, it is answered. */
interface Defect {
  readonly before?: (call: Call) => Partial<Call>;
  readonly after?: (page: JsonObject) => JsonObject;
}

const edited = (method: string, change: (body: string) => string): Defect => ({
  before: (call) => (call.method === method ? { body: change(call.body) } : {}),
});
const defects = {
  'ignores a filter': {
    before: ({ target }) => ({ target: target.replace(/kind=\w+&?/, '') }),
  },
  'counts the page': {
    after: (shown) => ({ ...shown, numberMatched: shown['numberReturned'] ?? 0 }),
  },
  'links to a next page without the filter': {
    after: (shown) => ({
      ...shown,
      links: [{ rel: 'next', href: 'http://127.0.0.1:1/collections/parks/items?offset=0' }],
    }),
  },
  'stores names in upper case': edited('POST', (body) =>
    body.replace(/"name":"[^"\\]*"/, (name) => name.toUpperCase().replace('NAME', 'name')),
  ),
  'loses a replaced kind': edited('PUT', (body) => body.replace(/,?"kind":"\w+"/, '')),
  'loses a changed kind': edited('PATCH', (body) => body.replace(/,?"kind":"\w+"/, '')),
} satisfies Record<string, Defect>;

/** The mock as a service, with a defect. */
async function serve({ before, after }: Defect): Promise<Service> {
  const mock = await mockOf({ contract });
  return async (call) => {
    const { method, target, body } = { ...call, ...before?.(call) };
    const headers = ['Content-Type', 'Accept', 'Host'].flatMap((name) => {
      const value = call.header(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const made = await send(mock, `${method} ${target}`, {
      headers,
      type: false,
      ...(body === call.body ? { body: call.bytes } : { body: bytes(body) }),
    });
    const isPage = after !== undefined && textOf(made).startsWith('{"type":"FeatureCollection"');
    return {
      status: made.status,
      text: isPage ? stringifyJson(after(jsonOf(made) as JsonObject)) : textOf(made),
      headers: Object.fromEntries(made.headers),
    };
  };
}

const alarmsOf = async (defect: Defect): Promise<string[]> =>
  alarms(await findingsOf(contract, await serve(defect)));

test('a service of features that keeps its contract raises no alarm', async () => {
  expect(await alarmsOf({})).toEqual([]);
});

test.each<[keyof typeof defects, RegExp]>([
  ['ignores a filter', /^error filter-holds getParks/],
  ['counts the page', /^error total-holds getParks/],
  ['links to a next page without the filter', /^error page-holds getParks: .* without kind/],
  ['stores names in upper case', /^warning created-is-readable getPark: .* another name/],
  ['loses a replaced kind', /^warning replaced-is-persisted replacePark: .* another kind/],
  ['loses a changed kind', /^error replaced-is-persisted changePark: .* another kind/],
])('one that %s is found', async (defect, line) => {
  expect(await alarmsOf(defects[defect])).toContainEqual(expect.stringMatching(line));
});
