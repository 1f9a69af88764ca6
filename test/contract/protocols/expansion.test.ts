import { describe, expect, test } from 'vitest';
import {
  type Expanded,
  readExpand,
  writeExpand,
} from '../../../src/contract/protocols/expansion.ts';

describe('the value of $expand', () => {
  test.each<[string, readonly Expanded[]]>([
    ['Category', [{ name: 'Category' }]],
    ['Category,Reviews', [{ name: 'Category' }, { name: 'Reviews' }]],
    ['Reviews($top=2)', [{ name: 'Reviews', top: 2 }]],
    [
      'Reviews($orderby=Rating desc,ID;$skip=1;$top=2)',
      [
        {
          name: 'Reviews',
          order: [
            { field: 'Rating', descending: true },
            { field: 'ID', descending: false },
          ],
          skip: 1,
          top: 2,
        },
      ],
    ],
    [
      "A($select=Name,ID;$filter=Name eq 'a,b;c)';$top=1),B",
      [{ name: 'A', select: ['Name', 'ID'], filter: "Name eq 'a,b;c)'", top: 1 }, { name: 'B' }],
    ],
  ])('is read from %s, and written so', (text, expanded) => {
    expect(readExpand(text)).toEqual(expanded);
    expect(writeExpand(expanded)).toBe(text);
  });

  test.each(['', 'A($levels=2)', 'A($orderby=B up)', 'A(', 'A/B', 'A,,B'])(
    'is not understood in «%s»',
    (text) => {
      expect(readExpand(text)).toBeUndefined();
    },
  );
});
