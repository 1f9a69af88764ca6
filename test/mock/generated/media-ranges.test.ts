import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { headerValue } from '../../../src/http/message.ts';
import { mockOf, send, textOf } from '../workshop.ts';

/** A document as generators write it where no media type is declared: every answer under a range. */
const document = (range: string): string => `
openapi: 3.0.1
info: { title: Library, version: v0 }
paths:
  /books:
    get: { responses: { '200': { description: OK, content: { '${range}': {
      schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } } } }
    post:
      requestBody: { required: true, content: { '${range}': {
        schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: Created, content: { '${range}': {
        schema: { $ref: '#/components/schemas/Book' } } } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: OK, content: { '${range}': {
      schema: { $ref: '#/components/schemas/Book' } } } } } }
    delete: { responses: { '204': { description: Gone } } }
components: { schemas: { Book: { type: object, required: [title], properties: {
  id: { type: integer, readOnly: true }, title: { type: string } } } } }
`;

test.each(['*/*', 'application/*'])('an object under %s is JSON and is kept', async (range) => {
  const mock = await mockOf({ contract: parseContract(document(range), 'books.yaml') });
  const posted = await send(mock, 'POST /books', { body: { title: 'Emma' } });
  const { id } = JSON.parse(textOf(posted)) as { id: number };
  expect(headerValue(posted.headers, 'Content-Type')).toBe('application/json');
  const read = await send(mock, `GET /books/${String(id)}`);
  expect(JSON.parse(textOf(read))).toEqual({ id, title: 'Emma' });
  const deleted = await send(mock, `DELETE /books/${String(id)}`);
  const after = await send(mock, `GET /books/${String(id)}`);
  expect([deleted.status, after.status]).toEqual([204, 404]);
});

test('the range is still what the document allows', async () => {
  const contract = parseContract(document('*/*'), 'books.yaml');
  const [first] = contract.operations[0]?.responses[0]?.content ?? [];
  expect([first?.mediaType, first?.range]).toEqual(['application/json', '*/*']);
  const mock = await mockOf({ contract });
  const answer = await send(mock, 'GET /books', { headers: [['Accept', 'text/plain, */*;q=0.1']] });
  expect(headerValue(answer.headers, 'Content-Type')).toBe('application/json');
});
