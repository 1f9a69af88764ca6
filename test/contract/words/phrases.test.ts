import { describe, expect, test } from 'vitest';
import { matchesOf } from '../../../src/contract/words/phrase.ts';
import { phrases } from '../../../src/contract/words/phrases/index.ts';

describe.each(Object.entries(phrases))('the phrase of the fact %s', (_fact, phrase) => {
  test.each(phrase.states)('states it: %s', (sentence) => {
    expect(matchesOf(phrase, sentence)).not.toEqual([]);
  });

  test.each(phrase.not)('does not state it: %s', (sentence) => {
    expect(matchesOf(phrase, sentence)).toEqual([]);
  });

  test('has sentences that differ from each other', () => {
    const sentences = [...phrase.states, ...phrase.not];
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
