import { splitPointer, valueAt, joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonArray, type JsonValue } from '../../json/value.ts';

/**
 * The JSONPath (RFC 9535, section 2.7: a normalized path) of a place in a document:
 * `$['paths']['/books']['get']`.
 */
export function toJsonPath(pointer: Pointer, document: JsonValue): string {
  let around = '';
  return splitPointer(pointer).reduce((path, token) => {
    const isIndex = isJsonArray(valueAt(document, around));
    around = joinPointer(around, token);
    return `${path}[${isIndex ? token : quoteName(token)}]`;
  }, '$');
}

function quoteName(name: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  // Control characters as RFC 9535, section 2.3.1.1 has them.
  return `'${escaped.replaceAll(/[\u0000-\u001f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
}
