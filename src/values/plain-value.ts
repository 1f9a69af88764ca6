import type { Direction, Schema } from '../contract/model.ts';
import type { JsonValue } from '../json/value.ts';
import type { Pin } from './build-value.ts';
import { findValue } from './find-value.ts';
import { shareAmongAlike } from './share-values.ts';

/**
 * `required: 'only'` gives required members alone, `'all'` every optional one too; without it those
 * that a person would fill in.
 */
export interface PlainValueOptions extends ValueOptions {
  readonly required?: 'all' | 'only';
  /** The name of the field that the value is for: it says what people write there. */
  readonly name?: string;
  /** Keeps the whole value to one branch of a group, as far as it goes. */
  readonly pin?: Pin;
}

/**
 * The value that a person would send: what the contract shows (example, default, const, enum)
 * first, then what names and formats suggest. Always valid, or a reason that names the rule which
 * could not be kept. The same seed gives the same value.
 */
export function plainValue(schema: Schema, options: PlainValueOptions): ValueResult {
  const { direction, required = '', seed, name = '', pin } = options;
  if (pin !== undefined) return findPlain(schema, options);
  // A reason names places of its own schema.
  return shareAmongAlike(schema, `plain ${direction} ${required} ${seed}\n${name}`, {
    make: () => findPlain(schema, options),
    move: (made) => (made.ok ? made : findPlain(schema, options)),
  });
}

function findPlain(
  schema: Schema,
  { direction, required, seed, name, pin }: PlainValueOptions,
): ValueResult {
  const found = findValue({
    schema,
    direction,
    required,
    seed: String(seed),
    name,
    pins: new Map(pin === undefined ? [] : [['', pin]]),
  });
  return found.ok ? { ok: true, value: found.value } : found;
}

/**
 * A value that keeps its schema, or the reason why none was found: the schema's pointer, the
 * keyword, the rule.
 */
export type ValueResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string };

/** What every maker of values is told: the same seed gives the same value. */
export interface ValueOptions {
  readonly seed: string | number;
  readonly direction: Direction;
}
