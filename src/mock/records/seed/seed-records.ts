import type { Contract, ForeignKey, Resource } from '../../../contract/model.ts';
import { answersAnyIdentifier, isKnowable } from '../../../contract/infer/record-knowledge.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import { emptyShelf, FixtureShelf } from '../../../store/fixture-shelf.ts';
import { RecentMap } from '../../../store/recent-map.ts';
import type { Fixtures, StoredRecord } from '../../../store/store.ts';
import type { Pin } from '../../../values/build-value.ts';
import { formPins } from '../../../values/forms.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { exampleRecords } from './example-records.ts';
import { textOf } from '../find-record.ts';
import { onlyRecord } from '../only-record.ts';
import { withField, withParents } from '../parent-fields.ts';
import { makeIdentifier, namedIdentifiers, shownIdentifier } from './seed-identifier.ts';
import { shelfName, shelfOwner, shelfParents } from '../shelf-name.ts';

/** What the records that a session starts with are made from. */
export interface SeedSource {
  readonly contract: Pick<Contract, 'inference'>;
  readonly fixtures: Fixtures;
  /**
   * How many records are made up where neither fixtures nor the contract have any; 0 starts empty.
   */
  readonly count: number;
  readonly seed: string;
}

/**
 * Shelves below records of which nobody knows which there are may be any number; so many are
 * remembered.
 */
const mostShelves = 1_000;

const mostNamed = 20;

/**
 * The records with which shelves start that no fixture fills: the contract's examples, else made
 * up. The same seed makes the same ones.
 */
export class SeedRecords {
  readonly #source: SeedSource;
  readonly #made = new RecentMap<string, FixtureShelf>(mostShelves);
  readonly #making = new Set<string>();

  constructor(source: SeedSource) {
    this.#source = source;
  }

  /**
   * The records of a shelf; undefined where it starts empty, or the fixtures say what stands there.
   */
  of(shelf: string): FixtureShelf | undefined {
    if (this.#source.fixtures.has(shelf)) return undefined;
    const known = this.#made.get(shelf);
    // What is known to start empty is told apart from what nobody has asked for.
    if (known !== undefined) return known === emptyShelf ? undefined : known;
    // Records that refer to each other in a circle: the one that was begun first goes without.
    if (this.#making.has(shelf)) return undefined;
    this.#making.add(shelf);
    const records = this.#make(shelf);
    this.#making.delete(shelf);
    const made = records.length === 0 ? emptyShelf : new FixtureShelf(shelf, records);
    this.#made.set(shelf, made);
    return records.length === 0 ? undefined : made;
  }

  #make(shelf: string): readonly StoredRecord[] {
    const parents = shelfParents(shelf);
    const resource = this.#source.contract.inference.named(shelfOwner(shelf));
    if (
      resource === undefined ||
      resource.parents.length !== parents.length ||
      !this.#hasParents(resource, parents)
    )
      return [];
    if (resource.kind === 'singleton') return this.#makeOnly(resource, shelf);
    if (this.#source.count === 0 || answersAnyIdentifier(resource)) return [];
    const shown = exampleRecords(resource).map((record) => withParents(record, resource, parents));
    const records = shown.length > 0 ? shown : this.#makeUp(resource, shelf, parents);
    const byId = new Map(
      records.map((record) => [textOf(record[resource.identifier.field] ?? ''), record]),
    );
    return [...byId].map(([id, record]) => ({ id, record }));
  }

  /**
   * A record that was added by a client starts with nothing below it; those that were there from
   * the start have had time.
   */
  #hasParents({ parents }: Resource, texts: readonly string[]): boolean {
    return parents.every(({ resource }, index) => {
      if (resource === undefined || !isKnowable(resource)) return true;
      const shelf = shelfName(resource, texts.slice(0, index));
      return this.#start(shelf).some(({ id }) => id === texts[index]);
    });
  }

  /** What a shelf starts with, from fixtures or made. */
  #start(shelf: string): readonly StoredRecord[] {
    return this.#source.fixtures.get(shelf) ?? this.of(shelf)?.records ?? [];
  }

  #makeOnly(resource: Resource, shelf: string): readonly StoredRecord[] {
    const [shown] = exampleRecords(resource);
    const record = shown ?? this.#makeOne(resource, `${shelf} ${onlyRecord}`);
    return record === undefined ? [] : [{ id: onlyRecord, record }];
  }

  #makeUp(resource: Resource, shelf: string, parents: readonly string[]): JsonObject[] {
    const records: JsonObject[] = [];
    // Records that nobody can add are there, each of those that have a name.
    const count =
      resource.operations.create === undefined
        ? Math.max(this.#source.count, Math.min(mostNamed, namedIdentifiers(resource).length))
        : this.#source.count;
    for (let index = 0; index < count; index += 1) {
      const taken = new Set(
        records.map((record) => textOf(record[resource.identifier.field] ?? '')),
      );
      const seed = `${this.#source.seed} ${shelf} ${String(index)}`;
      const made =
        this.#makeOne(resource, seed, formOf(resource, index)) ?? this.#makeOne(resource, seed);
      const id =
        made &&
        ((index === 0 ? shownIdentifier(resource) : undefined) ??
          makeIdentifier(resource, {
            index,
            seed,
            taken,
            suggested: made[resource.identifier.field],
          }));
      if (made === undefined || id === undefined) continue;
      const named = withParents({ ...made, [resource.identifier.field]: id }, resource, parents);
      const pointed = this.#pointSomewhere(named, resource, index);
      const kept = [pointed, named].find(
        (record) => resource.record.validate(record, 'response').length === 0,
      );
      if (kept !== undefined) records.push(kept);
    }
    return records;
  }

  #makeOne({ record }: Pick<Resource, 'record'>, seed: string, pin?: Pin): JsonObject | undefined {
    const made = plainValue(record, {
      seed,
      direction: 'response',
      ...(pin === undefined ? {} : { pin }),
    });
    return made.ok &&
      typeof made.value === 'object' &&
      made.value !== null &&
      !Array.isArray(made.value)
      ? (made.value as JsonObject)
      : undefined;
  }

  /** References of a made-up record name records that its session starts with. */
  #pointSomewhere(
    record: JsonObject,
    { foreignKeys, parents }: Resource,
    index: number,
  ): JsonObject {
    const own = new Set(parents.map(({ field }) => field));
    return foreignKeys
      .filter(({ field }) => !own.has(field))
      .reduce((held, key) => {
        const target = this.#choose(key, index);
        return target === undefined || fieldValue(held, key.field) === undefined
          ? held
          : withField(held, key.field.split('.'), key.many ? [target] : target);
      }, record);
  }

  #choose({ resource }: ForeignKey, index: number): JsonValue | undefined {
    const records = this.#start(resource.collection);
    return records[index % Math.max(1, records.length)]?.record[resource.identifier.field];
  }
}

/**
 * Records that may have one of several forms have each of them in turn: which one is told within
 * the whole, so that a discriminator names it.
 */
function formOf({ record }: Resource, index: number): Pin | undefined {
  const pins = formPins(record);
  return pins[index % Math.max(1, pins.length)];
}
