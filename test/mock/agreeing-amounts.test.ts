import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Quotes, version: '1' }
components:
  schemas:
    Money: { type: string, pattern: '^[0-9]+[.][0-9]{2}$' }
    Item:
      type: object
      required: [label, qty, price, subtotal]
      properties:
        label: { type: string }
        qty: { type: integer }
        price: { $ref: '#/components/schemas/Money' }
        subtotal: { $ref: '#/components/schemas/Money', readOnly: true, example: '99.80' }
    Quote:
      type: object
      required: [id, items, total]
      properties:
        id: { type: string, readOnly: true }
        items: { type: array, items: { $ref: '#/components/schemas/Item' } }
        shipping: { $ref: '#/components/schemas/Money', default: '0.00' }
        total: { $ref: '#/components/schemas/Money', readOnly: true, example: '99.80' }
paths:
  /quotes:
    get:
      operationId: listQuotes
      parameters:
        - { name: sort, in: query, schema: { type: string, enum: [total, -total] } }
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Quote' } }
    post:
      operationId: makeQuote
      requestBody: &body
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Quote' } } }
      responses:
        '201': &quote
          description: It.
          content: { application/json: { schema: { $ref: '#/components/schemas/Quote' } } }
  /quotes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: readQuote, responses: { '200': *quote } }
    put: { operationId: replaceQuote, requestBody: *body, responses: { '200': *quote } }
    patch: { operationId: changeQuote, requestBody: *body, responses: { '200': *quote } }
`,
  'quotes.yaml',
);
const item = (qty: number, price: string) => ({ label: 'Oak', qty, price });

test('amounts of lines and of a record agree, when it is made and when it changes', async () => {
  const mock = await mockOf({ contract });
  const said = await converse(mock, [
    ['POST /quotes', { body: { items: [item(2, '49.90'), item(1, '20.00')] } }],
    ['PUT /quotes/made-1', { body: { items: [item(3, '0.10')], shipping: '4.00' } }],
    ['PATCH /quotes/made-1', { body: { items: [item(1, '9.99')] } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /quotes → 201 {"id":"made-1","items":[{"label":"Oak","qty":2,"price":"49.90",
      ↳"subtotal":"99.80"},{"label":"Oak","qty":1,"price":"20.00","subtotal":"20.00"}],
      ↳"shipping":"0.00","total":"119.80"}
    PUT /quotes/made-1 → 200 {"id":"made-1","items":[{"label":"Oak","qty":3,
      ↳"price":"0.10","subtotal":"0.30"}],"shipping":"4.00","total":"4.30"}
    PATCH /quotes/made-1 → 200 {"id":"made-1","items":[{"label":"Oak","qty":1,
      ↳"price":"9.99","subtotal":"9.99"}],"shipping":"4.00","total":"13.99"}"
  `);
});

test('amounts that are written as texts are sorted by their size', async () => {
  const mock = await mockOf({ contract });
  const said = await converse(mock, [
    ['POST /quotes', { body: { items: [item(1, '9.00')] } }],
    ['POST /quotes', { body: { items: [item(1, '100.00')] } }],
    ['GET /quotes?sort=-total'],
  ]);
  expect(said.split('\n').at(-1)).toMatchInlineSnapshot(`
    "GET /quotes?sort=-total → 200 [{"id":"made-2","items":[{"label":"Oak","qty":1,
      ↳"price":"100.00","subtotal":"100.00"}],"shipping":"0.00","total":"100.00"},
      ↳{"id":"made-1","items":[{"label":"Oak","qty":1,"price":"9.00","subtotal":"9.00"}],
      ↳"shipping":"0.00","total":"9.00"}]"
  `);
});

test('an amount that never agreed with the others stays as it was', async () => {
  const odd = { id: 'q', items: [{ ...item(2, '5.00'), subtotal: '10.00' }], total: '7.00' };
  const mock = await mockOf({ contract, fixtures: fixturesOf({ quotes: [odd] }) });
  const change = { body: { items: [item(3, '5.00')] } };
  const said = await converse(mock, [['PATCH /quotes/q', change]]);
  expect(said).toMatchInlineSnapshot(`
    "PATCH /quotes/q → 200 {"id":"q","items":[{"label":"Oak","qty":3,"price":"5.00",
      ↳"subtotal":"15.00"}],"total":"7.00"}"
  `);
});
