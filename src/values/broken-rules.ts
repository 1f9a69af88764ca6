import type { Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { sayTheSame } from './share-values.ts';

/**
 * The violations of a schema by a generated value. Cached, because bodies are built in steps that
 * each validate.
 */
export function brokenRules(
  schema: Schema,
  value: JsonValue,
  direction: Direction = 'request',
): readonly SchemaIssue[] {
  const known = isJsonObject(value) ? asked.get(value) : undefined;
  if (known?.schema === schema && known.direction === direction) return known.issues;
  const issues = schema.validate(value, direction);
  remember(value, { schema, direction, issues });
  return issues;
}

/** The number of violations; cached for equal schemas. */
export function countBroken(
  schema: Schema,
  value: JsonValue,
  direction: Direction = 'request',
): number {
  return (
    knownAlike(schema, value, direction)?.issues.length ??
    brokenRules(schema, value, direction).length
  );
}

/** Whether a generated value is valid. Faster than listing the violations. */
export function keepsRules(
  schema: Schema,
  value: JsonValue,
  direction: Direction = 'request',
): boolean {
  const known = knownAlike(schema, value, direction);
  if (known !== undefined) return known.issues.length === 0;
  const isKept = schema.accepts(value, direction);
  if (isKept) remember(value, { schema, direction, issues: [] });
  return isKept;
}

/** Clears the cache after planning, because it holds the bodies. */
export function forgetBrokenRules(): void {
  asked = new WeakMap();
}

interface Answer {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly issues: readonly SchemaIssue[];
}

let asked = new WeakMap<object, Answer>();

/** The last result for a value, if it is that of an equal schema. */
function knownAlike(schema: Schema, value: JsonValue, direction: Direction): Answer | undefined {
  const known = isJsonObject(value) ? asked.get(value) : undefined;
  return known?.direction === direction && sayTheSame(known.schema, schema) ? known : undefined;
}

function remember(value: JsonValue, answer: Answer): void {
  if (isJsonObject(value)) asked.set(value, answer);
}
