import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { mountedPaths } from '../../../src/mock/route/mounted-paths.ts';
import { makeContract } from '../make-contract.ts';

/** The whole paths of an operation at `/a`, when its document has this server. */
function pathsOf(url: string, variables: Readonly<Record<string, JsonValue>> = {}): string[] {
  const servers: JsonObject[] = [{ url, variables: variables }];
  return mountedPaths(makeContract({ servers, paths: { '/a': { get: { responses: {} } } } })).map(
    ([path]) => path,
  );
}

const version = { default: 'v2', enum: ['v1', 'v2', 'v3'] };

test.each<[string, Record<string, JsonValue>, string[]]>([
  ['/{version}', { version }, ['/v2/a', '/v1/a', '/v3/a']],
  [
    'https://{region}.example.com/{version}/',
    { version, region: { default: 'eu', enum: ['eu', 'us'] } },
    ['/v2/a', '/v1/a', '/v3/a'],
  ],
  [
    '/{version}/{area}',
    { version: { default: 'v1', enum: ['v2'] }, area: { default: 'x', enum: ['x', 'y'] } },
    ['/v1/x/a', '/v2/x/a', '/v1/y/a', '/v2/y/a'],
  ],
  ['/{base}', { base: { default: '', enum: ['', 'beta'] } }, ['/a', '/beta/a']],
  ['/{version}', { version: { default: 'v1' } }, ['/v1/a']],
  ['v1', {}, ['/v1/a']],
  ['./v1/', {}, ['/v1/a']],
  ['../v1', {}, ['/v1/a']],
])('the server %s is served at every path that its variables may have', (url, variables, paths) => {
  expect(pathsOf(url, variables)).toEqual(paths);
});

test('enumerations make a limited number of paths', () => {
  const many = { default: '0', enum: Array.from({ length: 50 }, (_, index) => String(index)) };
  expect(pathsOf('/{a}/{b}/{c}', { a: many, b: many, c: many })).toHaveLength(100);
});
