import { isJsonObject, type JsonValue, withoutMembers } from './value.ts';

/** A JSON Pointer (RFC 6901): `''` is the whole document, `/paths/~1books/get` a value in it. */
export type Pointer = string;

/** Appends tokens: `joinPointer('/paths', '/books')` is `/paths/~1books`. */
export function joinPointer(pointer: Pointer, ...tokens: readonly (string | number)[]): Pointer {
  let joined = pointer;
  for (const token of tokens)
    joined += `/${typeof token === 'number' ? String(token) : escapeToken(token)}`;
  return joined;
}

/** A fast path, because many pointers are joined and few tokens need an escape. */
function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/')
    ? token.replaceAll('~', '~0').replaceAll('/', '~1')
    : token;
}

/** The tokens of a pointer, unescaped. */
export function splitPointer(pointer: Pointer): string[] {
  if (pointer === '') return [];
  const tokens = pointer.slice(1).split('/');
  return pointer.includes('~')
    ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    : tokens;
}

/**
 * The pointer of the parent: `/paths` for `/paths/~1books`; the whole document is its own parent.
 */
export function parentPointer(pointer: Pointer): Pointer {
  return pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));
}

/** Whether a pointer equals another one, or is below it. */
export function isWithin(pointer: Pointer, ancestor: Pointer): boolean {
  return (
    pointer.startsWith(ancestor) &&
    (pointer.length === ancestor.length || pointer[ancestor.length] === '/')
  );
}

/** The value at a pointer, or undefined if the document does not contain it. Own keys only. */
export function valueAt(document: JsonValue | undefined, pointer: Pointer): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of splitPointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token))
      return undefined;
    // Arrays have their indexes as own keys.
    value = (value as { readonly [key: string]: JsonValue })[token];
  }
  return value;
}

/**
 * A copy of a value with another one at a pointer: objects on the way are made where there are
 * none; items of lists are only replaced.
 */
export function withValueAt(
  document: JsonValue | undefined,
  pointer: Pointer,
  value: JsonValue,
): JsonValue {
  return withValue(document, splitPointer(pointer), value);
}

function withValue(
  whole: JsonValue | undefined,
  [name, ...inner]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (name === undefined) return value;
  if (Array.isArray(whole))
    return whole.map((item: JsonValue, index) =>
      String(index) === name ? withValue(item, inner, value) : item,
    );
  if (whole !== undefined && !isJsonObject(whole)) return whole;
  const own = whole !== undefined && Object.hasOwn(whole, name) ? whole[name] : undefined;
  return { ...whole, [name]: withValue(own, inner, value) };
}

/** A copy of a value without the member at a pointer. */
export function withoutValueAt(document: JsonValue, pointer: Pointer): JsonValue {
  const [name, ...inner] = splitPointer(pointer);
  if (name === undefined || !isJsonObject(document) || !Object.hasOwn(document, name))
    return document;
  if (inner.length === 0) return withoutMembers(document, name);
  const own = withoutValueAt(document[name] ?? null, joinPointer('', ...inner));
  return { ...document, [name]: own };
}
