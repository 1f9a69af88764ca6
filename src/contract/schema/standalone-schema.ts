import { VouchError } from '../../errors.ts';
import { parseYaml } from '../../json/parse-yaml.ts';
import { valueAt, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectOf } from '../../json/value.ts';
import { Cursor, type DocumentTree } from '../read/cursor.ts';
import type { Schema } from '../model.ts';
import { SchemaFactory } from './schema-factory.ts';

/** A self-contained JSON Schema, such as that of the configuration. */
export interface StandaloneSchema {
  readonly validate: Schema['validate'];
  /** The property names that the schema object with a given keyword declares. */
  keysAt(keyword: Pointer): string[];
}

/**
 * Parses a JSON Schema 2020-12 that vouch ships. If the only value to validate is known, compiles
 * only the part that this value reaches.
 */
export function parseSchema(text: string, only?: JsonValue): StandaloneSchema {
  const reading = parseYaml(text);
  if (!reading.ok || !isJsonObject(reading.value))
    throw new VouchError('internal', 'A schema that vouch brings along is not readable.');
  const root = reading.value;
  const tree: DocumentTree = {
    root,
    fault: (pointer, message) => new VouchError('internal', `${message} (${pointer})`),
  };
  const schema = new SchemaFactory(tree, '3.1').at(
    new Cursor(tree, only === undefined ? root : reachedBy(only, root), ''),
  );
  return {
    validate: (value, direction) => schema.validate(value, direction),
    keysAt: (keyword) => {
      const properties = valueAt(root, `${keyword.slice(0, keyword.lastIndexOf('/'))}/properties`);
      return Object.keys(objectOf(properties));
    },
  };
}

/** A schema in which members that a value does not have accept anything. */
function reachedBy(value: JsonValue | undefined, node: JsonObject): JsonObject {
  if (!isJsonObject(node['properties']) || !isJsonObject(value)) return node;
  const properties = Object.entries(node['properties']).map(
    ([name, child]): [string, JsonValue] => [
      name,
      reachedChild(Object.hasOwn(value, name) ? value[name] : undefined, child),
    ],
  );
  return { ...node, properties: Object.fromEntries(properties) };
}

function reachedChild(value: JsonValue | undefined, child: JsonValue): JsonValue {
  if (value === undefined) return true;
  return isJsonObject(child) ? reachedBy(value, child) : child;
}
