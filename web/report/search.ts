import { matchesWords } from '../shared/text.ts';
import type { Facet } from './facets.ts';

/** A term of a search that has a key: `status:5xx`, `status:"no answer"`; otherwise a word. */
const token = /([a-z]+):(?:"([^"]*)"?|(\S*))|\S+/gi;

/** A search as it is understood. */
interface Search {
  readonly words: string;
  /** The values of each key, in lower case; an item needs one of them. */
  readonly terms: ReadonlyMap<string, readonly string[]>;
}

/** Reads a search. A term with an unknown key is a word; one without a value is not finished. */
function readSearch(text: string, keys: readonly string[]): Search {
  const terms = new Map<string, string[]>();
  const words: string[] = [];
  for (const [written, key = '', quoted, plain = ''] of text.matchAll(token)) {
    const name = key.toLowerCase();
    const value = (quoted ?? plain).toLowerCase();
    if (!keys.includes(name)) words.push(written);
    else if (value !== '') terms.set(name, [...(terms.get(name) ?? []), value]);
  }
  return { words: words.join(' '), terms };
}

/**
 * Which items a search means: those with all of its words and, for each key, one of its values. The
 * beginning of a value is enough, unless another item has just that value.
 */
export function searchFor<Item>(
  text: string,
  { items, keys, textOf }: SearchedList<Item>,
): (item: Item) => boolean {
  const { words, terms } = readSearch(
    text,
    keys.map(({ name }) => name),
  );
  const tests = keys.flatMap(({ name, valuesOf }) => {
    const expected = terms.get(name);
    if (expected === undefined) return [];
    const lowerOf = (item: Item): string[] => valuesOf(item).map((value) => value.toLowerCase());
    const known = new Set(items.flatMap(lowerOf));
    const isMeant = (value: string, each: string): boolean =>
      known.has(each) ? value === each : value.startsWith(each);
    return [
      (item: Item) => lowerOf(item).some((value) => expected.some((each) => isMeant(value, each))),
    ];
  });
  return (item) =>
    tests.every((isMeant) => isMeant(item)) && (words === '' || matchesWords(textOf(item), words));
}

/** The items that can be searched, by keys and by words. */
interface SearchedList<Item> {
  readonly items: readonly Item[];
  readonly keys: readonly Facet<Item>[];
  /** The text that the words cover. */
  readonly textOf: (item: Item) => string;
}

/** A term for each key with a value of the first item: `status:2xx operation:listPets`. */
export function exampleTerms<Item>({
  items: [first],
  keys,
}: Pick<SearchedList<Item>, 'items' | 'keys'>): string[] {
  if (first === undefined) return [];
  return keys.flatMap(({ name, valuesOf }) => {
    const value = valuesOf(first)[0] ?? '';
    return /^[\w.-]{1,40}$/.test(value) ? [`${name}:${value}`] : [];
  });
}
