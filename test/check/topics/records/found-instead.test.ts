import { expect, test } from 'vitest';
import { createdIsReturned } from '../../../../src/check/topics/records/created-is-returned.ts';
import { createdIsReadable } from '../../../../src/check/topics/records/created-is-readable.ts';
import { idsAreUnique } from '../../../../src/check/topics/records/ids-are-unique.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk } from '../../fixture/talk.ts';

const flow: JsonObject = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, note: { type: 'string' } },
};

/** A service whose create is documented with one status. */
function flows(status: string) {
  return makeContract({
    paths: {
      '/flows': {
        post: {
          operationId: 'addFlow',
          requestBody: jsonContent(flow),
          responses: { [status]: { description: 'the flow', ...jsonContent(flow) } },
        },
      },
      '/flows/{id}': {
        get: {
          operationId: 'getFlow',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'ok', ...jsonContent(flow) } },
        },
      },
    },
  });
}

/** What is said of a second create of one name, which shows the first record, and of its read. */
function said(contract: ReturnType<typeof flows>, statuses: readonly [number, number]): string[] {
  const answer = { id: 7, name: 'a', note: 'first' };
  const [first, second] = statuses;
  const made = {
    ask: 'POST /flows',
    status: first,
    body: { name: 'a', note: 'first' },
    answer,
  };
  const again = { ...made, status: second, body: { name: 'a', note: 'second' } };
  const read = { ask: 'GET /flows/7', status: 200, answer };
  return [
    ...(idsAreUnique.inspect(talk(contract, [made, again])) ?? []),
    ...(createdIsReturned.inspect(talk(contract, [made, again])) ?? []),
    ...(createdIsReadable.inspect(talk(contract, [made, again, read])) ?? []),
  ].map(({ message }) => message);
}

test.each([200, 204])('a create that answers %i after a 201 means what was there', (status) => {
  expect(said(flows('201'), [201, status])).toEqual([]);
});

test('a create that answers every record with one status makes each of them', () => {
  const messages = [
    'Two creates returned the same id: 7.',
    expect.stringContaining('The response to a create has another note than was sent'),
  ];
  expect(said(flows('201'), [201, 201])).toEqual(messages);
  expect(said(flows('200'), [200, 200])).toEqual(messages);
});
