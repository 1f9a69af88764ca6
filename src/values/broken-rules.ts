import type { Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { sayTheSame } from './share-values.ts';

/**
 * What a schema objects to in a value that is made for a plan. Bodies are put together step by
 * step, and each step asks again.
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

/** How many rules such a value breaks: as many as it breaks of a schema that says the same. */
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

/**
 * Whether such a value breaks none: most that are tried need do no more than that, and nobody reads
 * what is wrong with the others.
 */
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

/** Lets all answers go, when the plan is made: it keeps the bodies. */
export function forgetBrokenRules(): void {
  asked = new WeakMap();
}

interface Answer {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly issues: readonly SchemaIssue[];
}

let asked = new WeakMap<object, Answer>();

/** The last answer for a value, where it was that of a schema which says the same. */
function knownAlike(schema: Schema, value: JsonValue, direction: Direction): Answer | undefined {
  const known = isJsonObject(value) ? asked.get(value) : undefined;
  return known?.direction === direction && sayTheSame(known.schema, schema) ? known : undefined;
}

function remember(value: JsonValue, answer: Answer): void {
  if (isJsonObject(value)) asked.set(value, answer);
}
