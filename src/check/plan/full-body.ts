import type { Schema } from '../../contract/model.ts';
import { isStateName } from '../../contract/words/names.ts';
import { equalJson } from '../../json/equal-json.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../json/value.ts';
import { judgedValues } from '../../values/candidate-value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { boundaryCandidates } from '../../values/boundary-values.ts';
import { saysSomething } from '../reading/shown-fields.ts';
import type { DraftBody } from './draft-body.ts';

/**
 * The body with a plain value in each of some fields, or in each field that is no reference: not
 * its default, which shows nothing, but for a state, of which the default allows most.
 */
export function fullBody({ schema, value }: DraftBody, names?: readonly string[]): JsonObject {
  const whole: JsonObject = isJsonObject(value) ? value : {};
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
  const made = plainValue(schema, { seed: 'full', direction: 'request', name });
  if (made.ok && isTelling(made.value)) return made.value;
  const other = judgedValues(boundaryCandidates(schema, 'request'))
    .map(({ value }) => value)
    .find(isTelling);
  return other ?? (made.ok && made.value !== null ? made.value : undefined);
}
