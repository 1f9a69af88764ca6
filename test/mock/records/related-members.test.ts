import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { jsonOf, mockOf, send } from '../workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    get: { responses: { '200': { description: all, content: { application/json: { schema: {
      type: array, items: { $ref: '#/components/schemas/Order' } } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: {
        $ref: '#/components/schemas/Order' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
        $ref: '#/components/schemas/Order' } } } } }
  /orders/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: one, content: { application/json: { schema: {
        $ref: '#/components/schemas/Order' } } } } }
components: { schemas: { Order: { type: object, required: [id, lines, total], properties: {
  id: { type: integer, readOnly: true },
  title: { type: string },
  slug: { type: string },
  lines: { type: array, items: { type: object, properties: {
    quantity: { type: integer }, price: { type: number } } } },
  total: { type: number, readOnly: true } } } } }
`,
  'orders.yaml',
);
const lines = [
  { quantity: 2, price: 3.5 },
  { quantity: 1, price: 0.25 },
];

test('what the mock adds to a new record agrees with what the client sent', async () => {
  const mock = await mockOf({ contract });
  const body = { title: 'Two small things', lines };
  const made = await send(mock, 'POST /orders', { body });
  expect(jsonOf(made)).toEqual({ id: 1, ...body, total: 7.25 });
});

test('the identifier of a new record stays what its path and its location say', async () => {
  const notes = parseContract(
    `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: object,
        required: [title], properties: { title: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
        $ref: '#/components/schemas/Note' } } } } }
  /notes/{slug}:
    get:
      parameters: [{ name: slug, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: one, content: { application/json: { schema: {
        $ref: '#/components/schemas/Note' } } } }, '404': { description: none } }
components: { schemas: { Note: { type: object, required: [slug, title], properties: {
  slug: { type: string, readOnly: true }, title: { type: string } } } } }
`,
    'notes.yaml',
  );
  const mock = await mockOf({ contract: notes });
  const made = jsonOf(await send(mock, 'POST /notes', { body: { title: 'Two small things' } }));
  const slug = (made as { slug: string }).slug;
  expect((await send(mock, `GET /notes/${slug}`)).status).toBe(200);
});

test('what the client sent stays as it is', async () => {
  const mock = await mockOf({ contract });
  const body = { title: 'Two small things', slug: 'mine', lines };
  const made = await send(mock, 'POST /orders', { body });
  expect(jsonOf(made)).toMatchObject(body);
});
