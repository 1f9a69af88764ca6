import { describe, expect, test } from 'vitest';
import { readPreferences } from '../../src/prism/load-prism.ts';

describe('preferences in the header', () => {
  test.each([
    ['code=404', { code: 404 }],
    ['code=404, example=none', { code: 404, exampleKey: 'none' }],
    ['example="with, comma"; q=1, dynamic=true', { exampleKey: 'with, comma', dynamic: true }],
    ['DYNAMIC = false , seed = 7', { dynamic: false, seed: '7' }],
    ['code=200, code=404', { code: 200 }],
    ['return=minimal; foo="a,b", respond-async, code=201', { code: 201 }],
    ['', {}],
    [',,', {}],
  ])('%s', (header, preferences) => {
    expect(readPreferences(header, new URLSearchParams('__code=500'))).toEqual(preferences);
  });

  test.each(['code=4', 'code=abcd', 'code', 'dynamic=yes', 'dynamic'])(
    '%s cannot be read',
    (header) => {
      expect(readPreferences(header, new URLSearchParams())).toHaveProperty('unreadable');
    },
  );

  test('the reason names the word', () => {
    expect(readPreferences('code=4', new URLSearchParams())).toMatchInlineSnapshot(`
      {
        "unreadable": "code must be a status such as 404, not "4"",
      }
    `);
  });
});

test('preferences in the query, where no header is sent', () => {
  const query = new URLSearchParams('__code=404&__example=none&__dynamic=true&__seed=x');
  expect(readPreferences(undefined, query)).toEqual({
    code: 404,
    exampleKey: 'none',
    dynamic: true,
    seed: 'x',
  });
});
