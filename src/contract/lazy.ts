/** What is read or made when it is first asked for, and kept. */
export function lazy<Made>(make: () => Made): () => Made {
  let known: { readonly made: Made } | undefined;
  return () => (known ??= { made: make() }).made;
}
