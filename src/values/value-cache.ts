import type { Direction, Schema } from '../contract/model.ts';
import type { SchemaShape, ShapeWords } from '../contract/schema/flatten-schema.ts';
import { movePointer, shapeOf } from '../contract/schema/flatten-schema.ts';
import type { Pointer } from '../json/pointer.ts';
import { remember } from '../remember.ts';

/** A value made from a schema, and how its pointers move to an equal schema at another location. */
export interface Making<Made> {
  make(): Made;
  move(made: Made, to: (pointer: Pointer) => Pointer): Made;
}

/**
 * The values that are made for one owner, such as a plan, in all its steps. The functions of this
 * folder use the current cache; without one, they make the same values again. The cache ends with
 * its owner.
 */
export class ValueCache {
  readonly #parts = new Map<() => unknown, unknown>();
  readonly #shapes = new Map<Schema, SchemaShape | undefined>();
  readonly #made = new Map<
    string,
    { readonly made: unknown; readonly places: readonly Pointer[] }
  >();

  /** Runs work with this cache. */
  within<Result>(work: () => Result): Result {
    return runWithin(this, work);
  }

  /** The part of the cache that `make` creates: each module has its own part. */
  part<Part>(make: () => Part): Part {
    // Stored under `make`, which made it.
    return remember(this.#parts, make, () => make()) as Part;
  }

  /** Empties the cache. */
  clear(): void {
    this.#parts.clear();
    this.#shapes.clear();
    this.#made.clear();
  }

  /** The value made from a schema, or from an equal one, moved to the location of this one. */
  share<Made>(schema: Schema, name: string, { make, move }: Making<Made>): Made {
    const shape = this.shapeOf(schema);
    if (shape === undefined) return make();
    const key = `${shape.hash} ${name}`;
    const known = remember(this.#made, key, () => ({ made: make(), places: shape.places }));
    // The entries of a name have its type.
    const made = known.made as Made;
    return known.places.every((place, index) => place === shape.places[index])
      ? made
      : move(made, (pointer) => movePointer(pointer, known.places, shape.places));
  }

  /** The content of a schema without its location; undefined if its location matters. */
  shapeOf(schema: Schema): SchemaShape | undefined {
    return remember(this.#shapes, schema, () =>
      shapeOf(
        schema,
        (reference, from) => schema.follow({ node: { $ref: reference }, pointer: from }),
        words,
      ),
    );
  }
}

/** The cache of the current work. `within` sets it during one synchronous call. */
let current: ValueCache | undefined;

function runWithin<Result>(cache: ValueCache, work: () => Result): Result {
  const before = current;
  current = cache;
  try {
    return work();
  } finally {
    current = before;
  }
}

/**
 * The part of the current cache that `make` creates; a temporary one if there is no current cache.
 */
export function cachePart<Part>(make: () => Part): Part {
  return current === undefined ? make() : current.part(make);
}

/**
 * The value made from a schema, or from an equal one: contracts repeat the schemas of pages and
 * records in many places. `name` identifies the kind of value.
 */
export function shareAmongAlike<Made>(schema: Schema, name: string, making: Making<Made>): Made {
  return current === undefined ? making.make() : current.share(schema, name, making);
}

/**
 * Whether two schemas are the same or known to be equal; they are compared only while work shares a
 * cache.
 */
export function sayTheSame(left: Schema, right: Schema): boolean {
  if (left === right || current === undefined) return left === right;
  const shape = current.shapeOf(left);
  return shape !== undefined && shape.hash === current.shapeOf(right)?.hash;
}

/**
 * Examples and defaults count too, because they are sent. A discriminator uses the name of a
 * schema, so schemas with one are never equal.
 */
const words: ShapeWords = {
  passedOver: ['title', 'description', 'externalDocs', '$comment'],
  unlike: ['discriminator'],
};

/** Makes the values of one kind from a schema. */
export type MakeValues<Value> = (
  schema: Schema,
  direction: Direction,
  seed: string | number,
) => readonly Value[];

/** The same, with a seed for callers that give none. */
export type SeededValues<Value> = (
  schema: Schema,
  direction: Direction,
  seed?: string | number,
) => readonly Value[];

/**
 * A generator that makes the values of a schema once in a cache: several phases of a plan use them,
 * and hundreds of operations share a parameter. `kind` identifies the generator; `move` adapts a
 * value to an equal schema at another location.
 */
export function rememberValues<Value>(
  kind: string,
  make: MakeValues<Value>,
  move: (value: Value, to: (pointer: Pointer) => Pointer) => Value,
): SeededValues<Value> {
  const newMemory = (): Map<Schema, Map<string, readonly Value[]>> => new Map();
  return (schema, direction, seed = 'plain') => {
    const own = remember(cachePart(newMemory), schema, () => new Map<string, readonly Value[]>());
    const name = `${direction} ${seed}`;
    return remember(own, name, () =>
      shareAmongAlike(schema, `${kind} ${name}`, {
        make: () => make(schema, direction, seed),
        move: (made, to) => made.map((value) => move(value, to)),
      }),
    );
  };
}
