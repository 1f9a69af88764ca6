import { parseMediaType } from '../../../http/media-type.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { DraftBody } from './draft-body.ts';

/** Whether a name is that of a reference to another record: `ownerId`, `category_id`. */
export function isReference(name: string): boolean {
  return /(^|[a-z0-9])(Id|ID|Ids|Uuid|Ref)$|[_-](id|ids|uuid|ref)$|^(id|uuid|ref)$/.test(name);
}

/** Whether a body that was made up refers to another record anywhere. */
export function refers(value: JsonValue): boolean {
  return refersAnew(value, undefined);
}

/**
 * Whether a body is a JSON Patch: it speaks of places in a record (RFC 6902, section 4), which need
 * not be there where it is made up.
 */
export function isPatch({ mediaType }: Pick<DraftBody, 'mediaType'>): boolean {
  return parseMediaType(mediaType)?.essence === 'application/json-patch+json';
}

/**
 * Whether a body refers to another record in a place where the plain body does not, or to another
 * one than it does there.
 */
export function refersAnew(value: JsonValue, plain: JsonValue | undefined): boolean {
  if (isJsonArray(value))
    return value.some((item, index) =>
      refersAnew(item, isJsonArray(plain) ? plain[index] : undefined),
    );
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    const usual = isJsonObject(plain) && Object.hasOwn(plain, name) ? plain[name] : undefined;
    return (
      (isReference(name) && !(usual !== undefined && equalJson(member, usual))) ||
      refersAnew(member, usual)
    );
  });
}
