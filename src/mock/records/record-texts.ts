import type { Schema } from '../../contract/model.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonObject } from '../../json/value.ts';

/** Texts of records by the schema that they keep; a record that nobody holds any more takes its texts along. */
const texts = new WeakMap<Schema, WeakMap<JsonObject, string>>();

/**
 * A record as JSON, where its schema takes it as it is; undefined where it does not. Records come out of the store frozen, and the
 * same one comes out again as long as nobody changes it: it is judged and written once.
 */
export function recordText(schema: Schema, record: JsonObject): string | undefined {
  const known = textsOf(schema);
  const before = known.get(record);
  if (before !== undefined) return before;
  if (schema.validate(record, 'response').length > 0) return undefined;
  const text = stringifyJson(record);
  if (Object.isFrozen(record)) known.set(record, text);
  return text;
}

const encoder = new TextEncoder();
const bytes = new WeakMap<Schema, WeakMap<JsonObject, Uint8Array>>();

/** The same in UTF-8. */
export function recordBytes(schema: Schema, record: JsonObject): Uint8Array | undefined {
  const known = bytesOf(schema);
  const before = known.get(record);
  if (before !== undefined) return before;
  const text = recordText(schema, record);
  const encoded = text === undefined ? undefined : encoder.encode(text);
  if (encoded !== undefined && Object.isFrozen(record)) known.set(record, encoded);
  return encoded;
}

function bytesOf(schema: Schema): WeakMap<JsonObject, Uint8Array> {
  const known = bytes.get(schema);
  if (known !== undefined) return known;
  const made = new WeakMap<JsonObject, Uint8Array>();
  bytes.set(schema, made);
  return made;
}

function textsOf(schema: Schema): WeakMap<JsonObject, string> {
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const made = new WeakMap<JsonObject, string>();
  texts.set(schema, made);
  return made;
}
