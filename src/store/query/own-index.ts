import type { JsonValue } from '../../json/value.ts';
import { fieldValues, parseField, type FieldPath } from '../field-values.ts';
import type { Entry } from './entry.ts';
import { hashJson } from './hash-json.ts';

/** Finds the entries of a session by the value of one field, while they come and go. */
export class OwnIndex {
  readonly #field: string;
  readonly #path: FieldPath;
  /**
   * By the hash of the value. Most values of an identifying field have one entry, which needs no
   * set.
   */
  readonly #groups = new Map<number, Entry | Set<Entry>>();

  constructor(field: string, entries: Iterable<Entry>) {
    this.#field = field;
    this.#path = parseField(field);
    for (const entry of entries) this.add(entry);
  }

  add(entry: Entry): void {
    for (const hash of this.#hashes(entry)) {
      const group = this.#groups.get(hash);
      if (group instanceof Set) group.add(entry);
      else
        this.#groups.set(
          hash,
          group === undefined || group === entry ? entry : new Set([group, entry]),
        );
    }
  }

  remove(entry: Entry): void {
    for (const hash of this.#hashes(entry)) {
      const group = this.#groups.get(hash);
      if (group instanceof Set && group.size > 1) group.delete(entry);
      else if (group !== undefined) this.#groups.delete(hash);
    }
  }

  /** The entries that hold one of the values, and maybe some others; in no order, each once. */
  candidates(values: readonly JsonValue[]): Set<Entry> {
    const [first, ...rest] = values.map((value) => this.#groups.get(hashJson(value)));
    const whole = first instanceof Set ? first : new Set(first === undefined ? [] : [first]);
    if (rest.length === 0) return whole;
    const joined = new Set(whole);
    for (const group of rest) {
      if (group instanceof Set) for (const entry of group) joined.add(entry);
      else if (group !== undefined) joined.add(group);
    }
    return joined;
  }

  /** A list may hold one value twice, or two of one hash. */
  #hashes({ record }: Entry): Set<number> {
    return new Set(fieldValues(record, this.#field, this.#path).map(hashJson));
  }
}
