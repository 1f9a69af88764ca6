/**
 * Whether a text is one of the keys. Every key is compared to its end, so that the time taken tells nothing of how much of
 * one was right.
 */
export function isKnownKey(text: string, keys: readonly string[]): boolean {
  let known = false;
  for (const key of keys) known = isSame(text, key) || known;
  return known;
}

function isSame(text: string, key: string): boolean {
  let difference = text.length ^ key.length;
  // Beyond its end a text yields NaN, which XOR takes for 0; the lengths were compared above.
  for (let index = 0; index < key.length; index += 1) difference |= text.charCodeAt(index) ^ key.charCodeAt(index);
  return difference === 0;
}
