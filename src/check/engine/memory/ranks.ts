import type { Resource } from '../../../contract/model.ts';
import { isReference } from '../../reading/identifiers.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';

/** Fewer numbers in a row say nothing about an order. */
const fewest = 3;

/**
 * The members that hold the place of a record in an order, such as `priority`, as the records of
 * others show it: whole numbers without a gap, each once, in a list or in each part of it. To take
 * a place that is taken moves the records of others.
 */
export class Ranks {
  readonly #highest = new Map<Resource, ReadonlyMap<string, number>>();
  /** The last place that the run took, by resource and member. */
  readonly #taken = new Map<string, number>();

  /** Notes the records that a resource had before the run changed anything. */
  note(resource: Resource, records: readonly JsonObject[]): void {
    const names = new Set(records.flatMap((record) => Object.keys(record)));
    const keys = [resource.identifier, ...resource.foreignKeys].map(({ field }) => field);
    const numbers = [...names].filter((name) => !keys.includes(name) && !isReference(name));
    const ranks = numbers.flatMap((name) => {
      const highest = highestRank(records, name);
      return highest === undefined ? [] : [[name, highest] as const];
    });
    if (ranks.length > 0) this.#highest.set(resource, new Map(ranks));
  }

  /** The members of a resource that hold places, each with the highest one that is taken. */
  of(resource: Resource): ReadonlyMap<string, number> {
    return this.#highest.get(resource) ?? new Map();
  }

  /** The next place of a member, behind all others: those of the run do not move each other. */
  next(resource: Resource, name: string): number {
    const key = `${resource.name}\n${name}`;
    const place = (this.#taken.get(key) ?? this.of(resource).get(name) ?? 0) + 1;
    this.#taken.set(key, place);
    return place;
  }
}

/** The highest number of a member that is a place; undefined if it is none. */
function highestRank(records: readonly JsonObject[], name: string): number | undefined {
  const numbers = records.flatMap((record) => wholeNumber(record[name]) ?? []);
  if (numbers.length < fewest || numbers.length < records.length) return undefined;
  const others = Object.keys(records[0] ?? {}).filter((other) => other !== name);
  const isOrder = [undefined, ...others].some((other) => {
    const parts = Map.groupBy(records, (record) =>
      other === undefined ? '' : String(record[other]),
    );
    const places = [...parts.values()].map((part) =>
      part.map((record) => Number(record[name])).toSorted((one, two) => one - two),
    );
    return places.some(({ length }) => length >= fewest) && places.every(isWithoutGap);
  });
  return isOrder ? Math.max(...numbers) : undefined;
}

function wholeNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** Whether sorted numbers begin with 0 or 1 and go up one by one. */
function isWithoutGap(places: readonly number[]): boolean {
  const [first] = places;
  return (first === 0 || first === 1) && places.every((place, at) => place === first + at);
}
