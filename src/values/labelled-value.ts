import { type Pointer, splitPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { cutTo, lengthOf } from './code-points.ts';
import { valueKey } from './json-type.ts';
import { hashText } from './random.ts';

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

const longestShown = 40;

/** A place in a value as people write it: `owner.tags[0]`; the whole value is `the value`. */
export function describePlace(at: Pointer): string {
  const tokens = splitPointer(at);
  if (tokens.length === 0) return 'the value';
  return tokens
    .map((token, index) => (/^\d+$/.test(token) ? `[${token}]` : index === 0 ? token : `.${token}`))
    .join('');
}

/** A value as JSON, cut where it is long. */
export function describeValue(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longestShown && lengthOf(text) > longestShown
    ? `${cutTo(text, longestShown)}…`
    : text;
}

/** A few values as JSON, in a row. */
export function describeValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 8).map(describeValue);
  return (values.length > shown.length ? [...shown, '…'] : shown).join(', ');
}

/**
 * Longer keys are remembered by their hash: thousands of large values would otherwise be held
 * twice.
 */
const longestKey = 200;

/**
 * The same values without repetition: the first label stays, and what the others show is kept under
 * `also`. They are told apart by what differs from the plain value, of which most of them are
 * copies with one change.
 */
export function distinctValues(
  values: readonly LabelledValue[],
  plain: JsonValue,
): LabelledValue[] {
  const groups = Map.groupBy(values, ({ value }) => shortKey(value, plain));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return [
      others.length === 0
        ? first
        : {
            ...first,
            also: others.map(({ valueClass, at, pointer }) => ({ valueClass, at, pointer })),
          },
    ];
  });
}

function shortKey(value: JsonValue, plain: JsonValue): string {
  const key =
    isJsonObject(value) && isJsonObject(plain) ? differenceKey(value, plain) : valueKey(value);
  return key.length > longestKey ? `${key.length} ${hashText(key).join(' ')}` : key;
}

/**
 * A text that two objects share exactly when they are equal, made of what is not as in a third one.
 */
function differenceKey(value: JsonObject, plain: JsonObject): string {
  const parts: string[] = [];
  for (const name in value) {
    const [member, before] = [
      value[name] ?? null,
      Object.hasOwn(plain, name) ? plain[name] : undefined,
    ];
    if (member === before) continue;
    const key = valueKey(member);
    if (before === undefined || key !== valueKey(before))
      parts.push(`${JSON.stringify(name)}:${key}`);
  }
  for (const name in plain) if (!Object.hasOwn(value, name)) parts.push(`${JSON.stringify(name)}-`);
  return ` ${parts.sort().join(',')}`;
}
