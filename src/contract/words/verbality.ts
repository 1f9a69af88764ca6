import { verbality } from './verbs.ts';

/** How often a word is a verb; one that is in no lexicon may be made from a verb: `reindex`. */
export function verbalityOf(word: string): number {
  const known = verbality(word);
  if (known > 0) return known;
  const stem = /^(?:re|un|de|dis)(\w{3,})$/.exec(word)?.[1] ?? '';
  return /\w{3}(?:ize|ise|ify)$/.test(word) ? 2 : verbality(stem);
}
