import type { LocatedNode, Schema } from '../../../contract/model.ts';
import { objectMembers } from '../../../contract/schema/object-members.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';

/**
 * A value without what only answers show (`readOnly`: JSON Schema 2020-12, validation, section
 * 9.4), at every depth: an example in a document often has the identifier that the server will
 * give.
 */
export function withoutReadOnly(
  value: JsonValue,
  schema: Schema,
  place: LocatedNode = schema,
): JsonValue {
  if (isJsonArray(value)) {
    const { node, pointer } = schema.flatten(place.node, place.pointer);
    const items = node.items;
    return items === undefined
      ? value
      : value.map((item) =>
          withoutReadOnly(item, schema, { node: items, pointer: joinPointer(pointer, 'items') }),
        );
  }
  if (!isJsonObject(value)) return value;
  const { properties } = objectMembers(schema, place);
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const own = properties.get(name);
    if (own === undefined) return [[name, member] as const];
    return schema.flatten(own.node, own.pointer).node.readOnly === true
      ? []
      : [[name, withoutReadOnly(member, schema, own)] as const];
  });
  return Object.fromEntries(kept);
}
