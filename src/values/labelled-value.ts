import { wordsIn } from '../words-in.ts';
import { type Pointer, splitPointer } from '../json/pointer.ts';
import { type JsonValue, stringifyJson } from '../json/value.ts';
import { cutTo, lengthOf } from './code-points.ts';

/** The kinds of valid values at an edge of their schema. */
const boundaryClasses = wordsIn(
  'example default-value enum-value minimum inside-minimum maximum inside-maximum',
  'integer-edge zero shortest longest inside-length format-edge boolean-value null type',
  'branch fewest-items most-items several-items fewest-properties most-properties',
  'optional-missing required-only all-optional',
);

/** The kinds of violations of a schema. */
const invalidClasses = wordsIn(
  'missing-required missing-dependent null-given wrong-type coercible-type empty-text',
  'fraction-for-integer below-minimum above-maximum on-exclusive-bound integer-overflow',
  'not-a-multiple too-short too-long not-in-enum wrong-case const-changed pattern-broken',
  'format-broken additional-property property-name-broken too-few-properties',
  'too-many-properties duplicate-items too-few-items too-many-items no-branch',
  'forbidden-value',
);

/** The class of a value; `exotic` values are valid and at no bound of the contract. */
export type ValueClass =
  (typeof boundaryClasses)[number] | (typeof invalidClasses)[number] | 'exotic';

/** What a value demonstrates. */
export interface ValueLabel {
  readonly valueClass: ValueClass;
  /** The place that differs from the plain value. */
  readonly at: Pointer;
  /** The keyword in the contract that is reached or violated. */
  readonly pointer: Pointer;
}

/** The same value for an equal schema at another location of the contract. */
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

/** A value that demonstrates one thing. */
export interface LabelledValue extends ValueLabel {
  readonly value: JsonValue;
  /**
   * A sentence without a full stop: `status is "SOLD", not one of "available", "pending", "sold"`.
   */
  readonly label: string;
  /** What the same value also demonstrates: the plain value is at several edges at once. */
  readonly also?: readonly ValueLabel[];
}

const longestShown = 40;

/** A place in a value in the usual notation: `owner.tags[0]`; the whole value is `the value`. */
export function describePlace(at: Pointer): string {
  const tokens = splitPointer(at);
  if (tokens.length === 0) return 'the value';
  return tokens
    .map((token, index) => (/^\d+$/.test(token) ? `[${token}]` : index === 0 ? token : `.${token}`))
    .join('');
}

/** A value as JSON, shortened if it is long. */
export function describeValue(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longestShown && lengthOf(text) > longestShown
    ? `${cutTo(text, longestShown)}…`
    : text;
}

/** Several values as JSON, separated by commas. */
export function describeValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 8).map(describeValue);
  return (values.length > shown.length ? [...shown, '…'] : shown).join(', ');
}
