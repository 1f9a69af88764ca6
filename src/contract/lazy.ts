/** Returns a function that calls `make` once and keeps the result. */
export function lazy<Made>(make: () => Made): () => Made {
  let known: { readonly made: Made } | undefined;
  return () => (known ??= { made: make() }).made;
}

/** Memoises functions of one object, which owns the results. */
export class Derived<Owner> {
  #known: Map<unknown, unknown> | undefined;

  /** The result of `read` for the owner, which is always the same object. */
  of<Made>(owner: Owner, read: (owner: Owner) => Made): Made {
    const known = (this.#known ??= new Map());
    if (!known.has(read)) known.set(read, read(owner));
    // Stored under `read`, which made it.
    return known.get(read) as Made;
  }
}
