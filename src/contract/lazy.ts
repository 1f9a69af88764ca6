/** What is read or made when it is first asked for, and kept. */
export function lazy<Made>(make: () => Made): () => Made {
  let known: { readonly made: Made } | undefined;
  return () => (known ??= { made: make() }).made;
}

/** What functions read from one object, which holds it: each function reads it once. */
export class Derived<Owner> {
  #known: Map<unknown, unknown> | undefined;

  /** What `read` reads from the owner, which is always the same object. */
  of<Made>(owner: Owner, read: (owner: Owner) => Made): Made {
    const known = (this.#known ??= new Map());
    if (!known.has(read)) known.set(read, read(owner));
    // Stored under `read`, which made it.
    return known.get(read) as Made;
  }
}
