import { describe, expect, test } from 'vitest';
import { nearestWord, suggestWord } from '../src/nearest-word.ts';

describe('a wrong word gets the nearest right one', () => {
  test.each<[string, string | undefined]>([
    ['listPet', 'listPets'],
    ['lsitPets', 'listPets'],
    ['LISTPETS', 'listPets'],
    ['createpte', 'createPet'],
    ['remove', undefined],
    ['', undefined],
  ])('%s', (word, expected) => {
    expect(nearestWord(word, ['listPets', 'createPet'])).toBe(expected);
  });

  test('and all of them where none is near', () => {
    expect(suggestWord('zzz', ['a-word', 'b-word'])).toBe('Choose one of: a-word, b-word.');
    expect(suggestWord('zzz', [])).toBe('There is none to choose from.');
  });
});
