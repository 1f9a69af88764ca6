import { expect, test } from 'vitest';
import { sortHolds } from '../../../../src/check/topics/lists/sort-holds.ts';
import { openListOf } from '../../../../src/contract/infer/open-lists.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk } from '../../fixture/talk.ts';

/** A thread, which is read as one object with a list, and its description. */
function contractOf(description: string): Contract {
  const stamp = { $ref: '#/components/schemas/Stamp' };
  const query = [
    { name: 'stamp', required: true, schema: stamp },
    { name: 'limit', schema: { type: 'integer', minimum: 1 } },
    { name: 'cursor', schema: { type: 'string' } },
  ];
  const message = {
    type: 'object',
    required: ['stamp'],
    properties: { stamp, created: { type: 'integer' } },
  };
  return makeContract({
    paths: {
      '/thread': {
        get: {
          operationId: 'readThread',
          description,
          parameters: query.map((one) => ({ in: 'query', ...one })),
          responses: {
            200: {
              description: 'ok',
              ...jsonContent({
                type: 'object',
                properties: {
                  next_cursor: { type: 'string' },
                  messages: { type: 'array', items: message },
                },
              }),
            },
          },
        },
      },
    },
    components: { schemas: { Stamp: { type: 'string', pattern: '^[0-9]+$' } } },
  });
}

function causes(description: string, stamps: readonly number[], cursor = ''): number | undefined {
  const contract = contractOf(description);
  const messages = stamps.map((stamp) => ({ stamp: '5', created: stamp }));
  const said = { ask: `GET /thread?stamp=5${cursor}`, answer: { messages } };
  return sortHolds.inspect(talk(contract, [said]))?.length;
}

test('a list that is no resource has the order that its description states', () => {
  const replies = 'The replies to a message, newest first.';
  const [operation] = contractOf(replies).operations;
  expect(operation && openListOf(contractOf(replies), operation)?.items).toBe('/messages');
  expect(causes(replies, [9, 7, 5])).toBe(0);
  expect(causes(replies, [7, 9, 5])).toBe(1);
  expect(causes(replies, [7, 9, 5], '&cursor=a')).toBeUndefined();
  expect(causes('A thread.', [5, 9, 7])).toBeUndefined();
});
