import type { View } from './view.ts';

/**
 * The same function, which reads a view once: it is asked a dozen times for each value that is made
 * under it.
 */
export function rememberByView<Read>(read: (view: View) => Read): (view: View) => Read {
  const known = new WeakMap<View, { readonly read: Read }>();
  return (view) => {
    const before = known.get(view);
    if (before !== undefined) return before.read;
    const now = read(view);
    known.set(view, { read: now });
    return now;
  };
}
