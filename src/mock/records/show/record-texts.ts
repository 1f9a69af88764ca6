import type { Schema } from '../../../contract/model.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import type { JsonObject } from '../../../json/value.ts';

type OfRecord<Made> = (schema: Schema, record: JsonObject) => Made | undefined;

/**
 * A record as JSON, where its schema takes it as it is; undefined where it does not. Records come
 * out of the store frozen, and the same one comes out again as long as nobody changes it: it is
 * judged and written once.
 */
export const recordText: OfRecord<string> = remembering((schema, record) =>
  schema.validate(record, 'response').length > 0 ? undefined : stringifyJson(record),
);

const encoder = new TextEncoder();

/** The same in UTF-8. */
export const recordBytes: OfRecord<Uint8Array> = remembering((schema, record) => {
  const text = recordText(schema, record);
  if (text === undefined) return undefined;
  // A buffer takes a tenth of the time, out of a pool that lives as long as any part of it: not for
  // what is remembered.
  return Object.isFrozen(record) ? encoder.encode(text) : Buffer.from(text);
});

/**
 * Makes something of a record once for each schema. A record that may still change is not
 * remembered; one that nobody holds any more takes along what was made of it.
 */
function remembering<Made>(make: OfRecord<Made>): OfRecord<Made> {
  const memory = new WeakMap<Schema, WeakMap<JsonObject, Made>>();
  return (schema, record) => {
    if (!Object.isFrozen(record)) return make(schema, record);
    const known = memory.get(schema) ?? new WeakMap<JsonObject, Made>();
    const before = known.get(record);
    if (before !== undefined) return before;
    const made = make(schema, record);
    if (made !== undefined) memory.set(schema, known.set(record, made));
    return made;
  };
}
