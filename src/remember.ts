/** What keeps values by keys: a map, also one that is weak or forgets some. */
interface Memory<Key, Value> {
  has(key: Key): boolean;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value that is known for a key; one that is not is made, and kept. */
export function remember<Key, Value>(
  known: Memory<Key, Value>,
  key: Key,
  make: (key: Key) => NoInfer<Value>,
): Value {
  const before = known.get(key);
  // A value that was made may be undefined.
  if (before !== undefined || known.has(key)) return before as Value;
  const made = make(key);
  known.set(key, made);
  return made;
}
