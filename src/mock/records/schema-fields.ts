import { objectMembers, type ObjectMembers } from '../../contract/schema/object-members.ts';
import type { FlatSchema, LocatedNode, Schema } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import { normaliseName } from '../../values/named-texts.ts';

/** A property of an object schema, as far as the mock has to know it. */
export interface SchemaField {
  readonly name: string;
  /** In lower case, letters and digits only, as the tables of names are read. */
  readonly normalised: string;
  readonly schema: Schema;
  readonly flat: FlatSchema;
  readonly required: boolean;
  /** Whether every form of the object has it, where it may have several. */
  readonly common: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

/** Fields by name, in the order of the contract. */
export type SchemaFields = ReadonlyMap<string, SchemaField>;

const known = new WeakMap<Schema, SchemaFields>();

/**
 * The properties of an object schema by name, in the order of the contract. Read once: the same few
 * schemas serve every request.
 */
export function fieldsOf(schema: Schema): SchemaFields {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const { properties, required, common } = objectMembers(schema);
  const fields = new Map(
    [...properties, ...undeclared(schema, { properties, required })].map(([name, place]) => [
      name,
      readField(schema.part(place), {
        name,
        required: required.has(name),
        common: common.has(name),
      }),
    ]),
  );
  known.set(schema, fields);
  return fields;
}

/**
 * What an object must have, and of which no `properties` says anything: whatever its other members
 * may be.
 */
function undeclared(
  schema: Schema,
  { properties, required }: Pick<ObjectMembers, 'properties' | 'required'>,
): [string, LocatedNode][] {
  const { node, pointer } = schema.flatten();
  if (!isOpen(schema)) return [];
  const others = node.additionalProperties;
  return [...required]
    .filter((name) => !properties.has(name))
    .map((name) => [
      name,
      { node: others ?? true, pointer: joinPointer(pointer, 'additionalProperties') },
    ]);
}

function readField(
  schema: Schema,
  { name, required, common }: Pick<SchemaField, 'name' | 'required' | 'common'>,
): SchemaField {
  const flat = schema.flatten();
  return {
    name,
    normalised: normaliseName(name),
    schema,
    flat,
    required,
    common,
    readOnly: flat.node.readOnly === true,
    writeOnly: flat.node.writeOnly === true,
  };
}

/** Whether an object may have members that the schema does not name. */
export function isOpen(schema: Schema): boolean {
  const { additionalProperties, unevaluatedProperties } = schema.flatten().node;
  return additionalProperties !== false && unevaluatedProperties !== false;
}
