import type { Direction, Schema } from '../contract/model.ts';
import { forgetBaselines } from './baseline.ts';
import type { LabelledValue } from './labelled-value.ts';

type Make = (schema: Schema, direction: Direction, seed: string | number) => LabelledValue[];
type Known = WeakMap<Schema, Map<string, readonly LabelledValue[]>>;

let known = new Map<Make, Known>();

/** The same function, which makes the values of a schema once: several phases of a plan ask for them, and hundreds of operations share a parameter. */
export function rememberValues(make: Make): (...asked: Parameters<Make>) => readonly LabelledValue[] {
  return (schema, direction, seed) => {
    const own = knownOf(make, schema);
    const name = `${direction} ${seed}`;
    const values = own.get(name) ?? make(schema, direction, seed);
    own.set(name, values);
    return values;
  };
}

/** Lets all remembered values go: a plan keeps those that it sends, and a run that lasts has better use for the memory. Who asks again has them made again. */
export function forgetValues(): void {
  known = new Map();
  forgetBaselines();
}

function knownOf(make: Make, schema: Schema): Map<string, readonly LabelledValue[]> {
  const bySchema: Known = known.get(make) ?? new WeakMap();
  known.set(make, bySchema);
  const own = bySchema.get(schema) ?? new Map<string, readonly LabelledValue[]>();
  bySchema.set(schema, own);
  return own;
}
