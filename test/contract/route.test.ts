import { describe, expect, test } from 'vitest';
import { makeRouter } from '../../src/contract/route.ts';
import { makeContract } from './make-contract.ts';

const paths = ['/pets', '/pets/{id}', '/pets/mine', '/pets/{id}/toys', '/files/{name}.{ending}', '/files/{name}', '/'];
const contract = makeContract({ paths: Object.fromEntries(paths.map((path) => [path, { get: { operationId: path, responses: {} } }])) });
const router = makeRouter(contract.operations.map((operation) => [operation.path, operation] as const));

describe('paths lead to operations', () => {
  test.each<[string, string | undefined, Record<string, string>]>([
    ['/pets', '/pets', {}],
    ['/pets/7', '/pets/{id}', { id: '7' }],
    ['/pets/mine', '/pets/mine', {}],
    ['/pets/mine/toys', '/pets/{id}/toys', { id: 'mine' }],
    ['/files/a.b', '/files/{name}.{ending}', { name: 'a', ending: 'b' }],
    ['/files/a', '/files/{name}', { name: 'a' }],
    ['/', '/', {}],
    ['/pets/', undefined, {}],
    ['/PETS', undefined, {}],
    ['/pets/7/8', undefined, {}],
    ['//pets', undefined, {}],
    ['/__proto__', undefined, {}],
  ])('%s', (path, template, values) => {
    const result = router.route('GET', path.split('/').slice(1));
    expect(result.kind === 'operation' ? result.operation.path : undefined).toBe(template);
    if (result.kind === 'operation') expect(Object.fromEntries(result.path)).toEqual(values);
  });

  test('a slash that was escaped stays in its segment', () => {
    expect(router.route('GET', ['pets', 'a/b'])).toMatchObject({ kind: 'operation', path: new Map([['id', 'a/b']]) });
  });

  test('a known path with another method names the methods that it has', () => {
    expect(router.route('DELETE', ['pets'])).toEqual({ kind: 'wrong-method', allow: ['GET'] });
  });
});
