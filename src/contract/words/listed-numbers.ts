import { wordsOf } from '../infer/infer-names.ts';
import type { LocatedNode } from '../model/schema.ts';
import { descriptionOf } from './facts.ts';

/** What an error says, and the names of what is wrong. */
interface Said {
  readonly message: string;
  readonly names: readonly string[];
}

/**
 * The number that the description of a field lists for an error, with words behind each: `4041 no
 * such record, 4092 number in use`. Names count more than the other words of the error. Undefined
 * if it lists none, or if no words are those of the error.
 */
export function numberListed(field: LocatedNode, { message, names }: Said): number | undefined {
  const listed = [...descriptionOf(field).matchAll(/\b(\d{3,})[\s:=-]+([a-z][^,;.\d]*)/gi)];
  if (listed.length < 2) return undefined;
  const said = new Set(wordsOf(message));
  const named = new Set(names.flatMap(wordsOf));
  const scores = listed.map(([, number, words = '']) => {
    const alike = wordsOf(words).map((word) => (named.has(word) ? 3 : Number(said.has(word))));
    return { number: Number(number), score: alike.reduce<number>((sum, one) => sum + one, 0) };
  });
  const [best] = scores.toSorted((left, right) => right.score - left.score);
  return best === undefined || best.score === 0 ? undefined : best.number;
}
