import type { Schema } from '../../../contract/model.ts';
import { joinPointer, splitPointer, type Pointer } from '../../../json/pointer.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { recordText } from './present-record.ts';

/**
 * Writes a list out of the texts of its records; undefined where it can only be judged and written
 * as a whole.
 */
export type WriteList = (body: JsonValue, records: readonly JsonObject[]) => string | undefined;

const writers = new WeakMap<Schema, ReadonlyMap<Pointer, WriteList>>();
const never: WriteList = () => undefined;

/**
 * How the lists of a schema are written, with the records at `at`. Where each rule of the schema is
 * about either a record or what is around the records, each is judged by itself: the records once
 * for as long as they live, the rest with no records in it.
 */
export function listWriter(schema: Schema, at: Pointer): WriteList {
  const known = writers.get(schema)?.get(at);
  if (known !== undefined) return known;
  const made = makeWriter(schema, splitPointer(at)) ?? never;
  writers.set(schema, new Map([...(writers.get(schema) ?? []), [at, made]]));
  return made;
}

function makeWriter(schema: Schema, path: readonly string[]): WriteList | undefined {
  const array = findArray(schema, path);
  if (array === undefined) return undefined;
  const { record, most } = array;
  return (body, records) => {
    if (
      records.length > most ||
      (path.length > 0 && schema.validate(withValue(body, path, []), 'response').length > 0)
    )
      return undefined;
    const texts: string[] = [];
    for (const each of records) {
      const text = recordText(record, each);
      if (text === undefined) return undefined;
      texts.push(text);
    }
    return writeAround(body, path, `[${texts.join(',')}]`);
  };
}

interface ArrayPlace {
  readonly record: Schema;
  /** The most records that the array may hold. */
  readonly most: number;
}

/** Keywords that say nothing of the records and their surroundings together. */
const separable =
  /^(type|properties|required|additionalProperties|items|maxItems|title|description|example|examples|default|deprecated|readOnly|externalDocs|xml|x-.*)$/;

function findArray(schema: Schema, path: readonly string[]): ArrayPlace | undefined {
  let place = schema.follow(schema.node, schema.pointer);
  for (const name of path) {
    const { node, pointer } = place;
    const member =
      typeof node === 'object' && Object.keys(node).every((keyword) => separable.test(keyword))
        ? node.properties?.[name]
        : undefined;
    if (member === undefined) return undefined;
    place = schema.follow(member, joinPointer(pointer, 'properties', name));
  }
  const { node, pointer } = place;
  if (
    typeof node !== 'object' ||
    node.items === undefined ||
    !Object.keys(node).every((keyword) => separable.test(keyword))
  )
    return undefined;
  return {
    record: schema.part({ node: node.items, pointer: joinPointer(pointer, 'items') }),
    most: node.maxItems ?? Infinity,
  };
}

function withValue(
  body: JsonValue,
  [name, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (name === undefined || !isJsonObject(body)) return value;
  return { ...body, [name]: withValue(body[name] ?? null, rest, value) };
}

/** The text of a body, with that of its records put in: the same bytes as those of the whole. */
function writeAround(body: JsonValue, [name, ...rest]: readonly string[], list: string): string {
  if (name === undefined || !isJsonObject(body)) return list;
  const members = Object.entries(body).map(
    ([key, value]) =>
      `${JSON.stringify(key)}:${key === name ? writeAround(value, rest, list) : stringifyJson(value)}`,
  );
  return `{${members.join(',')}}`;
}
