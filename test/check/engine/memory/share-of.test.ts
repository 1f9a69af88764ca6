import { describe, expect, test } from 'vitest';
import { shareOf } from '../../../../src/check/engine/memory/resolve-source.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { talk } from '../../fixture/talk.ts';

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

/** The sizes and the beginnings of the pages of a list of so many records. */
function pagesOf(
  count: number,
  limit: JsonObject = { type: 'integer', minimum: 1, maximum: 100 },
  pages = 5,
): string {
  const contract = makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: [{ name: 'limit', in: 'query', schema: limit }],
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
          },
        },
      },
      '/things/{id}': {
        get: {
          operationId: 'getThing',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'ok', ...jsonContent(thing) } },
        },
      },
    },
  });
  const { earlier, ...last } = talk(contract, [
    { ask: 'GET /things', answer: Array.from({ length: count }, (_, id) => ({ id })) },
  ]);
  const [resource] = contract.resources;
  if (resource === undefined) throw new Error('There is no resource.');
  const known = { resource, seen: [], earlier: [...earlier, last] };
  const share = (page: number, of: 'size' | 'start') =>
    shareOf({ kind: 'share', resource: 'things', pages, page, of }, known);
  const starts = Array.from({ length: pages }, (_, index) => share(index + 1, 'start')).filter(
    (start) => start !== undefined,
  );
  return `${String(share(1, 'size'))}: ${starts.join(' ')}`;
}

describe('a list is divided into pages', () => {
  test.each<[string, number, JsonObject | undefined, string]>([
    ['of which the last is not full', 11, undefined, '3: 0 3 6 9'],
    ['of which the last is full, where there is no other way', 6, undefined, '2: 0 2 4'],
    ['that begin before its end', 8, undefined, '3: 0 3 6'],
    ['of two, where there are hardly any records', 3, undefined, '2: 0 2'],
    ['of one, where there is none', 0, undefined, '1: 0'],
    ['that the contract allows', 30, { type: 'integer', enum: [10, 25, 50] }, '10: 0 10 20'],
    ['no shorter than the contract allows', 30, { type: 'integer', minimum: 20 }, '20: 0 20'],
    ['none, where the contract allows none', 3, { type: 'integer', minimum: 2000 }, 'undefined: '],
  ])('%s', (_words, count, limit, expected) => {
    expect(pagesOf(count, limit)).toBe(expected);
  });
});
