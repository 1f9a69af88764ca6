import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const record = {
  type: 'object',
  required: ['id', '@url'],
  properties: { id: text, name: text, '@url': { $ref: '#/components/schemas/Url' } },
};
const paths = (collection: string) => ({
  [collection]: {
    get: { responses: { 200: { description: '.', ...json({ type: 'array', items: record }) } } },
    post: {
      requestBody: json({ type: 'object', properties: { name: text } }),
      responses: { 201: { description: 'New.', ...json(record) } },
    },
  },
  [`${collection}/{id}`]: {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: { responses: { 200: { description: 'It.', ...json(record) } } },
  },
});
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Fleet', version: '1' },
    components: { schemas: { Url: { ...text, example: '/v2/boats/17' } } },
    paths: { ...paths('/v2/boats'), ...paths('/v2/crews') },
  }),
  'fleet.json',
);

test.each(['boats', 'crews'])('the one example of an address stands for all: %s', async (name) => {
  const mock = await mockOf({ contract, seedRecords: 2 });
  const made = jsonOf(await send(mock, `POST /v2/${name}`, { body: { name: 'Ny' } }));
  expect(made).toMatchObject({ id: 'made-1', '@url': `/v2/${name}/made-1` });
  const listed = jsonOf(await send(mock, `GET /v2/${name}`)) as { id: string }[];
  expect(listed.length).toBeGreaterThan(1);
  for (const one of listed) expect(one).toMatchObject({ '@url': `/v2/${name}/${one.id}` });
});
