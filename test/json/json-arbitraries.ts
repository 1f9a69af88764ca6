import type { JsonValue } from '../../src/json/value.ts';
import { fc } from '../property.ts';

const beyondDoubles = fc.oneof(
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
  fc.bigInt({ min: -(2n ** 70n), max: -(2n ** 53n) }),
);

const numbers = fc
  .oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    // An unsafe integer below 1e21 is written without exponent, and so comes back as a bigint.
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter(
        (value) =>
          !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21,
      ),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));

const texts = fc.string({ unit: 'grapheme', maxLength: 12 });
const names = fc.oneof(
  { weight: 5, arbitrary: texts },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toJSON', '<<', '1') },
);

/** Any JSON value that vouch can hold: bigints, odd names and Unicode included. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    numbers,
    beyondDoubles,
    texts,
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .uniqueArray(fc.tuple(names, tie('value')), { maxLength: 5, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '"a"',
  '"b"',
  '"__proto__"',
  '\\u0061',
  '\\ud800',
  '\\udc00',
  '1',
  '-',
  '0',
  '.5',
  'e9',
  'e999',
  'true',
  'null',
  ' ',
  '\n',
  '\uFEFF',
  'é',
  '😀',
  '\ud800',
];

/**
 * Text that is nearly JSON: real documents, cut and spliced, and random strings of JSON's own
 * tokens. No long integers.
 */
export const jsonLikeText: fc.Arbitrary<string> = fc
  .oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
    fc.json({ depthSize: 'small' }),
    fc
      .tuple(fc.json({ depthSize: 'small' }), fc.nat(60), fc.nat(3), fc.constantFrom(...pieces))
      .map(([text, at, length, piece]) => text.slice(0, at) + piece + text.slice(at + length)),
  )
  .filter((text) => !/\d{16}/.test(text));
