import type { Schema } from '../../contract/model.ts';
import { splitPointer } from '../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject } from '../../json/value.ts';
import { WorkBudget } from '../../json/work-budget.ts';
import type { ParameterValues, ParsedBody, ReadParameter } from '../model/request.ts';
import { parameterKey } from './read-request.ts';

/** The maximum number of times that a body is validated again without what was wrong in it. */
const maxRounds = 8;

/**
 * What is valid in a body that is not: without the members and items that violate the contract, so
 * that no record gets them. Missing members stay missing. Undefined if nothing remains.
 */
export function soundBody(body: ParsedBody): JsonValue | undefined {
  if (body.kind !== 'value') return undefined;
  const { schema, itemSchema, value } = body;
  if (itemSchema !== undefined && isJsonArray(value))
    return value.filter((item) => itemSchema.accepts(item, 'request'));
  return schema === undefined ? value : withoutInvalid(schema, value);
}

function withoutInvalid(schema: Schema, given: JsonValue): JsonValue | undefined {
  const budget = new WorkBudget();
  let value: JsonValue | undefined = given;
  for (let round = 0; round < maxRounds && value !== undefined; round += 1) {
    const issues = schema.validate(value, 'request', budget);
    const wrong = issues.filter(({ keyword }) => keyword !== 'required');
    if (wrong.length === 0) return value;
    // Later items first: the places of the others stay the same.
    const places = wrong.map(({ at, keyword, property }) =>
      keyword === 'additionalProperties' && property !== undefined
        ? [...splitPointer(at), property]
        : splitPointer(at),
    );
    for (const place of places.toSorted(byPlace)) value = value && removeAt(value, place);
  }
  return undefined;
}

function byPlace(left: readonly string[], right: readonly string[]): number {
  for (const [index, word] of left.entries()) {
    const other = right[index];
    if (other === undefined) return -1;
    if (word !== other) return Number(other) - Number(word) || (word < other ? 1 : -1);
  }
  return left.length === right.length ? 0 : 1;
}

/** A value without the member or item at a place; undefined if the place is the whole value. */
function removeAt(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue | undefined {
  if (name === undefined) return undefined;
  if (isJsonArray(value)) return removeItem(value, Number(name), rest);
  return isJsonObject(value) && Object.hasOwn(value, name)
    ? removeMember(value, name, rest)
    : value;
}

function removeItem(items: JsonArray, at: number, rest: readonly string[]): JsonArray {
  return items.flatMap((item, index) => {
    if (index !== at) return [item];
    const left = removeAt(item, rest);
    return left === undefined ? [] : [left];
  });
}

function removeMember(value: JsonObject, name: string, rest: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const left = key === name ? removeAt(member, rest) : member;
      return left === undefined ? [] : [[key, left] as const];
    }),
  );
}

/** The parameters that conform to the contract, and those of the path, which name the record. */
export function soundValues(parameters: readonly ReadParameter[]): ParameterValues {
  const budget = new WorkBudget();
  return new Map(
    parameters.flatMap(({ parameter, reading }) =>
      reading.kind === 'value' &&
      (parameter.in === 'path' || parameter.schema.accepts(reading.value, 'request', budget))
        ? [[parameterKey(parameter), reading.value] as const]
        : [],
    ),
  );
}
