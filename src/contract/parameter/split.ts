/** A name and a value as they stand on the wire. */
export type Entry = readonly [name: string, text: string];

/**
 * A parameter's text cut at its style's delimiters, pieces still encoded. In `members`, one name
 * may come more than once.
 */
export type Split =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'members'; readonly entries: readonly Entry[] };

/** What a parameter is to be cut into. */
export type SplitInto = 'text' | 'list' | 'members';
