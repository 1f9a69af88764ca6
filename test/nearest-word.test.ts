import { describe, expect, test } from 'vitest';
import { meantWord, nearestWord, suggestWord } from '../src/errors.ts';

describe('an unknown word gets the nearest known one', () => {
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

  test.each<[string, string | undefined]>([
    ['body-matches', 'body-matches-schema'],
    ['body-maches', 'body-matches-schema'],
    ['status', 'status-documented'],
    ['fields', undefined],
    ['bod', undefined],
  ])('or, for a person who chooses, the only one that begins so: %s', (word, expected) => {
    expect(
      meantWord(word, [
        'body-matches-schema',
        'body-parses',
        'status-documented',
        'fields-documented',
        'fields-are-known',
      ]),
    ).toBe(expected);
  });

  test('without a near word, all are listed', () => {
    expect(suggestWord('zzz', ['a-word', 'b-word'])).toBe('Choose one of: a-word, b-word.');
    expect(suggestWord('zzz', ['same', 'same'])).toBe('Choose one of: same.');
    expect(suggestWord('zzz', [])).toBe('There is none to choose from.');
  });

  test('of a long list, a dozen that are nearest', () => {
    const known = Array.from({ length: 60 }, (_, index) => `operation-${String(index + 10)}`);
    expect(suggestWord('update-55', known)).toMatch(
      /^Choose one of: operation-55, (?:operation-\d\d, ){11}or one of 48 more\.$/,
    );
  });
});
