import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { planCheck } from '../../../src/check/engine/check-target.ts';
import { headerValue, withoutHeader } from '../../../src/http/message.ts';
import { alarmsOf, contractOf } from '../fixture/odd-contract.ts';

const contractWith = (schema: string): ReturnType<typeof contractOf> =>
  contractOf(`
paths:
  /batches:
    post:
      operationId: addBatch
      parameters: [{ name: Content-Encoding, in: header, required: true, schema: ${schema} }]
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Batch' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Batch' } } } }, '400': { description: bad } }
components: { schemas: { Batch: { type: object, required: [name], properties: { id: {
    type: integer, readOnly: true }, name: { type: string, maxLength: 40 } } } } }`);

test('a required Content-Encoding header comes with an encoded body', async () => {
  let coded = 0;
  const { alarms, reached } = await alarmsOf(
    contractWith('{ type: string, enum: [gzip] }'),
    (respond) => (request) => {
      if (headerValue(request.headers, 'content-encoding') !== 'gzip' || request.body.length === 0)
        return respond(request);
      coded += 1;
      return respond({
        ...request,
        headers: [
          ...withoutHeader(request.headers, 'content-encoding'),
          ['Content-Encoding', 'gzip'],
        ],
        body: gunzipSync(request.body),
      });
    },
  );
  expect([alarms, reached]).toEqual([[], true]);
  expect(coded).toBeGreaterThan(5);
});

test.each([
  ['{ type: string }', 'identity'],
  ['{ type: string, enum: [br, gzip] }', 'gzip'],
  ['{ type: string, enum: [pack200-gzip] }', undefined],
])('a body with the codings %s is sent with %s', (schema, coding) => {
  const { requests, skipped } = planCheck({
    url: 'http://127.0.0.1:1',
    contract: contractWith(schema),
    seed: 'a',
    mode: 'read-write',
  });
  const sent = new Set(
    requests.flatMap(({ headers }) => headerValue(headers, 'content-encoding') ?? []),
  );
  expect([...sent]).toEqual(coding === undefined ? [] : [coding]);
  expect(skipped.map(({ reason }) => reason)).toEqual(
    coding === undefined
      ? [
          'no valid Content-Encoding could be made: bodies can be sent as ' +
            'identity, gzip, deflate, br, zstd.',
        ]
      : [],
  );
});
