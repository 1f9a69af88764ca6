import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const whole = { type: 'integer', minimum: 1, maximum: 5 };
const lane = { type: 'object', properties: { id: text, defaultSpeed: whole } };
const trip = {
  type: 'object',
  required: ['speed'],
  properties: { id: text, laneId: text, speed: whole },
};
const collection = (schema: object) => ({
  get: { responses: { 200: { description: '.', ...json({ type: 'array', items: schema }) } } },
  post: {
    requestBody: json({ ...schema, required: [] }),
    responses: { 201: { description: 'New.', ...json(schema) } },
  },
});
const item = (schema: object) => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
  get: { responses: { 200: { description: 'It.', ...json(schema) } } },
});
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Trips', version: '1' },
    paths: {
      '/lanes': collection(lane),
      '/lanes/{id}': item(lane),
      '/trips': collection(trip),
      '/trips/{id}': item(trip),
    },
  }),
  'trips.json',
);

test('what is left out is the default that the named record has for it', async () => {
  const mock = await mockOf({ contract, fixtures: fixturesOf({ lanes: [], trips: [] }) });
  const said = await converse(mock, [
    ['POST /lanes', { body: { defaultSpeed: 4 } }],
    ['POST /trips', { body: { laneId: 'made-1' } }],
    ['POST /trips', { body: { laneId: 'made-1', speed: 2 } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /lanes → 201 {"id":"made-1","defaultSpeed":4}
    POST /trips → 201 {"id":"made-2","laneId":"made-1","speed":4}
    POST /trips → 201 {"id":"made-3","laneId":"made-1","speed":2}"
  `);
});
