import {
  evaluate,
  join,
  joinedParts,
  mapLeaves,
} from '../../contract/query-languages/conditions.ts';
import type {
  Comparison,
  Condition,
  Joint,
  Operator,
} from '../../contract/query-languages/language.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { fieldOf, singleValues } from './compare-records.ts';
import type { Misreading } from '../model/request-template.ts';

/** A comparison as a service with a defect may read it. */
export interface Misread extends Omit<Comparison, 'op'> {
  readonly op: Operator;
  readonly ignoresCase?: true;
  /** Whether null is unlike every value, and like none. */
  readonly skipsNull?: true;
}

/** A condition as a service reads it that makes a mistake. */
export function misread(
  condition: Condition,
  misreading: Misreading | undefined,
): Condition<Misread> {
  switch (misreading) {
    case 'joints':
      return rejoined(condition);
    case 'negation':
      return withoutNot(condition);
    case 'case':
      return mapLeaves(condition, (leaf) => ({ ...leaf, ignoresCase: true as const }));
    case 'place':
      return mapLeaves(condition, (leaf) =>
        leaf.op === 'starts' || leaf.op === 'ends' ? { ...leaf, op: 'contains' as const } : leaf,
      );
    case 'item':
      return mapLeaves(condition, (leaf) =>
        leaf.op === 'has' ? { ...leaf, op: 'contains' as const } : leaf,
      );
    case 'null':
      return mapLeaves(condition, (leaf) => ({ ...leaf, skipsNull: true as const }));
    case 'whole':
      return { all: [] };
    case undefined:
      return condition;
  }
}

/** What three conditions are where the other joint binds more tightly, or parentheses are lost. */
export function rejoined(condition: Condition): Condition {
  const outer = joinedParts(condition);
  const at = outer?.parts.findIndex((part) => joinedParts(part) !== undefined) ?? -1;
  const inner = outer?.parts[at] && joinedParts(outer.parts[at]);
  if (outer === undefined || inner === undefined) return condition;
  const [first, second] = inner.parts;
  const others = outer.parts.filter((_part, index) => index !== at);
  if (first === undefined || second === undefined) return condition;
  const isBehind = at > 0;
  const near = isBehind ? first : second;
  const far = isBehind ? second : first;
  const swapped: Joint = outer.joint;
  const group = join(swapped, isBehind ? [...others, near] : [near, ...others]);
  return join(inner.joint, isBehind ? [group, far] : [far, group]);
}

/** The condition as if it had no word for "not". */
export function withoutNot(condition: Condition): Condition {
  if ('not' in condition) return withoutNot(condition.not);
  const joined = joinedParts(condition);
  return joined === undefined ? condition : join(joined.joint, joined.parts.map(withoutNot));
}

/** Whether a record matches a condition; undefined if the record does not show it. */
export function matches(record: JsonObject, condition: Condition<Misread>): boolean | undefined {
  return evaluate(condition, (leaf) => holds(record, leaf));
}

function holds(record: JsonObject, comparison: Misread): boolean | undefined {
  const { field, op, value: expected, skipsNull, ignoresCase } = comparison;
  const shown = fieldOf(record, field);
  if (shown === undefined || comparison.by !== undefined) return undefined;
  if (op === 'has') return singleValues(record, field).includes(expected);
  if (shown === null || expected === null) {
    if (op === 'ne') return shown !== expected && skipsNull !== true;
    return op === 'eq' && shown === expected && skipsNull !== true;
  }
  const texts = (Array.isArray(shown) ? shown : [shown]) as readonly JsonValue[];
  return texts.some((one) =>
    typeof one === 'string' && typeof expected === 'string' && ignoresCase === true
      ? meets[op](one.toLowerCase(), expected.toLowerCase())
      : meets[op](one, expected),
  );
}

/** When a value meets an operator. */
const meets: Readonly<Record<Operator, (value: JsonValue, expected: JsonValue) => boolean>> = {
  eq: (value, expected) => value === expected,
  has: (value, expected) => value === expected,
  ne: (value, expected) => value !== expected,
  lt: (value, expected) => sizeOf(value) < sizeOf(expected),
  le: (value, expected) => sizeOf(value) <= sizeOf(expected),
  gt: (value, expected) => sizeOf(value) > sizeOf(expected),
  ge: (value, expected) => sizeOf(value) >= sizeOf(expected),
  contains: (value, expected) => String(value).includes(String(expected)),
  starts: (value, expected) => String(value).startsWith(String(expected)),
  ends: (value, expected) => String(value).endsWith(String(expected)),
};

/** The size of a number or a moment; that of other texts is not comparable. */
function sizeOf(value: JsonValue): number {
  return typeof value === 'string' ? Date.parse(value) : Number(value);
}
