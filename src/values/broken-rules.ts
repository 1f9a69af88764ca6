import type { Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';

/** What a schema objects to in a value that is made for a plan. Bodies are put together step by step, and each step asks again. */
export function brokenRules(schema: Schema, value: JsonValue, direction: Direction = 'request'): readonly SchemaIssue[] {
  if (!isJsonObject(value)) return schema.validate(value, direction);
  const known = asked.get(value);
  if (known !== undefined && known.schema === schema && known.direction === direction) return known.issues;
  const issues = schema.validate(value, direction);
  asked.set(value, { schema, direction, issues });
  return issues;
}

/** Lets all answers go, when the plan is made: it keeps the bodies. */
export function forgetBrokenRules(): void {
  asked = new WeakMap();
}

let asked = new WeakMap<object, { readonly schema: Schema; readonly direction: Direction; readonly issues: readonly SchemaIssue[] }>();
