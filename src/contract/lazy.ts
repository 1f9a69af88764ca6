import { remember } from '../remember.ts';

/**
 * Returns a function that calls `make` once and keeps the result. Where `make` may need its own
 * result, it gets `meanwhile`.
 */
export function lazy<Made>(make: () => Made, meanwhile?: () => Made): () => Made {
  let known: { readonly made: Made } | undefined;
  return () => {
    if (known !== undefined) return known.made;
    if (meanwhile !== undefined) known = { made: meanwhile() };
    known = { made: make() };
    return known.made;
  };
}

/** Memoises functions of one object, which owns the results. */
export class Derived<Owner> {
  #known: Map<unknown, unknown> | undefined;

  /** The result of `read` for the owner, which is always the same object. */
  of<Made>(owner: Owner, read: (owner: Owner) => Made): Made {
    // Stored under `read`, which made it.
    return remember((this.#known ??= new Map()), read, () => read(owner)) as Made;
  }
}

/** What keeps the results of functions of itself. */
interface Deriving<Owner> {
  derive<Made>(read: (owner: Owner) => Made): Made;
}

/** Memoises a function of an owner, which holds the result. */
export function once<Owner extends Deriving<Owner>, Made>(
  read: (owner: Owner) => Made,
): (owner: Owner) => Made {
  return (owner) => owner.derive(read);
}

/** Memoises a function of an owner, which holds the results, and of something else. */
export function oncePer<Owner extends Deriving<Owner>, Key, Made>(
  make: (owner: Owner, key: Key) => Made,
): (owner: Owner, key: Key) => Made {
  const newMemory = (): Map<Key, Made> => new Map();
  return (owner, key) => remember(owner.derive(newMemory), key, () => make(owner, key));
}
