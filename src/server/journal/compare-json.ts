import { equalJson } from '../../json/equal-json.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';

const mostDifferences = 5;

/**
 * How a value differs from what it must hold, each difference a clause: `body.name must be "Max",
 * but is "Rex"`. An object may have more members than are named; a list must have as many items.
 * Empty where there is none; five at most.
 */
export function compareJson(
  given: JsonValue | undefined,
  wanted: JsonValue,
  place: string,
): string[] {
  return differences(given, wanted, place).slice(0, mostDifferences);
}

function differences(given: JsonValue | undefined, wanted: JsonValue, place: string): string[] {
  if (given === undefined) return [`${place} is missing; it must be ${brief(wanted)}`];
  if (isJsonObject(wanted))
    return isJsonObject(given)
      ? compareMembers(given, wanted, place)
      : [`${place} must be an object, but is ${brief(given)}`];
  if (isJsonArray(wanted))
    return isJsonArray(given)
      ? compareItems(given, wanted, place)
      : [`${place} must be a list, but is ${brief(given)}`];
  return equalJson(given, wanted)
    ? []
    : [`${place} must be ${brief(wanted)}, but is ${brief(given)}`];
}

function compareMembers(given: JsonObject, wanted: JsonObject, place: string): string[] {
  return Object.entries(wanted).flatMap(([name, value]) =>
    differences(Object.hasOwn(given, name) ? given[name] : undefined, value, `${place}.${name}`),
  );
}

function compareItems(given: JsonArray, wanted: JsonArray, place: string): string[] {
  if (given.length !== wanted.length)
    return [`${place} must have ${itemsOf(wanted)}, but has ${String(given.length)}`];
  return wanted.flatMap((value, index) =>
    differences(given[index], value, `${place}[${String(index)}]`),
  );
}

function itemsOf({ length }: JsonArray): string {
  return length === 1 ? '1 item' : `${String(length)} items`;
}

const longest = 80;

/** A value in at most 80 characters. */
export function brief(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
