import { expect, test } from 'vitest';
import { comparableBody } from '../../../src/check/request/write-body.ts';
import { parseContract } from '../../../src/contract/load.ts';
import type { JsonValue } from '../../../src/json/value.ts';

const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Seats', version: '1' },
    paths: {
      '/seats': {
        post: {
          requestBody: {
            content: {
              'application/x-www-form-urlencoded': {
                schema: {
                  type: 'object',
                  properties: { hallId: { type: 'integer' }, label: { type: 'string' } },
                },
              },
            },
          },
          responses: { 201: { description: 'Created' } },
        },
      },
    },
  }),
  'seats.json',
);

test.each<[JsonValue, JsonValue | undefined]>([
  [
    { hallId: 54, label: 'A' },
    { hallId: 54, label: 'A' },
  ],
  // An answer wrote the identifier as a text.
  [
    { hallId: '54', label: 'A' },
    { hallId: 54, label: 'A' },
  ],
  [{ hallId: 54, label: null }, undefined],
])('a form of %j says %j', (value, said) => {
  const media = contract.operations[0]?.requestBody?.content[0];
  if (media === undefined) throw new Error('The operation has a body.');
  expect(comparableBody({ kind: 'content', media, value })).toEqual(said);
});
