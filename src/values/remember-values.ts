import type { Direction, Schema } from '../contract/model.ts';
import type { LabelledValue } from './labelled-value.ts';

type Make = (schema: Schema, direction: Direction, seed: string | number) => LabelledValue[];

/** The same function, which makes the values of a schema once: several phases of a plan ask for them, and hundreds of operations share a parameter. */
export function rememberValues(make: Make): (...asked: Parameters<Make>) => readonly LabelledValue[] {
  const known = new WeakMap<Schema, Map<string, readonly LabelledValue[]>>();
  return (schema, direction, seed) => {
    const own = known.get(schema) ?? new Map<string, readonly LabelledValue[]>();
    known.set(schema, own);
    const name = `${direction} ${seed}`;
    const values = own.get(name) ?? make(schema, direction, seed);
    own.set(name, values);
    return values;
  };
}
