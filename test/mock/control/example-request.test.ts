import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { exampleRequest } from '../../../src/mock/control/example-request.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

const big = 9_007_199_254_740_993n;

/** The example of an operation: the texts of its parameters, and the body. */
function exampleOf(
  parameters: readonly JsonObject[],
  requestBody?: JsonObject,
): { texts: string[]; body: unknown } {
  const [operation] = makeContract({
    paths: {
      '/things': {
        post: {
          parameters: parameters.map((parameter, index) => ({
            name: `p${String(index)}`,
            in: 'query',
            ...parameter,
          })),
          ...(requestBody === undefined ? {} : { requestBody }),
          responses: {},
        },
      },
    },
  }).operations;
  if (operation === undefined) throw new Error('the contract has no operation');
  const { parameters: made, body } = exampleRequest(operation, 'seed');
  return { texts: made.map(({ value }) => value), body };
}

test('values are written for input fields, digit for digit', () => {
  expect(
    exampleOf([
      { schema: { type: 'string' }, example: 'a b' },
      { schema: { type: 'integer' }, example: big },
      { schema: { type: 'boolean' }, example: false },
      { schema: { type: 'array', items: {} }, example: ['a', big, true] },
      { schema: { type: 'array', items: {} }, example: ['x', { a: big }] },
      { schema: { type: 'object' }, style: 'deepObject', example: { a: big, b: null } },
      { schema: { const: 'made' } },
      { schema: { type: 'integer', minimum: 2, maximum: 1 } },
    ]).texts,
  ).toEqual([
    'a b',
    '9007199254740993',
    'false',
    'a,9007199254740993,true',
    '["x",{"a":9007199254740993}]',
    '{"a":9007199254740993,"b":null}',
    'made',
    '',
  ]);
});

test(
  'a body is JSON where there is a choice, its example where there is one, ' +
    'and empty where nobody knows it',
  () => {
    expect(exampleOf([]).body).toBeUndefined();
    expect(
      exampleOf([], {
        content: { 'text/plain': { example: 'x' }, 'application/json': { example: { id: big } } },
      }).body,
    ).toEqual({ mediaType: 'application/json', text: '{"id":9007199254740993}' });
    expect(
      exampleOf([], { content: { 'text/plain': { example: 'x' }, 'text/csv': {} } }).body,
    ).toEqual({ mediaType: 'text/plain', text: 'x' });
    expect(exampleOf([], jsonContent({ const: { a: 1 } })).body).toEqual({
      mediaType: 'application/json',
      text: '{"a":1}',
    });
    for (const mediaType of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/csv',
    ])
      expect(exampleOf([], { content: { [mediaType]: {} } }).body).toEqual({ mediaType, text: '' });
  },
);
