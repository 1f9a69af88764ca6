import { expect, test } from 'vitest';
import { cutTo, lengthOf } from '../../src/values/code-points.ts';
import { fc } from '../property.ts';

test('texts are counted and cut in code points; a lone surrogate counts as one', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\ud83d', '\ude00') }),
      fc.nat({ max: 12 }),
      (text, length) => {
        expect(lengthOf(text)).toBe(Array.from(text).length);
        expect(cutTo(text, length)).toBe(Array.from(text).slice(0, length).join(''));
      },
    ),
  );
});
