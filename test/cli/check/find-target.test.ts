import { expect, test } from 'vitest';
import { urlAndDocument } from '../../../src/cli/check/find-target.ts';

test.each([
  ['http://127.0.0.1:9/v1', 'api.yaml', 'http://127.0.0.1:9/v1', 'api.yaml'],
  ['api.yaml', 'http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v1', 'api.yaml'],
  [
    'http://127.0.0.1:9',
    'http://127.0.0.1:9/api.json',
    'http://127.0.0.1:9',
    'http://127.0.0.1:9/api.json',
  ],
  [
    'http://127.0.0.1:9/api.json',
    'http://127.0.0.1:9',
    'http://127.0.0.1:9',
    'http://127.0.0.1:9/api.json',
  ],
  ['staging', 'http://127.0.0.1:9/api', 'staging', 'http://127.0.0.1:9/api'],
  ['api.yaml', undefined, 'api.yaml', undefined],
])('%s and %s: the base URL and the document', (first, second, url, document) => {
  expect(urlAndDocument(first, second)).toEqual({ url, document });
});
