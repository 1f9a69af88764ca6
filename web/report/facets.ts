/** The filter of a list as in the address: facets by name, `text` and `page`. */
export type Filter = Readonly<Record<string, string>>;

/** A property by which a list can be filtered. */
export interface Facet<Item> {
  readonly name: string;
  readonly valuesOf: (item: Item) => readonly string[];
  /** The label of a value, if it differs from the value. */
  readonly labelOf?: (value: string) => string;
}

/** The address of a list with its filter: `#/findings?severity=error`. */
export function addressOf(route: string, filter: Filter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(isSet)).toString();
  return `#/${route}${query === '' ? '' : `?${query}`}`;
}

/** An address without a page shows the first one. */
function isSet([, value]: [name: string, value: string]): boolean {
  return value !== '' && value !== '1';
}

/** Whether an item has the value of every selected facet. */
export function isChosen<Item>(
  item: Item,
  facets: readonly Facet<Item>[],
  filter: Filter,
): boolean {
  return facets.every(({ name, valuesOf }) => {
    const expected = filter[name] ?? '';
    return expected === '' || valuesOf(item).includes(expected);
  });
}

export function countValues<Item>(
  items: readonly Item[],
  valuesOf: Facet<Item>['valuesOf'],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items)
    for (const value of valuesOf(item)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/**
 * The values of a facet with their counts: statuses below their class, others in their original
 * order.
 */
export function sortValues(
  name: string,
  counts: ReadonlyMap<string, number>,
): (readonly [value: string, count: number])[] {
  const rank = (value: string): string => value.replaceAll('x', ' ');
  return name === 'status'
    ? [...counts].sort(([left], [right]) => (rank(left) < rank(right) ? -1 : 1))
    : [...counts];
}

/** The number of items on a page of a list. */
export const pageLength = 100;

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The number of the page, from 1, and of the last one. */
  readonly page: number;
  readonly last: number;
  /** The number of items on the previous pages. */
  readonly from: number;
}

/** The page in a filter, or the nearest existing one. */
export function pageOf<Item>(
  items: readonly Item[],
  { page: expected = '' }: Filter,
): ListPage<Item> {
  const last = Math.max(1, Math.ceil(items.length / pageLength));
  const page = Math.min(last, Math.max(1, Math.trunc(Number(expected)) || 1));
  const from = (page - 1) * pageLength;
  return { items: items.slice(from, from + pageLength), page, last, from };
}
