import type { Schema } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonArray, type JsonValue } from '../../../json/value.ts';
import { fieldsOf } from '../schema-fields.ts';

/**
 * A value without the members that its schema marks writeOnly, at any depth: answers must not show
 * them.
 */
export function withoutSecrets(schema: Schema, value: JsonValue): JsonValue {
  if (isJsonObject(value)) {
    const fields = fieldsOf(schema);
    if (fields.size === 0) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const field = fields.get(name);
        if (field === undefined) return [[name, member] as const];
        return field.writeOnly ? [] : [[name, withoutSecrets(field.schema, member)] as const];
      }),
    );
  }
  return Array.isArray(value) ? withoutSecretsInItems(schema, value as JsonArray) : value;
}

function withoutSecretsInItems(schema: Schema, items: JsonArray): JsonValue {
  const { node, pointer } = schema.flatten();
  if (node.items === undefined) return items;
  const part = schema.part({ node: node.items, pointer: joinPointer(pointer, 'items') });
  return items.map((item) => withoutSecrets(part, item));
}
