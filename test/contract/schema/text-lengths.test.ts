import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { fc } from '../../property.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

/** The keywords that a text breaks. */
function broken(node: JsonObject, text: string): string[] {
  const schema = makeContract({
    paths: {
      '/a': { post: { requestBody: jsonContent({ type: 'string', ...node }), responses: {} } },
    },
  }).operations[0]?.requestBody?.content[0]?.schema;
  return (schema?.validate(text, 'request') ?? []).map(
    ({ keyword, message }) => `${keyword}: ${message}`,
  );
}

const [tooShort, tooLong] = [
  'minLength: must have 3 characters or more',
  'maxLength: must have 3 characters or fewer',
];

test.each<[string, string, string[]]>([
  ['two letters', 'ab', [tooShort]],
  ['three', 'abc', []],
  ['four', 'abcd', [tooLong]],
  ['seven', 'abcdefg', [tooLong]],
  ['one character of two units', '😀', [tooShort]],
  ['two', '😀😀', [tooShort]],
  ['three', '😀😀😀', []],
  ['four', '😀😀😀😀', [tooLong]],
  ['two halves of a character in the wrong order, and a letter', '\ude00\ud83da', []],
])('a length is counted in characters: %s (%s)', (_name, text, expected) => {
  expect(broken({ minLength: 3, maxLength: 3 }, text)).toEqual(expected);
});

test('the length of any text is its number of code points', () => {
  const limit = 4;
  const schema = makeContract({
    paths: {
      '/a': {
        post: {
          requestBody: jsonContent({ type: 'string', minLength: limit, maxLength: limit }),
          responses: {},
        },
      },
    },
  }).operations[0]?.requestBody?.content[0]?.schema;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'), { maxLength: 10 }),
      (pieces) => {
        const text = pieces.join('');
        const length = [...text].length;
        expect((schema?.validate(text, 'request') ?? []).map(({ keyword }) => keyword)).toEqual([
          ...(length < limit ? ['minLength'] : []),
          ...(length > limit ? ['maxLength'] : []),
        ]);
      },
    ),
  );
});
