/**
 * A map with a limited total weight: the least recently used entries are evicted. The default
 * weight is 1. The latest entry always stays.
 */
export class RecentMap<Key, Value> {
  readonly #capacity: number;
  readonly #weigh: (value: Value) => number;
  readonly #entries = new Map<Key, Value>();
  #weight = 0;
  #youngest: { readonly key: Key; readonly value: Value } | undefined;

  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, which is thereby the last one to be forgotten. */
  get(key: Key): Value | undefined {
    if (key === this.#youngest?.key) return this.#youngest.value;
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#youngest = { key, value };
    // A map remembers the order of insertion: put back in, the entry is the youngest.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Answers the values that were forgotten for it. */
  set(key: Key, value: Value): readonly Value[] {
    this.delete(key);
    this.#entries.set(key, value);
    this.#youngest = { key, value };
    this.#weight += this.#weigh(value);
    return this.#weight > this.#capacity ? this.#forget() : [];
  }

  delete(key: Key): boolean {
    const value = this.#entries.get(key);
    if (value === undefined) return false;
    if (key === this.#youngest?.key) this.#youngest = undefined;
    this.#weight -= this.#weigh(value);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#youngest = undefined;
    this.#weight = 0;
  }

  /** The keys, the one that was unused for the longest first. */
  keys(): Key[] {
    return [...this.#entries.keys()];
  }

  /** Keys with their values, in the order of the keys; using them does not make them younger. */
  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }

  /** The values, in the order of the keys; using them does not make them younger. */
  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  #forget(): readonly Value[] {
    const forgotten: Value[] = [];
    for (const [key, value] of this.#entries) {
      if (this.#weight <= this.#capacity || this.#entries.size === 1) break;
      this.delete(key);
      forgotten.push(value);
    }
    return forgotten;
  }
}
