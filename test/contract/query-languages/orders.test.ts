import { describe, expect, test } from 'vitest';
import { plainOrder, signOrder, wordOrder } from '../../../src/contract/query-languages/orders.ts';
import type { OrderLanguage } from '../../../src/contract/query-languages/language.ts';

const name = { field: 'name', descending: false };
const size = { field: 'size', descending: true };

describe('an order', () => {
  test.each<[OrderLanguage, string]>([
    [wordOrder, 'name,size desc'],
    [signOrder, 'name,-size'],
  ])('of two fields is written and read', (language, text) => {
    expect(language.write([name, size])).toBe(text);
    expect(language.read(text)).toEqual([name, size]);
  });

  test.each<[OrderLanguage, string]>([
    [wordOrder, 'name asc, size desc'],
    [wordOrder, 'name ,  size desc'],
    [signOrder, 'name, -size'],
  ])('is read with other blanks', (language, text) => {
    expect(language.read(text)).toEqual([name, size]);
  });

  test.each<[OrderLanguage, string]>([
    [wordOrder, '-name'],
    [wordOrder, 'name down'],
    [wordOrder, 'name:desc'],
    [wordOrder, ''],
    [signOrder, 'name desc'],
    [signOrder, '--name'],
    [signOrder, 'name,,size'],
    [plainOrder, 'name,size'],
  ])('of another language is not read', (language, text) => {
    expect(language.read(text)).toBeUndefined();
  });

  test('is ascending and of one field where nothing says more', () => {
    expect(plainOrder.write([name])).toBe('name');
    expect(plainOrder.write([size])).toBeUndefined();
    expect(plainOrder.write([name, size])).toBeUndefined();
    expect(plainOrder.read('name')).toEqual([name]);
  });

  test('of a field with an odd name is not written', () => {
    expect(wordOrder.write([{ field: 'a b', descending: false }])).toBeUndefined();
  });
});
