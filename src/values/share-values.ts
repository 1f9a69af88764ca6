import type { Schema } from '../contract/model.ts';
import {
  movePointer,
  shapeOf,
  type SchemaShape,
  type ShapeWords,
} from '../contract/schema/schema-shape.ts';
import type { Pointer } from '../json/pointer.ts';

/**
 * What is made of a schema, and how its pointers are moved to where another schema says the same.
 */
export interface Making<Made> {
  make(): Made;
  move(made: Made, to: (pointer: Pointer) => Pointer): Made;
}

interface Sharing {
  readonly shapes: Map<Schema, SchemaShape | undefined>;
  readonly made: Map<string, { readonly made: unknown; readonly places: readonly Pointer[] }>;
}

let sharing: Sharing | undefined;

/**
 * While the work lasts, what is made of schemas that say the same is made once. What it is made for
 * keeps it, and nobody else.
 */
export function whileSharing<Result>(work: () => Result): Result {
  return openSharing()(work);
}

/** Does work with what one user of the values shares, however often it is interrupted. */
export type Around = <Result>(work: () => Result) => Result;

/** The same for work in several turns: each turn is done with what the turns before have made. */
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
 * What is made of a schema: where another one says the same, what was made of that. Contracts write
 * out in many places what a page may be, or a record that is created and replaced. `name` tells
 * apart what is made of one schema.
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
  // What is known under a name was made under that name.
  const made = known.made as Made;
  return known.places.every((place, index) => place === shape.places[index])
    ? made
    : move(made, (pointer) => movePointer(pointer, known.places, shape.places));
}

/**
 * Whether two schemas are one, or are known to say the same: that is asked of them while work is
 * shared.
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
 * Examples and defaults count too: they are sent. What a discriminator asks for is the name of a
 * schema, which another one has not.
 */
const words: ShapeWords = {
  passedOver: ['title', 'description', 'externalDocs', '$comment'],
  unlike: ['discriminator'],
};
