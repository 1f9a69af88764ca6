import { expect, test } from 'vitest';
import { makeJoinRouter } from '../../../src/mock/join/join-mocks.ts';
import { makeContract } from '../../contract/make-contract.ts';

const contract = makeContract({
  paths: { '/things': { get: { responses: {} }, put: { responses: {} } } },
});
const left = { name: 'left', contract, base: '/a' };
const right = { name: 'right', contract, base: '/a/b' };

test.each<[method: string, target: string, owner: number]>([
  ['GET', '/a/things', 0],
  ['GET', '/a/b/things', 1],
  ['HEAD', '/a/b/things', 1],
  ['DELETE', '/a/b/things', 1],
  ['GET', '/a/b', 1],
  ['GET', '/a/b/nothing', 1],
  ['GET', '/a/bee', 0],
  ['GET', '/a', 0],
  ['GET', '/x/a/b', 0],
  ['GET', '/a/b?x=%zz', 1],
  ['GET', '/a/b/%zz?x=/a', 1],
  ['GET', '/nowhere', 0],
])(
  '%s %s is routed to the contract with the longest matching base path',
  (method, target, owner) => {
    expect(makeJoinRouter([left, right])(method, target)).toBe(owner);
  },
);

test('a contract without a base path handles the paths that no other contract has', () => {
  const router = makeJoinRouter([{ ...left }, { name: 'root', contract, base: '' }]);
  expect([
    router('GET', '/nowhere'),
    router('GET', '/a/nowhere'),
    router('GET', 'no path'),
  ]).toEqual([1, 0, 1]);
});

test('a path of several contracts without the method belongs to none of them', () => {
  const ping = (method: string) =>
    makeContract({ paths: { '/ping': { [method]: { responses: {} } } } });
  const router = makeJoinRouter([
    { name: 'one', contract: ping('get'), base: '' },
    { name: 'two', contract: ping('put'), base: '' },
  ]);
  expect([router('GET', '/ping'), router('PUT', '/ping'), router('DELETE', '/ping')]).toEqual([
    0,
    1,
    undefined,
  ]);
});
