import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const number = { type: 'number' };
const maybe = { type: ['string', 'null'], maxLength: 40 };
const line = { type: 'object', required: ['item', 'pieces', 'note'] };
const offer = {
  type: 'object',
  required: ['id', 'buyer', 'phone', 'currency', 'lines'],
  properties: {
    id: text,
    buyer: text,
    phone: { ...maybe, example: '+46 70 000 00 00' },
    fax: text,
    currency: text,
    lines: {
      type: 'array',
      items: { ...line, properties: { item: text, pieces: number, note: maybe } },
    },
  },
};
const sent = {
  type: 'object',
  required: ['buyer', 'lines'],
  properties: {
    buyer: text,
    phone: text,
    fax: text,
    currency: { ...text, default: 'SEK' },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { item: text, pieces: { ...number, default: 1 }, note: text, key: text },
      },
    },
  },
};

const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Offers', version: '1' },
    paths: {
      '/offers': {
        post: {
          requestBody: { required: true, ...json(sent) },
          responses: { 201: { description: 'New.', ...json(offer) } },
        },
      },
      '/offers/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: 'It.', ...json(offer) } } },
      },
    },
  }),
  'offers.json',
);

test('what a client leaves out has its default at any depth, is null, or is left out', async () => {
  const said = await converse(await mockOf({ contract }), [
    [
      'POST /offers',
      { body: { buyer: 'Nils', lines: [{ item: 'Nail' }, { item: 'Saw', pieces: 2 }] } },
    ],
    ['GET /offers/made-1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /offers → 201 {"id":"made-1","buyer":"Nils","phone":null,"currency":"SEK",
      ↳"lines":[{"item":"Nail","pieces":1,"note":null},{"item":"Saw","pieces":2,
      ↳"note":null}]}
    GET /offers/made-1 → 200 {"id":"made-1","buyer":"Nils","phone":null,
      ↳"currency":"SEK","lines":[{"item":"Nail","pieces":1,"note":null},{"item":"Saw",
      ↳"pieces":2,"note":null}]}"
  `);
});
