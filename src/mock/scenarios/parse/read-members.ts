import type { FaultAt } from '../../../contract/locate.ts';
import { joinPointer, splitPointer, type Pointer } from '../../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject } from '../../../json/value.ts';
import { suggestWord } from '../../../errors.ts';

/** Reads the members of an object one by one, and refuses those of another type. */
export abstract class MemberReader {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    this.#object = object;
  }

  /** Throws the error for one member. */
  abstract refuse(key: string, message: string): never;

  has(key: string): boolean {
    return Object.hasOwn(this.#object, key);
  }

  value(key: string): JsonValue | undefined {
    return this.has(key) ? this.#object[key] : undefined;
  }

  text(key: string): string | undefined {
    return this.read(key, 'a text', (value) => typeof value === 'string');
  }

  flag(key: string): boolean | undefined {
    return this.read(key, 'true or false', (value) => typeof value === 'boolean');
  }

  object(key: string): JsonObject | undefined {
    return this.read(key, 'an object', isJsonObject);
  }

  protected read<Value extends JsonValue>(
    key: string,
    expected: string,
    fits: (value: JsonValue) => value is Value,
  ): Value | undefined {
    const value = this.value(key);
    if (value === undefined || fits(value)) return value;
    return this.refuse(key, `${key} must be ${expected}.`);
  }
}

/**
 * Reads the members of an object in the user's file one by one, and reports invalid ones with their
 * location.
 */
export class Members extends MemberReader {
  readonly pointer: Pointer;
  readonly #fault: FaultAt;

  /** Throws if the value is not an object, or has an unknown member. */
  constructor(
    value: JsonValue | undefined,
    pointer: Pointer,
    known: readonly string[],
    fault: FaultAt,
  ) {
    if (!isJsonObject(value)) throw fault(pointer, `${placeWord(pointer)} must be an object.`);
    for (const key of Object.keys(value)) {
      if (!known.includes(key))
        throw fault(
          joinPointer(pointer, key),
          `${placeWord(pointer)} has no member ${key}.`,
          suggestWord(key, known),
        );
    }
    super(value);
    this.pointer = pointer;
    this.#fault = fault;
  }

  list(key: string): JsonArray | undefined {
    return this.read(key, 'a list', (value): value is JsonArray => Array.isArray(value));
  }

  integer(
    key: string,
    { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  ): number | undefined {
    const fits = (value: JsonValue): value is number =>
      Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
    return this.read(key, `an integer from ${String(minimum)} to ${String(maximum)}`, fits);
  }

  required<Value>(key: string, value: Value | undefined): Value {
    if (value === undefined)
      throw this.#fault(this.pointer, `${placeWord(this.pointer)} must have the member ${key}.`);
    return value;
  }

  override refuse(key: string, message: string, hint?: string): never {
    throw this.#fault(joinPointer(this.pointer, key), message, hint);
  }
}

const singulars: Readonly<Record<string, string>> = { rules: 'A rule', answers: 'An answer' };

/** A short name for the value at a pointer: items are named after their list. */
function placeWord(pointer: Pointer): string {
  const [last = '', list = ''] = splitPointer(pointer).toReversed();
  if (pointer === '') return 'A scenario';
  return /^\d+$/.test(last) ? (singulars[list] ?? list) : last;
}
