import type { Schema } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { fieldsOf, type SchemaField } from '../schema-fields.ts';

/**
 * A value with what its schema requires of the objects in it, at any depth: a default where there
 * is one, null where that will do.
 */
export function completeValue(schema: Schema, value: JsonValue, seed: string): JsonValue {
  if (isJsonObject(value)) return completeObject(schema, value, seed);
  if (!isJsonArray(value) || value.length === 0) return value;
  const { node, pointer } = schema.flatten();
  if (node.items === undefined) return value;
  const part = schema.part(schema.follow(node.items, joinPointer(pointer, 'items')));
  return value.map((item, index) => completeValue(part, item, `${seed} ${String(index)}`));
}

function completeObject(schema: Schema, value: JsonObject, seed: string): JsonObject {
  const fields = [...fieldsOf(schema).values()];
  if (fields.length === 0) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const field = fieldsOf(schema).get(name);
    return [
      name,
      field === undefined ? member : completeValue(field.schema, member, `${seed} ${name}`),
    ] as const;
  });
  const missing = fields.filter(
    ({ name, required, writeOnly }) => required && !writeOnly && !Object.hasOwn(value, name),
  );
  return Object.fromEntries([
    ...members,
    ...missing.flatMap((field) => {
      const made = makeMember(field, seed);
      return made === undefined ? [] : [[field.name, made] as const];
    }),
  ]);
}

function makeMember({ name, schema, flat }: SchemaField, seed: string): JsonValue | undefined {
  if (flat.node.default !== undefined) return flat.node.default;
  if (flat.types.includes('null') && flat.types.length <= 2) return null;
  const made = plainValue(schema, {
    seed: `${seed} ${name}`,
    direction: 'response',
    required: 'only',
    name,
  });
  return made.ok ? made.value : undefined;
}
