import { expect, test } from 'vitest';
import { makeContract } from '../make-contract.ts';

/** The base path of a contract whose one server has this URL. */
function basePath(url: string): string | undefined {
  return makeContract({ servers: [{ url }], paths: {} }).servers[0]?.basePath;
}

test.each([
  ['https://a.example/v1/', '/v1'],
  ['/v1', '/v1'],
  ['v1', '/v1'],
  ['v1.2/pets', '/v1.2/pets'],
  ['//a.example/v1', '/v1'],
  ['{scheme}://{host}:{port}/v1', '/v1'],
  ['https://{region}.a.example/{version}', '/%7Bversion%7D'],
  ['api.example.com/v1', '/v1'],
  ['localhost:8080/v1', '/v1'],
  ['localhost', ''],
  [' https://a.example/v1 ', '/v1'],
  ['not a url', ''],
  ['https://a example/v1', ''],
  ['mailto:a@b.example', ''],
])('the base path of a server at %s is %s', (url, path) => {
  expect(basePath(url)).toBe(path);
});
