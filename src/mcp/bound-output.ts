import { cleanText, cutText, writeJson } from '../text/safe-text.ts';

/** The maximum length of a result as JSON, in characters: about 5,000 tokens of a model. */
export const maxResultLength = 20_000;

/** A page ends before an item that would make it longer than this, except for its first item. */
const maxPageLength = 14_000;

/** One page of a list, with its position. */
export interface ResultPage<Item> {
  readonly items: readonly Item[];
  readonly page: PageInfo;
}

/** The position of a page in its list. A type, so that it is assignable to an open object. */
export type PageInfo = {
  /** The number of items of the whole list. */
  readonly total: number;
  readonly offset: number;
  readonly shown: number;
  /** The offset of the next page; null at the end of the list. */
  readonly next: number | null;
};

/** Which items of a list are wanted. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

/** The items from an offset that fit into one result: at most `limit`, and at least one. */
export function takePage<Item>(
  all: readonly Item[],
  { offset, limit }: PageRequest,
): ResultPage<Item> {
  const items: Item[] = [];
  let length = 0;
  for (const item of all.slice(offset, offset + limit)) {
    length += writeJson(shorten(item, { text: cuts[0].text, items: cuts[0].items })).length;
    if (items.length > 0 && length > maxPageLength) break;
    items.push(item);
  }
  const end = offset + items.length;
  const next = items.length > 0 && end < all.length ? end : null;
  return { items, page: { total: all.length, offset, shown: items.length, next } };
}

interface Cut {
  /** The maximum length of a text in characters. */
  readonly text: number;
  /** The maximum length of a list. */
  readonly items: number;
}

/** From mild to strict: the first that makes a result short enough is used. */
const cuts = [
  { text: 4_000, items: 1_000 },
  { text: 1_000, items: 100 },
  { text: 300, items: 40 },
  { text: 120, items: 15 },
  { text: 60, items: 5 },
] as const satisfies readonly Cut[];

/** A result that fits, and what was cut from it; undefined if it is complete. */
export interface BoundedResult {
  readonly value: unknown;
  readonly cut: string | undefined;
}

/**
 * Makes a result safe and short: control and hidden characters of its texts become escapes, and
 * texts and lists are cut until its JSON has at most `maxResultLength` characters. The sentence
 * about the cuts contains nothing of the result.
 */
export function boundResult(value: unknown): BoundedResult {
  const whole = shorten(value, { text: Infinity, items: Infinity });
  for (const cut of cuts) {
    const shorter = shorten(whole, cut);
    const json = writeJson(shorter);
    if (json.length > maxResultLength) continue;
    const isComplete = json.length === writeJson(whole).length;
    return { value: shorter, cut: isComplete ? undefined : describeCut(cut) };
  }
  const { text, items } = cuts[4];
  return { value: shorten(whole, { text, items }), cut: describeCut({ text, items }) };
}

function describeCut({ text, items }: Cut): string {
  return (
    `Texts are cut after ${String(text)} characters, and lists after ${String(items)} items, ` +
    'because the result was too long. Ask for fewer items, or for one item alone.'
  );
}

/** A copy as plain JSON with safe texts; a bigint becomes the text of its digits. */
function shorten(value: unknown, cut: Cut): unknown {
  if (typeof value === 'string') return cutText(cleanText(value), cut.text);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.slice(0, cut.items).map((item) => shorten(item, cut));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, shorten(member, cut)]),
  );
}
