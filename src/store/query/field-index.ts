import type { JsonValue } from '../../json/value.ts';
import { type StoredEntry, type FieldPath, fieldValues, parseField } from '../field-values.ts';
import type { StoredRecord } from '../store.ts';

/**
 * Finds the positions of records by the value of one field, in 4 to 8 bytes per record. Positions
 * are grouped by the hash of the value, so callers must compare the values.
 */
export class FieldIndex {
  /** Where each group begins in `#positions`; one more than there are groups. */
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;

  constructor(records: readonly StoredRecord[], field: string) {
    const mask = (1 << Math.max(4, Math.ceil(Math.log2(records.length + 1)))) - 1;
    const groups = groupsOf(records, field, mask);
    this.#starts = new Uint32Array(mask + 2);
    for (const group of groups.byValue)
      this.#starts[group + 1] = (this.#starts[group + 1] ?? 0) + 1;
    for (let group = 0; group <= mask; group += 1)
      this.#starts[group + 1] = (this.#starts[group + 1] ?? 0) + (this.#starts[group] ?? 0);
    this.#positions = placeByGroup(groups, this.#starts);
  }

  /** How many positions `candidates` will answer at most. */
  size(values: readonly JsonValue[]): number {
    return values.reduce<number>((total, value) => total + this.#group(value).length, 0);
  }

  /**
   * The positions of all records that hold one of the values, and maybe of some others; ascending,
   * each once.
   */
  candidates(values: readonly JsonValue[]): Uint32Array {
    const groups = values.map((value) => this.#group(value));
    const [only] = groups;
    const all = groups.length === 1 && only !== undefined ? only : join(groups).sort();
    return all.filter((position, index) => index === 0 || position !== all[index - 1]);
  }

  #group(value: JsonValue): Uint32Array {
    const group = hashJson(value) & (this.#starts.length - 2);
    return this.#positions.subarray(this.#starts[group], this.#starts[group + 1]);
  }
}

/** The group of each value, and the position of the record that holds it. */
interface Groups {
  readonly byValue: Uint32Array;
  readonly positions: Uint32Array;
}

function groupsOf(records: readonly StoredRecord[], field: string, mask: number): Groups {
  const path = parseField(field);
  let groups = {
    byValue: new Uint32Array(records.length),
    positions: new Uint32Array(records.length),
  };
  let count = 0;
  for (const [position, { record }] of records.entries()) {
    for (const value of fieldValues(record, field, path)) {
      if (count === groups.byValue.length)
        groups = { byValue: double(groups.byValue), positions: double(groups.positions) };
      groups.byValue[count] = hashJson(value) & mask;
      groups.positions[count] = position;
      count += 1;
    }
  }
  return {
    byValue: groups.byValue.subarray(0, count),
    positions: groups.positions.subarray(0, count),
  };
}

function placeByGroup({ byValue, positions }: Groups, starts: Uint32Array): Uint32Array {
  const next = starts.slice();
  const placed = new Uint32Array(positions.length);
  for (const [index, group] of byValue.entries()) {
    const place = next[group] ?? 0;
    placed[place] = positions[index] ?? 0;
    next[group] = place + 1;
  }
  return placed;
}

function double(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(Math.max(16, 2 * numbers.length));
  longer.set(numbers);
  return longer;
}

function join(groups: readonly Uint32Array[]): Uint32Array {
  const joined = new Uint32Array(groups.reduce((total, group) => total + group.length, 0));
  let end = 0;
  for (const group of groups) {
    joined.set(group, end);
    end += group.length;
  }
  return joined;
}

/** Finds the entries of a session by the value of one field, while they come and go. */
export class OwnIndex {
  readonly #field: string;
  readonly #path: FieldPath;
  /**
   * By the hash of the value. Most values of an identifying field have one entry, which needs no
   * set.
   */
  readonly #groups = new Map<number, StoredEntry | Set<StoredEntry>>();

  constructor(field: string, entries: Iterable<StoredEntry>) {
    this.#field = field;
    this.#path = parseField(field);
    for (const entry of entries) this.add(entry);
  }

  add(entry: StoredEntry): void {
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

  remove(entry: StoredEntry): void {
    for (const hash of this.#hashes(entry)) {
      const group = this.#groups.get(hash);
      if (group instanceof Set && group.size > 1) group.delete(entry);
      else if (group !== undefined) this.#groups.delete(hash);
    }
  }

  /** The entries that hold one of the values, and maybe some others; in no order, each once. */
  candidates(values: readonly JsonValue[]): Set<StoredEntry> {
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
  #hashes({ record }: StoredEntry): Set<number> {
    return new Set(fieldValues(record, this.#field, this.#path).map(hashJson));
  }
}

const doubled = new Float64Array(1);
const words = new Uint32Array(doubled.buffer);

/**
 * An unsigned 32-bit number that values share where `equalJson` holds of them; others rarely do,
 * but for lists and objects.
 */
export function hashJson(value: JsonValue): number {
  if (typeof value === 'string') return hashText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return hashNumber(Number(value));
  if (typeof value === 'boolean') return value ? 0x3c6ef372 : 0xbb67ae85;
  return value === null ? 0xa54ff53a : 0x510e527f;
}

/** FNV-1a over the code units, of which a long text gives its ends. */
function hashText(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  const end = text.length;
  for (let index = 0; index < end; index += 1) {
    if (index === 64 && end > 128) index = end - 64;
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mix(hash);
}

function hashNumber(value: number): number {
  // 0 and -0 are equal, and differ in their bits.
  doubled[0] = value + 0;
  return mix((words[0] ?? 0) ^ Math.imul(words[1] ?? 0, 0x85ebca6b));
}

/** Spreads what differs in few bits over all of them (MurmurHash3's finaliser). */
function mix(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
