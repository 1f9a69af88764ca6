import { describe, expect, test } from 'vitest';
import { normalizeBasePath, readTarget } from '../../src/prism/front.ts';

describe('the target that is passed to Prism', () => {
  test.each([
    ['/books', '', '/books'],
    ['/', '', '/'],
    ['/v1/books?limit=1', '/v1', '/books?limit=1'],
    ['/v1', '/v1', '/'],
    ['/v1/', '/v1', '/'],
    ['/v1/../v1/books', '/v1', '/books'],
    ['http://127.0.0.1:4010/v1/books', '/v1', '/books'],
    ['/v1/a%2Fb?text=%zz', '/v1', '/a%2Fb?text=%zz'],
    ['//books', '', '//books'],
  ])('%s under "%s" is %s', (target, basePath, expected) => {
    expect(readTarget(target, basePath)).toBe(expected);
  });

  test.each([
    ['/books', '/v1', 404],
    ['/v10/books', '/v1', 404],
    ['/v1/../books', '/v1', 404],
    ['/v1/%zz', '/v1', 400],
    ['/v1/%ff', '/v1', 400],
    ['*', '', 400],
    ['books', '', 400],
    ['', '', 400],
  ])('%s under "%s" is a problem of status %i', (target, basePath, status) => {
    expect(readTarget(target, basePath)).toMatchObject({ status });
  });
});

test.each([
  ['', ''],
  ['/', ''],
  ['/v1', '/v1'],
  ['/v1/', '/v1'],
  ['v1/eu', '/v1/eu'],
])('the base path "%s" is "%s"', (written, normal) => {
  expect(normalizeBasePath(written)).toBe(normal);
});
