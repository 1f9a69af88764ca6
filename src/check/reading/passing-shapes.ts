import { equalJson } from '../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';

/** Two responses to the same request: the usual one, and one in between. */
export interface PassingShape {
  readonly usual: JsonValue;
  readonly odd: JsonValue;
}

/** Whether two values are equal but for members of objects that one of them lacks. */
function differsInMembersAlone(left: JsonValue, right: JsonValue): boolean {
  return isAlike(left, right) && !equalJson(left, right);
}

function isAlike(left: JsonValue, right: JsonValue): boolean {
  if (isJsonArray(left) && isJsonArray(right))
    return (
      left.length === right.length &&
      left.every((item, index) => isAlike(item, right[index] ?? null))
    );
  if (!isJsonObject(left) || !isJsonObject(right)) return equalJson(left, right);
  return Object.entries(left).every(([name, member]) => {
    const other = right[name];
    return other === undefined || isAlike(member, other);
  });
}

/**
 * The last of some responses to the same request, and the one before it, if that has more or fewer
 * members, and an earlier one equals the last. All other values are the same: the responses show
 * the same thing.
 */
export function passingShapeOf(values: readonly JsonValue[]): PassingShape | undefined {
  const [odd, usual] = values.slice(-2);
  if (odd === undefined || usual === undefined || !differsInMembersAlone(usual, odd))
    return undefined;
  return values.slice(0, -2).some((value) => equalJson(value, usual)) ? { usual, odd } : undefined;
}

/** A run of more reads shows no more of a service. */
const maxReads = 200;

/** Detects responses in between that lack members, from all equal requests of a run in order. */
export class PassingShapes {
  readonly #reads = new Map<
    string,
    { readonly usual: JsonValue; odd?: JsonValue; isBack: boolean }
  >();

  note(key: string, value: JsonValue): void {
    const read = this.#reads.get(key);
    if (read === undefined) {
      if (this.#reads.size < maxReads) this.#reads.set(key, { usual: value, isBack: false });
    } else if (read.odd === undefined) {
      if (differsInMembersAlone(read.usual, value)) read.odd = value;
    } else if (equalJson(read.usual, value)) read.isBack = true;
  }

  /** Undefined if all were equal, or the first one did not come again after another. */
  of(key: string): PassingShape | undefined {
    const { usual, odd, isBack = false } = this.#reads.get(key) ?? {};
    return isBack && usual !== undefined && odd !== undefined ? { usual, odd } : undefined;
  }
}

/**
 * Detects lists that are empty in between, from all equal requests of a run in order. What was
 * there at first is no new record that a replica does not know yet.
 */
export class EmptiedLists {
  readonly #lists = new Map<
    string,
    { readonly first: readonly string[]; isEmpty: boolean; isBack: boolean }
  >();

  note(key: string, identifiers: readonly string[]): void {
    const list = this.#lists.get(key);
    if (list === undefined) {
      if (this.#lists.size < maxReads)
        this.#lists.set(key, {
          first: identifiers.slice(0, maxReads),
          isEmpty: false,
          isBack: false,
        });
    } else if (identifiers.length === 0) list.isEmpty ||= list.first.length > 0;
    else if (list.isEmpty) list.isBack ||= hasMost(identifiers, list.first);
  }

  /** The number of records that were away; undefined if none were. */
  of(key: string): number | undefined {
    const list = this.#lists.get(key);
    return list?.isBack === true ? list.first.length : undefined;
  }
}

function hasMost(identifiers: readonly string[], expected: readonly string[]): boolean {
  return expected.filter((one) => identifiers.includes(one)).length * 2 > expected.length;
}
