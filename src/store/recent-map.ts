/**
 * A map with a limited total weight: the least recently used entries are evicted. The default
 * weight is 1. The latest entry always stays.
 */
export class RecentMap<Key, Value> {
  readonly #capacity: number;
  readonly #weigh: (value: Value) => number;
  readonly #entries = new Map<Key, Value>();
  #weight = 0;
  #latest: { readonly key: Key; readonly value: Value } | undefined;

  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** The value of a key, which becomes the most recently used one. */
  get(key: Key): Value | undefined {
    if (key === this.#latest?.key) return this.#latest.value;
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#latest = { key, value };
    // A map keeps the order of insertion: inserted again, the entry is the most recent.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Sets a value; returns the evicted values. */
  set(key: Key, value: Value): readonly Value[] {
    this.delete(key);
    this.#entries.set(key, value);
    this.#latest = { key, value };
    this.#weight += this.#weigh(value);
    return this.#weight > this.#capacity ? this.#evict() : [];
  }

  delete(key: Key): boolean {
    const value = this.#entries.get(key);
    if (value === undefined) return false;
    if (key === this.#latest?.key) this.#latest = undefined;
    this.#weight -= this.#weigh(value);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#latest = undefined;
    this.#weight = 0;
  }

  /** The keys, the least recently used first. */
  keys(): Key[] {
    return [...this.#entries.keys()];
  }

  /** Keys with their values, in the order of the keys; this does not count as use. */
  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }

  /** The values, in the order of the keys; this does not count as use. */
  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  #evict(): readonly Value[] {
    const evicted: Value[] = [];
    for (const [key, value] of this.#entries) {
      if (this.#weight <= this.#capacity || this.#entries.size === 1) break;
      this.delete(key);
      evicted.push(value);
    }
    return evicted;
  }
}
