import { splitPointer, valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, jsonLength, type JsonObject, type JsonValue } from '../../../json/value.ts';

/** How long the JSON text of a patched document may be, unless told. */
export const usualMostBytes = 1024 * 1024;
/** The members and items that a patch may copy: a step copies what stands around its place. */
const mostWork = 400_000;
/** A list is copied as a block. */
const itemsPerUnit = 8;
/** Deeper values would overflow the stack of a reader. */
const deepest = 64;

/** Bounds what a JSON Patch makes and takes: how long the document gets, and how much is copied. */
export class PatchBounds {
  readonly #most: number;
  /** At least as long as the document is. */
  #length: number;
  #left = mostWork;

  constructor(document: JsonValue, most: number) {
    this.#length = jsonLength(document);
    // A document that was longer before may stay so.
    this.#most = Math.max(most, this.#length);
  }

  /** Takes the work of a step out of the budget; a reason where it is too much. */
  work(document: JsonValue, { path, from }: JsonObject): string | undefined {
    for (const pointer of [path, from])
      if (typeof pointer === 'string') this.#left -= copied(document, pointer);
    return this.#left < 0 ? 'the patch takes more work than one request may take' : undefined;
  }

  /** Measures the document after a step; a reason where it is too long. */
  grow(
    before: JsonValue,
    { op, path, from, value }: JsonObject,
    after: JsonValue,
  ): string | undefined {
    if (op === 'test' || op === 'remove') return undefined;
    const isPut = op === 'add' || op === 'replace';
    const put = (isPut ? value : valueAt(before, String(from))) ?? null;
    if (this.#depth(put) + splitPointer(String(path)).length > deepest)
      return `the record would be nested more than ${String(deepest)} levels deep`;
    if (op !== 'move') this.#length += jsonLength(put, this.#most);
    this.#length += String(path).length;
    if (this.#length <= this.#most) return undefined;
    this.#length = jsonLength(after, this.#most);
    this.#left -= this.#length / itemsPerUnit;
    return this.#length > this.#most
      ? `the record would be longer than ${String(this.#most)} bytes`
      : undefined;
  }

  /** How deep a value nests. */
  #depth(value: JsonValue): number {
    if (typeof value !== 'object' || value === null) return 0;
    const inner = isJsonArray(value) ? value : Object.values(value);
    this.#left -= inner.length;
    return 1 + inner.reduce<number>((most, item) => Math.max(most, this.#depth(item)), 0);
  }
}

/** How many members and items stand around a place, from the whole document down to it. */
function copied(document: JsonValue, pointer: string): number {
  let work = 1;
  let here: JsonValue | undefined = document;
  for (const token of pointer === '' ? [] : splitPointer(pointer)) {
    if (isJsonArray(here)) {
      work += 1 + here.length / itemsPerUnit;
      here = here[Number(token)];
    } else if (isJsonObject(here)) {
      work += Object.keys(here).length;
      here = Object.hasOwn(here, token) ? here[token] : undefined;
    } else break;
  }
  return work;
}
