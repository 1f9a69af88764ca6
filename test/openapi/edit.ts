import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { joinPointer, splitPointer, type Pointer } from '../../src/json/pointer.ts';

/**
 * A copy of a document with one value put at a pointer, or taken away where the value is undefined.
 */
export function edit(document: JsonObject, pointer: Pointer, value?: JsonValue): JsonObject {
  // An object stays an object, because its tokens are never empty.
  return editMember(document, splitPointer(pointer), value) as JsonObject;
}

function editMember(
  value: JsonValue | undefined,
  [token, ...rest]: readonly string[],
  replacement: JsonValue | undefined,
): JsonValue | undefined {
  if (token === undefined) return replacement;
  if (Array.isArray(value)) {
    const edited = editMember(value[Number(token)], rest, replacement);
    return value.toSpliced(Number(token), 1, ...(edited === undefined ? [] : [edited]));
  }
  const { [token]: member, ...others } = isJsonObject(value) ? value : {};
  const edited = editMember(member, rest, replacement);
  return edited === undefined ? others : { ...others, [token]: edited };
}

/**
 * The pointers of everything in a document, except what stands under a member with one of the names
 * given.
 */
export function pointersIn(
  value: JsonValue | undefined,
  except: readonly string[],
  pointer: Pointer = '',
): Pointer[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => !except.includes(key))
    .flatMap(([key, member]) => {
      const below = joinPointer(pointer, key);
      return [below, ...pointersIn(member, except, below)];
    });
}
