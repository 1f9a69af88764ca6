import type { Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';

/** The ways in which a valid value stands at an edge of its schema. */
const boundaryClasses = [
  'example',
  'default-value',
  'enum-value',
  'minimum',
  'inside-minimum',
  'maximum',
  'inside-maximum',
  'integer-edge',
  'zero',
  'shortest',
  'longest',
  'inside-length',
  'format-edge',
  'boolean-value',
  'null',
  'type',
  'branch',
  'fewest-items',
  'most-items',
  'several-items',
  'fewest-properties',
  'most-properties',
  'optional-missing',
  'required-only',
  'all-optional',
] as const;

/** The ways in which a value breaks its schema. */
const invalidClasses = [
  'missing-required',
  'missing-dependent',
  'null-given',
  'wrong-type',
  'coercible-type',
  'empty-text',
  'fraction-for-integer',
  'below-minimum',
  'above-maximum',
  'on-exclusive-bound',
  'integer-overflow',
  'not-a-multiple',
  'too-short',
  'too-long',
  'not-in-enum',
  'wrong-case',
  'const-changed',
  'pattern-broken',
  'format-broken',
  'additional-property',
  'property-name-broken',
  'too-few-properties',
  'too-many-properties',
  'duplicate-items',
  'too-few-items',
  'too-many-items',
  'no-branch',
  'forbidden-value',
] as const;

/**
 * A word for what a value is there to show; `exotic` ones are valid, but no bound of the contract
 * speaks of them.
 */
export type ValueClass =
  (typeof boundaryClasses)[number] | (typeof invalidClasses)[number] | 'exotic';

/** What a value shows. */
export interface Showing {
  readonly valueClass: ValueClass;
  /** The place in the value that differs from the plain one. */
  readonly at: Pointer;
  /** The keyword in the contract that is reached or broken. */
  readonly pointer: Pointer;
}

/** The same value of a schema that says the same in another place of the contract. */
export function moveLabelled(
  labelled: LabelledValue,
  to: (pointer: Pointer) => Pointer,
): LabelledValue {
  const { pointer, also } = labelled;
  return {
    ...labelled,
    pointer: to(pointer),
    ...(also === undefined
      ? {}
      : { also: also.map((showing) => ({ ...showing, pointer: to(showing.pointer) })) }),
  };
}

/** A value that was made to show one thing. */
export interface LabelledValue extends Showing {
  readonly value: JsonValue;
  /**
   * A sentence without a full stop: `status is "SOLD", not one of "available", "pending", "sold"`.
   */
  readonly label: string;
  /** What the same value shows besides: the plain value stands at several edges at once. */
  readonly also?: readonly Showing[];
}
