/** So many: a sequence is seldom longer, and each of its steps is held against those before it. */
const most = 16;

/**
 * What was made of the last few answers, for those who ask for it one after the other. A run makes
 * thousands, each of which is asked for a dozen times and then no more: a WeakMap, which remembers
 * all of them, takes longer than to make some of it again.
 */
export class Recent<Key extends object, Value> {
  readonly #keys: Key[] = [];
  readonly #values: Value[] = [];
  #next = 0;

  /** What was made of this very object, where that is not long ago. */
  get(key: Key): Value | undefined {
    const keys = this.#keys;
    for (let at = 0; at < keys.length; at += 1) if (keys[at] === key) return this.#values[at];
    return undefined;
  }

  /** Remembers a value, in the place of the oldest. */
  set(key: Key, value: Value): Value {
    this.#keys[this.#next] = key;
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % most;
    return value;
  }
}
