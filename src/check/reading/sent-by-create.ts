import { equalJson } from '../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { mediaOf } from '../model/case.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { roleOf, type Step } from '../model/step.ts';
import { creates } from './created-record.ts';
import { saysSomething } from './shown-fields.ts';

/**
 * Whether the create gave the field a value that no server would choose itself: one of few may be
 * its default.
 */
export function wasSent(subject: CheckInput, value: JsonValue | undefined, name: string): boolean {
  const telling =
    (typeof value === 'string' && value !== '') ||
    (typeof value === 'number' && value !== 0 && value !== 1) ||
    (typeof value === 'object' && saysSomething(value));
  return telling && wasGiven(subject, { [name]: value }, name);
}

/** Whether the create sent a member as the record shows it. */
export function wasGiven(subject: CheckInput, shown: JsonObject, name: string): boolean {
  const { body } = createOf(subject)?.sent ?? {};
  return isJsonObject(body) && equalJson(body[name] ?? null, shown[name] ?? null);
}

/** A field that no record is without: a replacement that may leave it out keeps its value. */
export function isRequiredByCreate(subject: CheckInput, name: string): boolean {
  const created = createOf(subject);
  return (
    created !== undefined && mediaOf(created.case)?.schema?.flatten().required.has(name) === true
  );
}

/** The request that created the record. */
export function createOf({ earlier, contract, operation }: CheckInput): Step | undefined {
  const collection = roleOf(contract, operation)?.resource.collection;
  return earlier.findLast((step) => {
    const maker = roleOf(contract, step.case.operation)?.resource;
    return maker?.collection === collection && maker && creates(maker, step.case);
  });
}

/**
 * A field that every response requires gets some value if none was sent, such as the example of the
 * contract.
 */
export function isShownByContract(
  { contract, operation }: CheckInput,
  value: JsonValue | undefined,
  name: string,
): boolean {
  const schema = roleOf(contract, operation)?.resource.record;
  const flat = schema?.flatten();
  const place = flat?.required.has(name) === true ? flat.properties.get(name) : undefined;
  const examples = (place && schema?.flatten(place).node.examples) ?? [];
  return value !== undefined && examples.some((example) => equalJson(example, value));
}
