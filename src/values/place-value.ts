import { splitPointer, type Pointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { isArray } from './value-key.ts';

/** Where a part goes: what is missing on the way there is taken from `full`. */
export interface Placing {
  readonly base: JsonValue;
  readonly full: JsonValue;
  readonly at: Pointer;
}

/** A copy of `base` with a part put at a pointer. Nothing else changes. */
export function placeValue({ base, full, at }: Placing, part: JsonValue): JsonValue {
  return put(base, full, { tokens: splitPointer(at), part });
}

interface Step {
  readonly tokens: readonly string[];
  readonly part: JsonValue;
}

function put(
  base: JsonValue | undefined,
  full: JsonValue | undefined,
  { tokens, part }: Step,
): JsonValue {
  const [token, ...rest] = tokens;
  if (token === undefined) return part;
  const around = isArray(base) || isJsonObject(base) ? base : (full ?? {});
  const inner = put(memberOf(around, token), memberOf(full, token), { tokens: rest, part });
  if (isArray(around)) return replaceItem(around, Number(token), inner);
  return isJsonObject(around) ? { ...around, [token]: inner } : inner;
}

function memberOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (isArray(value)) return value[Number(token)];
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function replaceItem(items: readonly JsonValue[], index: number, item: JsonValue): JsonValue {
  return index < items.length ? items.with(index, item) : [...items, item];
}

/** A copy of an object without one of its members. */
export function withoutMember(value: JsonValue, name: string): JsonValue {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
    : value;
}
