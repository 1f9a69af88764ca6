/** A key that the mock knows, and what it opens; a plain text opens everything. */
export type MockKey =
  | string
  | {
      readonly key: string /** Left out: it holds every scope. */;
      readonly scopes?: readonly string[];
    };

/** What a credential allows: these scopes, or whatever is asked for. */
export type Grant = { readonly scopes: readonly string[] | 'all' };

const everything: Grant = { scopes: 'all' };

/** The text of a key, as a client sends it. */
export function keyText(key: MockKey): string {
  return typeof key === 'string' ? key : key.key;
}

/**
 * What a text opens where it is one of the keys; the last of them, where two are the same. Every
 * key is compared to its end, so that the time taken tells nothing of how much of one was right.
 */
export function findGrant(text: string, keys: readonly MockKey[]): Grant | undefined {
  let grant: Grant | undefined;
  for (const key of keys) grant = isSame(text, keyText(key)) ? grantOf(key) : grant;
  return grant;
}

/** Whether a text is one of the keys. */
export function isKnownKey(text: string, keys: readonly MockKey[]): boolean {
  return findGrant(text, keys) !== undefined;
}

function grantOf(key: MockKey): Grant {
  return typeof key === 'string' || key.scopes === undefined ? everything : { scopes: key.scopes };
}

function isSame(text: string, key: string): boolean {
  let difference = text.length ^ key.length;
  // Beyond its end a text yields NaN, which XOR takes for 0; the lengths were compared above.
  for (let index = 0; index < key.length; index += 1)
    difference |= text.charCodeAt(index) ^ key.charCodeAt(index);
  return difference === 0;
}
