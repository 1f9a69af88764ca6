import type { JsonValue } from './value.ts';

/** A JSON Pointer (RFC 6901): `''` is the whole document, `/paths/~1books/get` one place in it. */
export type Pointer = string;

/** One more step down: `joinPointer('/paths', '/books')` is `/paths/~1books`. */
export function joinPointer(pointer: Pointer, ...tokens: readonly (string | number)[]): Pointer {
  return pointer + tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The tokens of a pointer, unescaped. */
export function splitPointer(pointer: Pointer): string[] {
  if (pointer === '') return [];
  return pointer.slice(1).split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a pointer, or undefined where the document has none. Own keys only. */
export function valueAt(document: JsonValue | undefined, pointer: Pointer): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of splitPointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as { readonly [key: string]: JsonValue })[token];
  }
  return value;
}
