import type { Schema } from '../../../contract/model.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldsOf } from '../../records/schema-fields.ts';
import { slipOf, type ScenarioFault } from '../scenario-fault.ts';

/** Where a value stands, and what it is the body of. */
interface MembersPlace {
  readonly pointer: Pointer;
  readonly about: string;
}

/**
 * Members that the contract does not forbid, and whose names are slips of the pen of those that it
 * has.
 */
export function judgeMembers(
  schema: Schema,
  value: JsonValue,
  { pointer, about }: MembersPlace,
): ScenarioFault[] {
  const { node, pointer: at } = schema.flatten();
  if (node.oneOf !== undefined || node.anyOf !== undefined) return [];
  if (isJsonArray(value)) {
    const items =
      node.items === undefined
        ? undefined
        : schema.part({ node: node.items, pointer: joinPointer(at, 'items') });
    return items === undefined
      ? []
      : value.flatMap((item, index) =>
          judgeMembers(items, item, { pointer: joinPointer(pointer, index), about }),
        );
  }
  if (!isJsonObject(value)) return [];
  const fields = fieldsOf(schema);
  return Object.entries(value).flatMap(([name, member]) => {
    const field = fields.get(name);
    const place = { pointer: joinPointer(pointer, name), about };
    if (field !== undefined) return judgeMembers(field.schema, member, place);
    const meant = slipOf(
      name,
      [...fields.keys()].filter((known) => !Object.hasOwn(value, known)),
    );
    return meant === undefined
      ? []
      : [
          {
            pointer: place.pointer,
            message: `${about}: the contract names no member ${name} there.`,
            hint: `Did you mean ${meant}?`,
          },
        ];
  });
}
