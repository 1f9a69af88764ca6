/** A sequence is seldom longer, and each of its steps is compared with those before it. */
const max = 16;

/**
 * A small cache of results for the last few responses. A run reads thousands of responses, each a
 * dozen times in succession: a WeakMap that keeps all of them is slower than computing some results
 * again. Of large ones, it keeps the last only.
 */
export class Recent<Key extends object, Value> {
  readonly #keys: Key[] = [];
  readonly #values: Value[] = [];
  readonly #isLarge: (key: Key) => boolean;
  #large: { readonly key: Key; readonly value: Value } | undefined;
  #next = 0;

  constructor(isLarge: (key: Key) => boolean = () => false) {
    this.#isLarge = isLarge;
  }

  /** The cached result for this object, if it is recent. */
  get(key: Key): Value | undefined {
    const keys = this.#keys;
    for (let at = 0; at < keys.length; at += 1) if (keys[at] === key) return this.#values[at];
    return this.#large?.key === key ? this.#large.value : undefined;
  }

  /** Caches a result in place of the oldest. */
  set(key: Key, value: Value): Value {
    if (this.#isLarge(key)) {
      this.#large = { key, value };
      return value;
    }
    this.#keys[this.#next] = key;
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % max;
    return value;
  }
}
