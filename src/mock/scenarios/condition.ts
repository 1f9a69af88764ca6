import { equalJson } from '../../json/equal-json.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Condition } from './scenario.ts';

/** Whether a value is what a condition wants; undefined stands for none at all. */
export function holds(condition: Condition, value: JsonValue | undefined): boolean {
  if (condition.kind === 'absent') return value === undefined;
  if (value === undefined) return false;
  if (condition.kind === 'present') return true;
  if (condition.kind === 'pattern') return condition.pattern.test(textOf(value));
  return condition.values.some((wanted) => isMeant(value, wanted));
}

/** A pattern looks at a text as it is, and at any other value as JSON has it. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** A person writes `4711` for a number and for a text alike. */
function isMeant(given: JsonValue, wanted: JsonValue): boolean {
  if (equalJson(given, wanted)) return true;
  return (
    typeof given !== 'object' && typeof wanted !== 'object' && String(given) === String(wanted)
  );
}

/**
 * Whether a value holds at least what is wanted: of an object its members, of a list all items in
 * their order.
 */
export function holdsAtLeast(value: JsonValue, wanted: JsonValue): boolean {
  if (isJsonArray(wanted))
    return (
      isJsonArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => holdsItem(value[index], item))
    );
  if (!isJsonObject(wanted)) return equalJson(value, wanted);
  return (
    isJsonObject(value) &&
    Object.entries(wanted).every(([name, member]) =>
      holdsItem(Object.hasOwn(value, name) ? value[name] : undefined, member),
    )
  );
}

function holdsItem(given: JsonValue | undefined, wanted: JsonValue): boolean {
  return given !== undefined && holdsAtLeast(given, wanted);
}
