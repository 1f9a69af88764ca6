import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { atelier } from '../check/fixture/atelier.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { fixturesOf, jsonOf, mockOf, send } from './workshop.ts';

const whole: JsonObject = { type: 'integer' };
const tool: JsonObject = {
  type: 'object',
  properties: { id: whole, boxId: whole, Weight: whole },
};
const box: JsonObject = {
  type: 'object',
  properties: { id: whole, Name: { type: 'string' }, Tools: { type: 'array', items: tool } },
};
const listed = (schema: JsonObject): JsonObject => ({
  200: { description: 'ok', ...jsonContent({ type: 'array', items: schema }) },
});
const contract = makeContract({
  paths: {
    '/boxes': {
      get: {
        operationId: 'listBoxes',
        parameters: ['$expand', '$select'].map((name) => ({
          name,
          in: 'query',
          schema: { type: 'string' },
        })),
        responses: listed(box),
      },
    },
    '/boxes/{id}': {
      get: {
        operationId: 'readBox',
        parameters: [{ name: 'id', in: 'path', required: true, schema: whole }],
        responses: { 200: { description: 'ok', ...jsonContent(box) } },
      },
    },
    '/tools': { get: { operationId: 'listTools', responses: listed(tool) } },
  },
});
const fixtures = fixturesOf({
  boxes: [
    { id: 1, Name: 'red' },
    { id: 2, Name: 'blue' },
  ],
  tools: [
    { id: 7, boxId: 1, Weight: 3 },
    { id: 8, boxId: 1, Weight: 5 },
    { id: 9, boxId: 2, Weight: 5 },
  ],
});

describe('the mock expands what a list of OData asks for:', () => {
  const shown = async (query: string): Promise<string> => {
    const reply = await send(
      await mockOf({ contract, fixtures }),
      `GET /boxes?${encodeURI(query)}`,
    );
    if (reply.status !== 200) return String(reply.status);
    return (jsonOf(reply) as readonly JsonObject[])
      .map(({ Tools }) =>
        ((Tools ?? []) as readonly JsonObject[])
          .map((one) => Object.values(one).join('/'))
          .join(' '),
      )
      .join(' | ');
  };

  test.each([
    ['all records', '$expand=Tools', '7/1/3 8/1/5 | 9/2/5'],
    ['some of them', '$expand=Tools($filter=Weight eq 5)', '8/1/5 | 9/2/5'],
    ['the first', '$expand=Tools($top=1)', '7/1/3 | 9/2/5'],
    ['one field of each', '$expand=Tools($select=Weight)', '7/3 8/5 | 9/5'],
    ['beside a projection', '$expand=Tools&$select=Name', '7/1/3 8/1/5 | 9/2/5'],
    ['no unknown member', '$expand=Lids', '400'],
    ['no unknown field', '$select=Lids', '400'],
  ])('%s', async (_, query, expected) => {
    expect(await shown(query)).toBe(expected);
  });

  test('one record or null', async () => {
    const mock = await mockOf({ contract: atelier().contract });
    const { value } = jsonOf(await send(mock, 'GET /Goods?$expand=Maker')) as {
      readonly value: readonly JsonObject[];
    };
    expect(value.every((one) => typeof one['Maker'] === 'object')).toBe(true);
  });
});
