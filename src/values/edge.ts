import type { Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { ValueClass } from './labelled-value.ts';

/**
 * What a value becomes at one place. Where several candidates would show the same, the first that
 * the schema agrees with is taken.
 */
export interface Edge {
  readonly candidates: readonly JsonValue[];
  readonly valueClass: ValueClass;
  /** What follows the place's name in a label: `is 100, the maximum`. */
  says(value: JsonValue): string;
  readonly pointer: Pointer;
}

/** An edge at which a number or another short value stands: `is 100, the maximum`. */
export function edge(
  valueClass: ValueClass,
  pointer: Pointer,
  given: {
    readonly candidates: readonly (JsonValue | undefined)[];
    says(value: JsonValue): string;
  },
): Edge {
  return {
    valueClass,
    pointer,
    says: given.says,
    candidates: given.candidates.filter((value) => value !== undefined),
  };
}
