import type { Entry } from './query/entry.ts';

/**
 * Entries by identifier. Most identifiers are integers that a store counted up, one after the
 * other: their entries stand in a list, which takes a third of the memory of a hash table, and no
 * time to grow. All others are hashed.
 */
export class EntryMap {
  /** The integer of the first entry in the list; each one further on has the next integer. */
  #first = 0;
  readonly #counted: (Entry | undefined)[] = [];
  readonly #others = new Map<string, Entry>();
  #holes = 0;

  get size(): number {
    return this.#counted.length - this.#holes + this.#others.size;
  }

  get(id: string): Entry | undefined {
    const at = this.#placeOf(id);
    return at === undefined ? this.#others.get(id) : this.#counted[at];
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  set(id: string, entry: Entry): void {
    const integer = integerOf(id);
    if (integer === undefined) return void this.#others.set(id, entry);
    if (this.#counted.length === 0) this.#first = integer;
    const at = integer - this.#first;
    if (at < 0 || at > this.#counted.length) return void this.#others.set(id, entry);
    // One that is next in line now may have come before its turn.
    if (at === this.#counted.length) this.#others.delete(id);
    else if (this.#counted[at] === undefined) this.#holes -= 1;
    this.#counted[at] = entry;
  }

  delete(id: string): void {
    const at = this.#placeOf(id);
    if (at === undefined) return void this.#others.delete(id);
    if (this.#counted[at] !== undefined) this.#holes += 1;
    this.#counted[at] = undefined;
  }

  /**
   * Where an identifier stands in the list; undefined where it is none of those that the list is
   * about.
   */
  #placeOf(id: string): number | undefined {
    const integer = integerOf(id);
    if (integer === undefined) return undefined;
    const at = integer - this.#first;
    return at >= 0 && at < this.#counted.length ? at : undefined;
  }
}

const mostDigits = 15;
const [zero, nine] = [0x30, 0x39];

/**
 * The integer whose only decimal form an identifier is; undefined where it is none, or one that a
 * double may round.
 */
function integerOf(id: string): number | undefined {
  if (id.length === 0 || id.length > mostDigits || (id.length > 1 && id.charCodeAt(0) === zero))
    return undefined;
  let integer = 0;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    if (code < zero || code > nine) return undefined;
    integer = integer * 10 + (code - zero);
  }
  return integer;
}
