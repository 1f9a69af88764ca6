import type { Direction, Schema } from '../contract/model.ts';
import type { Pointer } from '../json/pointer.ts';
import { forgetBaselines } from './baseline.ts';
import { shareAmongAlike } from './share-values.ts';

type Make<Value> = (
  schema: Schema,
  direction: Direction,
  seed: string | number,
) => readonly Value[];
type Move<Value> = (value: Value, to: (pointer: Pointer) => Pointer) => Value;
type Known = WeakMap<Schema, Map<string, readonly unknown[]>>;

let known = new Map<Make<unknown>, Known>();

/**
 * Caches the values of a generator per schema: several phases of a plan use them, and hundreds of
 * operations share a parameter. `kind` identifies the generator; `move` adapts a value to an equal
 * schema at another location.
 */
export function rememberValues<Value>(
  kind: string,
  make: Make<Value>,
  move: Move<Value>,
): Make<Value> {
  return (schema, direction, seed) => {
    const own = knownOf(make, schema);
    const name = `${direction} ${seed}`;
    // The entries of a generator have its type.
    const before = own.get(name) as readonly Value[] | undefined;
    if (before !== undefined) return before;
    const values = shareAmongAlike(schema, `${kind} ${name}`, {
      make: () => make(schema, direction, seed),
      move: (made, to) => made.map((value) => move(value, to)),
    });
    own.set(name, values);
    return values;
  };
}

/** Clears the cache: a plan keeps the values that it sends. */
export function forgetValues(): void {
  known = new Map();
  forgetBaselines();
}

function knownOf(make: Make<unknown>, schema: Schema): Map<string, readonly unknown[]> {
  const bySchema: Known = known.get(make) ?? new WeakMap();
  known.set(make, bySchema);
  const own = bySchema.get(schema) ?? new Map<string, readonly unknown[]>();
  bySchema.set(schema, own);
  return own;
}
