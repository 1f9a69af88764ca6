/** A sequence is seldom longer, and each of its steps is compared with those before it. */
const most = 16;

/**
 * A small cache of results for the last few responses. A run reads thousands of responses, each a
 * dozen times in succession: a WeakMap that keeps all of them is slower than computing some results
 * again.
 */
export class Recent<Key extends object, Value> {
  readonly #keys: Key[] = [];
  readonly #values: Value[] = [];
  #next = 0;

  /** The cached result for this object, if it is recent. */
  get(key: Key): Value | undefined {
    const keys = this.#keys;
    for (let at = 0; at < keys.length; at += 1) if (keys[at] === key) return this.#values[at];
    return undefined;
  }

  /** Caches a result in place of the oldest. */
  set(key: Key, value: Value): Value {
    this.#keys[this.#next] = key;
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % most;
    return value;
  }
}
