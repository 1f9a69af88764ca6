import type { Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { cachePart, sayTheSame } from './value-cache.ts';

/**
 * The violations of a schema by a generated value. In the cache of a plan, because bodies are built
 * in steps that each validate.
 */
export function brokenRules(
  schema: Schema,
  value: JsonValue,
  direction: Direction = 'request',
): readonly SchemaIssue[] {
  const known = lastAnswer(value);
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

interface Answer {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly issues: readonly SchemaIssue[];
}

/** The latest result for each value. */
const newAnswers = (): WeakMap<object, Answer> => new WeakMap();

function lastAnswer(value: JsonValue): Answer | undefined {
  return isJsonObject(value) ? cachePart(newAnswers).get(value) : undefined;
}

/** The last result for a value, if it is that of an equal schema. */
function knownAlike(schema: Schema, value: JsonValue, direction: Direction): Answer | undefined {
  const known = lastAnswer(value);
  return known?.direction === direction && sayTheSame(known.schema, schema) ? known : undefined;
}

/** The last result for a value is that for an equal one, too. */
export function rememberEqual(value: JsonValue, equal: JsonValue): void {
  const known = lastAnswer(value);
  if (known !== undefined) remember(equal, known);
}

function remember(value: JsonValue, answer: Answer): void {
  if (isJsonObject(value)) cachePart(newAnswers).set(value, answer);
}
