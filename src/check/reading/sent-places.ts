import { isWithin, joinPointer, type Pointer, valueAt } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';

const known = new WeakMap<JsonObject, (at: Pointer) => boolean>();

/**
 * Whether a place of an OpenAPI document stands in a request body, or in what one refers to: what
 * is added there changes which requests are valid.
 */
export function isSentPlace(document: JsonObject): (at: Pointer) => boolean {
  const isSent = known.get(document) ?? readSentPlaces(document);
  known.set(document, isSent);
  return isSent;
}

function readSentPlaces(document: JsonObject): (at: Pointer) => boolean {
  const sent = new Set<Pointer>();
  const follow = (value: JsonValue | undefined): void => {
    if (isJsonArray(value)) value.forEach(follow);
    if (!isJsonObject(value)) return;
    const { $ref: reference } = value;
    if (typeof reference === 'string' && reference.startsWith('#/')) {
      const at = decodeURIComponent(reference.slice(1));
      if (!sent.has(at)) {
        sent.add(at);
        follow(valueAt(document, at));
      }
    }
    Object.values(value).forEach(follow);
  };
  const find = (value: JsonValue, at: Pointer): void => {
    for (const [name, member] of Object.entries(isJsonObject(value) ? value : {})) {
      const place = joinPointer(at, name);
      if (name === 'requestBody' || name === 'requestBodies') {
        sent.add(place);
        follow(member);
      } else find(member, place);
    }
  };
  find(document['paths'] ?? {}, '/paths');
  return (at) => [...sent].some((place) => isWithin(at, place));
}
