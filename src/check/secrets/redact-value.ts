import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/** The same value with every text in it redacted, names included. */
export function redactValue(value: JsonObject, text: (from: string) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [text(name), redactMember(member, text)]),
  );
}

function redactMember(value: JsonValue, text: (from: string) => string): JsonValue {
  if (typeof value === 'string') return text(value);
  if (isJsonArray(value)) return value.map((item) => redactMember(item, text));
  return isJsonObject(value) ? redactValue(value, text) : value;
}
