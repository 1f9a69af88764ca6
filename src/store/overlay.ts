import type { JsonObject } from '../json/value.ts';
import { greaterOf, type FixtureShelf } from './fixture-shelf.ts';
import type { StoredRecord } from './store.ts';

/** What one session changed in one collection, laid over the fixtures that it shares with all others. */
export class Overlay {
  readonly #base: FixtureShelf;
  /** Fixtures that were replaced, by identifier. */
  readonly #replaced = new Map<string, JsonObject>();
  /** Fixtures that were deleted. */
  readonly #removed = new Set<string>();
  /** Records that no fixture stands behind, in the order in which they were added. */
  readonly #added = new Map<string, StoredRecord>();
  #greatest: bigint;

  constructor(base: FixtureShelf) {
    this.#base = base;
    this.#greatest = base.greatest;
  }

  list(): StoredRecord[] {
    return [...this.#fixtures(), ...this.#added.values()];
  }

  get(id: string): JsonObject | undefined {
    const added = this.#added.get(id);
    if (added !== undefined) return added.record;
    return this.#removed.has(id) ? undefined : (this.#replaced.get(id) ?? this.#base.byId.get(id));
  }

  /** Adds a record whose identifier is free. */
  add(stored: StoredRecord): void {
    this.#added.set(stored.id, stored);
    this.#greatest = greaterOf(this.#greatest, stored.id);
  }

  /** Replaces a record that is there. */
  replace(stored: StoredRecord): void {
    if (this.#added.has(stored.id)) this.#added.set(stored.id, stored);
    else this.#replaced.set(stored.id, stored.record);
  }

  /** Removes a record that is there. */
  remove(id: string): void {
    if (this.#added.delete(id)) return;
    this.#replaced.delete(id);
    this.#removed.add(id);
  }

  nextInteger(): bigint {
    this.#greatest += 1n;
    return this.#greatest;
  }

  #fixtures(): readonly StoredRecord[] {
    if (this.#replaced.size === 0 && this.#removed.size === 0) return this.#base.records;
    const left = this.#base.records.filter(({ id }) => !this.#removed.has(id));
    return left.map((stored) => {
      const replaced = this.#replaced.get(stored.id);
      return replaced === undefined ? stored : { id: stored.id, record: replaced };
    });
  }
}
