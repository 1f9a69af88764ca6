import type { Schema } from '../contract/model.ts';
import {
  movePointer,
  type SchemaShape,
  shapeOf,
  type ShapeWords,
} from '../contract/schema/flatten-schema.ts';
import type { Pointer } from '../json/pointer.ts';

/** A value made from a schema, and how its pointers move to an equal schema at another location. */
export interface Making<Made> {
  make(): Made;
  move(made: Made, to: (pointer: Pointer) => Pointer): Made;
}

interface Sharing {
  readonly shapes: Map<Schema, SchemaShape | undefined>;
  readonly made: Map<string, { readonly made: unknown; readonly places: readonly Pointer[] }>;
}

let sharing: Sharing | undefined;

/** During the work, values of equal schemas are made once. The cache ends with the work. */
export function whileSharing<Result>(work: () => Result): Result {
  return openSharing()(work);
}

/** Runs work with the shared cache of one owner, however often it is interrupted. */
export type Around = <Result>(work: () => Result) => Result;

/** Like `whileSharing` for work in several steps, which share one cache. */
export function openSharing(): Around {
  const own: Sharing = { shapes: new Map(), made: new Map() };
  return (work) => {
    const before = sharing;
    sharing = own;
    try {
      return work();
    } finally {
      sharing = before;
    }
  };
}

/**
 * The value made from a schema, or from an equal one: contracts repeat the schemas of pages and
 * records in many places. `name` identifies the kind of value.
 */
export function shareAmongAlike<Made>(
  schema: Schema,
  name: string,
  { make, move }: Making<Made>,
): Made {
  const shape = sharing && shapeIn(sharing, schema);
  if (sharing === undefined || shape === undefined) return make();
  const key = `${shape.hash} ${name}`;
  const known = sharing.made.get(key);
  if (known === undefined) {
    const made = make();
    sharing.made.set(key, { made, places: shape.places });
    return made;
  }
  // The entries of a name have its type.
  const made = known.made as Made;
  return known.places.every((place, index) => place === shape.places[index])
    ? made
    : move(made, (pointer) => movePointer(pointer, known.places, shape.places));
}

/**
 * Whether two schemas are the same or known to be equal; they are compared only while work shares a
 * cache.
 */
export function sayTheSame(left: Schema, right: Schema): boolean {
  if (left === right || sharing === undefined) return left === right;
  const shape = shapeIn(sharing, left);
  return shape !== undefined && shape.hash === shapeIn(sharing, right)?.hash;
}

function shapeIn({ shapes }: Sharing, schema: Schema): SchemaShape | undefined {
  if (!shapes.has(schema))
    shapes.set(
      schema,
      shapeOf(schema, (reference, from) => schema.follow({ $ref: reference }, from), words),
    );
  return shapes.get(schema);
}

/**
 * Examples and defaults count too, because they are sent. A discriminator uses the name of a
 * schema, so schemas with one are never equal.
 */
const words: ShapeWords = {
  passedOver: ['title', 'description', 'externalDocs', '$comment'],
  unlike: ['discriminator'],
};
