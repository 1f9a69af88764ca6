import type { Schema, SchemaIssue } from '../../../contract/model.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';

/** What a schema objects to in the body of a request that is being planned. Bodies are put together step by step, and each step asks again. */
export function brokenRules(schema: Schema, value: JsonValue): readonly SchemaIssue[] {
  if (!isJsonObject(value)) return schema.validate(value, 'request');
  const known = asked.get(value);
  if (known !== undefined && known.schema === schema) return known.issues;
  const issues = schema.validate(value, 'request');
  asked.set(value, { schema, issues });
  return issues;
}

/** Lets all answers go, when the plan is made: it keeps the bodies. */
export function forgetBrokenRules(): void {
  asked = new WeakMap();
}

let asked = new WeakMap<object, { readonly schema: Schema; readonly issues: readonly SchemaIssue[] }>();
