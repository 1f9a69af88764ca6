import { expect, test } from 'vitest';
import { headerValue, withoutHeader } from '../../../src/http/message.ts';
import { problemResponse } from '../../../src/http/problem.ts';
import { alarmsOf, contractOf } from '../fixture/odd-contract.ts';

const condition =
  'parameters: [{ name: If-Match, in: header, required: true, schema: { ' +
  'type: string }, example: \'"a1"\' }]';
const book = "application/json: { schema: { $ref: '#/components/schemas/Book' } }";
const contract = contractOf(`
paths:
  /books:
    get: { operationId: listBooks, responses: { '200': { description: all, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Book' } } } } } } }
    post: { operationId: addBook, requestBody: { required: true, content: { ${book} } },
        responses: { '201': { description: made, content: { ${book} } }, '400': {
        description: bad } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { description: one, content: { ${book} } },
        '404': { description: none } } }
    put: { operationId: putBook, ${condition}, requestBody: { required: true, content: {
        ${book} } }, responses: { '200': { description: changed, content: { ${book} } }, '400': {
        description: bad }, '404': { description: none }, '412': {
        description: changed since } } }
    delete: { operationId: dropBook, ${condition}, responses: { '204': { description: gone },
        '404': { description: none }, '412': { description: changed since } } }
components: { schemas: { Book: { type: object, required: [id, title], properties: { id: {
    type: integer, readOnly: true }, title: { type: string } } } } }`);

test('tests a service that requires If-Match, and leaves no records', async () => {
  const done = new Map<string, number>();
  const { alarms } = await alarmsOf(contract, (respond) => async (request) => {
    const changes = request.method === 'PUT' || request.method === 'DELETE';
    const there =
      changes &&
      (
        await respond({
          ...request,
          method: 'GET',
          headers: withoutHeader(withoutHeader(request.headers, 'if-match'), 'content-type'),
          body: new Uint8Array(),
        })
      ).response?.status === 200;
    if (there && headerValue(request.headers, 'if-match') !== '*')
      return { response: problemResponse(412, 'It was changed since.'), delayMs: 0 };
    const reply = await respond(request);
    const status = reply.response?.status ?? 0;
    if (status < 300) done.set(request.method, (done.get(request.method) ?? 0) + 1);
    return reply;
  });
  expect(alarms).toEqual([]);
  expect(done.get('PUT')).toBeGreaterThan(1);
  expect(done.get('DELETE')).toBe(done.get('POST'));
});
