import type { Schema } from '../../contract/model.ts';
import { isStateName } from '../../contract/words/names.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../json/value.ts';
import { judgedValues } from '../../values/candidate-value.ts';
import { plainValue, type ValueResult } from '../../values/plain-value.ts';
import { boundaryCandidates } from '../../values/boundary-values.ts';
import { saysSomething } from '../reading/shown-fields.ts';
import type { DraftBody } from './draft-body.ts';

/**
 * The body with a plain value in each of some fields, or in each field that is no reference: not
 * its default, which shows nothing, but for a state, of which the default allows most.
 */
export function fullBody({ schema, value }: DraftBody, names?: readonly string[]): JsonObject {
  const whole: JsonObject = objectOf(value);
  if (schema === undefined) return whole;
  return [...schema.flatten().properties].reduce((before, [name, place]) => {
    const { node } = schema.flatten(place);
    const isOpen = names === undefined ? isSettable(name, node) : names.includes(name);
    if (saysSomething(before[name]) || !isOpen || node.readOnly === true) return before;
    const made = plainFor(schema.part(place), name);
    const next = { ...before, [name]: made ?? null };
    return made !== undefined && schema.accepts(next, 'request') ? next : before;
  }, whole);
}

/**
 * The plain body with a row in each list of objects that it may have: what has no rows often stays
 * as it is, such as an invoice without lines.
 */
export function withRows(body: DraftBody): JsonValue {
  const { schema, value } = body;
  if (schema === undefined || !isJsonObject(value)) return value;
  const lists = [...schema.flatten().properties].flatMap(([name, place]) => {
    const { items } = schema.flatten(place);
    return items !== undefined && schema.flatten(items).types.includes('object') ? [name] : [];
  });
  return lists.length === 0 ? value : fullBody(body, lists);
}

/** Whether a field may be set without a record that it refers to. */
function isSettable(
  name: string,
  { examples = [] }: { readonly examples?: readonly JsonValue[] },
): boolean {
  return examples.length > 0 || !/id$/i.test(name);
}

/** A value that says something: the example of the contract, or a made-up one. */
function plainFor(schema: Schema, name: string): JsonValue | undefined {
  const { node } = schema.flatten();
  const isTelling = (value: JsonValue): boolean =>
    saysSomething(value) && (isStateName(name) || !equalJson(value, node.default ?? null));
  const example = node.examples?.find((one) => isTelling(one) && schema.accepts(one, 'request'));
  if (example !== undefined) return example;
  const [made, second] = ['full', 'full, too'].map((seed) =>
    plainValue(schema, { seed, direction: 'request', name }),
  );
  if (made?.ok === true && isTelling(made.value)) return withTwo(schema, made.value, second);
  const other = [...judgedValues(boundaryCandidates(schema, 'request'))]
    .map(({ value }) => (isJsonArray(value) ? withFew(schema, value) : value))
    .find(isTelling);
  return other ?? (made?.ok === true && made.value !== null ? made.value : undefined);
}

/** A list of two items in place of a longer one, where its schema allows it. */
function withFew(schema: Schema, value: readonly JsonValue[]): JsonValue {
  const few = value.slice(0, 2);
  return schema.accepts(few, 'request') ? few : value;
}

/** A list of texts with two of them, as far as its schema allows: a service may keep one alone. */
function withTwo(schema: Schema, value: JsonValue, second: ValueResult | undefined): JsonValue {
  if (!isJsonArray(value) || second?.ok !== true || !isJsonArray(second.value)) return value;
  const two = [...value, ...second.value];
  const isTold = new Set(two).size === 2 && two.every((item) => typeof item === 'string');
  return isTold && schema.accepts(two, 'request') ? two : value;
}
