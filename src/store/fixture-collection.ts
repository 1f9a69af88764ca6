import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { remember } from '../remember.ts';
import { StoredEntry, freezeRecord, sortPositions } from './field-values.ts';
import { FieldIndex } from './query/field-index.ts';
import { findPage } from './query/find-page.ts';
import { type Matcher, readSelection, type Selection } from './query/selection.ts';
import { RecentMap } from './recent-map.ts';
import type { Condition, Fixtures, Query, QueryResult, StoredRecord } from './store.ts';

/**
 * The positions of the records that a query selects, in its order; undefined where that is all of
 * them as they stand.
 */
export type Positions = Uint32Array | undefined;

const maxIndexes = 32;

/**
 * The initial records of one collection, shared by all sessions. Frozen; indexes are built on first
 * use and shared too.
 */
export class FixtureCollection {
  readonly records: readonly StoredEntry[];
  /** The greatest integer among the identifiers, and never less than 0. */
  readonly greatest: bigint;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #indexes = new RecentMap<string, FieldIndex>(maxIndexes);
  readonly #views: RecentMap<string, Uint32Array>;

  /**
   * Copies and freezes the fixtures. Throws a VouchError ('fixture-invalid') where two have one
   * identifier.
   */
  constructor(collection: string, fixtures: readonly StoredRecord[]) {
    this.records = Object.freeze(
      fixtures.map(
        ({ id, record }, place) => new StoredEntry({ id, record: freezeRecord(record) }, place),
      ),
    );
    this.#positions = new Map(this.records.map(({ id }, position) => [id, position]));
    if (this.#positions.size < this.records.length) throw sameId(collection, this.records);
    this.greatest = this.records.reduce((greatest, { id }) => greaterOf(greatest, id), 0n);
    // The selections of a few fields, or many that select little, in a few times the memory of the
    // list itself.
    this.#views = new RecentMap(65_536 + 8 * this.records.length, (view) => 256 + view.length);
  }

  /** The position of the record with an identifier. */
  position(id: string): number | undefined {
    return this.#positions.get(id);
  }

  get(id: string): JsonObject | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.records[position]?.record;
  }

  /** Answers a query of a session that changed nothing. */
  query(query: Query): QueryResult | undefined {
    return findPage({ base: this, overlay: undefined, entry: (id) => this.#find(id) }, query);
  }

  /** The entry at a position that exists. */
  entry(position: number): StoredEntry {
    // Positions come from this collection, so they exist.
    return this.records[position] as StoredEntry;
  }

  /**
   * What a query selects. The first time costs a walk over what may match, the next times nothing.
   */
  select(selection: Selection): Positions {
    if (selection.matches === undefined && selection.order === undefined) return undefined;
    return remember(this.#views, selection.key, () => selectPositions(this, selection));
  }

  index(field: string): FieldIndex {
    return remember(this.#indexes, field, () => new FieldIndex(this.records, field));
  }

  #find(id: string): StoredEntry | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.entry(position);
  }
}

export const emptyCollection = new FixtureCollection('', []);

export class FixtureCollections extends Map<string, FixtureCollection> {
  constructor(fixtures: Fixtures = new Map()) {
    super([...fixtures].map(([name, records]) => [name, new FixtureCollection(name, records)]));
  }

  /** The fixtures of a collection, which may have none. */
  of(name: string): FixtureCollection {
    return this.get(name) ?? emptyCollection;
  }
}

function sameId(collection: string, records: readonly StoredRecord[]): VouchError {
  const seen = new Set<string>();
  const twice = records.find(({ id }) => seen.has(id) || !seen.add(id));
  return new VouchError(
    'fixture-invalid',
    `Two fixtures of ${collection} have the identifier ${twice?.id ?? ''}.`,
    { hint: 'Give each record a unique identifier.' },
  );
}

const integer = /^-?[0-9]+$/;

/**
 * The greater of an integer and an identifier; other identifiers are ignored.
 */
export function greaterOf(greatest: bigint, id: string): bigint {
  // A number with so few digits is exact; NaN is ignored either way.
  if (id.length <= 15 && Number(id) <= Number(greatest)) return greatest;
  if (!integer.test(id)) return greatest;
  const number = BigInt(id);
  return number > greatest ? number : greatest;
}

/** Smaller collections are searched without an index. */
const fewRecords = 256;

/** The positions of the records that a query selects, in its order. */
function selectPositions(collection: FixtureCollection, selection: Selection): Uint32Array {
  const { matches, order } = selection;
  if (matches === undefined)
    return sortPositions(
      collection.records,
      Uint32Array.from(collection.records, (_stored, position) => position),
      selection.sortKeys,
    );
  const found = keepMatches(collection.records, candidates(collection, selection.where), matches);
  return order === undefined ? found : sortSome(collection, found, selection);
}

/**
 * The positions among which all matches are: those of the condition that leaves the fewest, or all.
 */
function candidates(
  collection: FixtureCollection,
  where: readonly Condition[],
): Uint32Array | undefined {
  if (collection.records.length < fewRecords) return undefined;
  const exact = where.flatMap((condition) =>
    condition.op === 'in' && condition.by === undefined
      ? [{ index: collection.index(condition.field), values: condition.values }]
      : [],
  );
  const [first, ...rest] = exact.map((one) => ({ ...one, size: one.index.size(one.values) }));
  if (first === undefined) return undefined;
  const fewest = rest.reduce((least, one) => (one.size < least.size ? one : least), first);
  return fewest.size < collection.records.length
    ? fewest.index.candidates(fewest.values)
    : undefined;
}

function keepMatches(
  records: readonly StoredRecord[],
  among: Uint32Array | undefined,
  matches: Matcher,
): Uint32Array {
  const found = new Uint32Array(among?.length ?? records.length);
  let count = 0;
  for (let index = 0; index < found.length; index += 1) {
    const position = among === undefined ? index : (among[index] ?? 0);
    const stored = records[position];
    if (stored === undefined || !matches(stored.record)) continue;
    found[count] = position;
    count += 1;
  }
  return found.slice(0, count);
}

/** Sorting many is dearer than picking them out of all, which are sorted once for every filter. */
function sortSome(
  collection: FixtureCollection,
  found: Uint32Array,
  { sortKeys }: Selection,
): Uint32Array {
  const { records } = collection;
  if (found.length < 4096 || found.length * 16 < records.length)
    return sortPositions(records, found, sortKeys);
  const all = collection.select(readSelection({ where: [], order: sortKeys, offset: 0 }));
  const isFound = new Uint8Array(records.length);
  for (const position of found) isFound[position] = 1;
  return all === undefined ? found : all.filter((position) => isFound[position] === 1);
}
