import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { makeContract } from '../make-contract.ts';

/** What the encoding of a form's one member is read as. */
function encodingOf(encoding: JsonObject): unknown {
  const content = {
    'application/x-www-form-urlencoded': { schema: { type: 'object' }, encoding: { a: encoding } },
  };
  return makeContract({
    paths: { '/a': { post: { requestBody: { content }, responses: {} } } },
  }).operations[0]?.requestBody?.content[0]?.encoding?.get('a');
}

test.each<[JsonObject]>([
  ...['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'].map(
    (style): [JsonObject] => [{ style }],
  ),
  [{ contentType: 'image/png, image/jpeg' }],
  [{ explode: true }],
  [{ style: 'form', explode: false, contentType: 'text/plain' }],
  [{}],
])('%j is read as it stands', (encoding) => {
  expect(encodingOf(encoding)).toEqual(encoding);
});

test('a style for other locations is not used in queries', () => {
  expect(encodingOf({ style: 'matrix' })).toEqual({});
});
