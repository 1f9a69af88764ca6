import type { Direction } from '../contract/model.ts';
import type { JsonValue } from '../json/value.ts';

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
