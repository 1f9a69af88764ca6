import { expect, test } from 'vitest';
import { planCheck } from '../../../src/check/engine/check-target.ts';
import { makeContract, jsonContent } from '../../contract/make-contract.ts';
import type { JsonObject } from '../../../src/json/value.ts';

const thing: JsonObject = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const get = (
  operationId: string,
  schema: JsonObject,
  security: readonly JsonObject[],
): JsonObject => ({
  get: {
    operationId,
    security: [...security],
    responses: { 200: { description: 'ok', ...jsonContent(schema) } },
  },
});
const key = [{ key: [] }];
const paths: JsonObject = {
  '/status': get('getStatus', thing, []),
  '/me': get('getMe', thing, key),
  '/open': get('listOpen', { type: 'array', items: thing }, []),
  '/open/{openId}': get('getOpen', thing, []),
  '/notes': { post: { operationId: 'sendNote', responses: { 204: { description: 'ok' } } } },
  '/things': get('listThings', { type: 'array', items: thing }, key),
  '/things/{thingId}': get('getThing', thing, key),
};

/** The operation that a run asks first, where the contract has these paths alone. */
function probeOf(names: readonly string[]): string | undefined {
  const own = Object.fromEntries(names.map((name) => [name, paths[name] ?? {}]));
  const contract = makeContract({
    paths: own,
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });
  const { requests } = planCheck({
    url: 'http://127.0.0.1:1',
    contract,
    token: 'key',
    seed: 'probe',
  });
  return requests.find(({ phase }) => phase === 'probe')?.operation.id;
}

test.each<[string, readonly string[], string | undefined]>([
  ['a secured list before all', Object.keys(paths), 'listThings'],
  ['an open list before a secured read', ['/status', '/me', '/open', '/open/{openId}'], 'listOpen'],
  ['a secured read before an open one', ['/status', '/me'], 'getMe'],
  ['the first of equals', ['/me', '/status'], 'getMe'],
  ['what there is', ['/status'], 'getStatus'],
  ['nothing that changes anything', ['/notes'], undefined],
])('a run asks first for %s', (_, names, expected) => {
  expect(probeOf(names)).toBe(expected);
});
