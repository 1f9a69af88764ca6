import { successSchema } from '../../contract/infer/infer-list.ts';
import type { FlatSchema, LocatedNode, Operation, Resource, Schema } from '../../contract/model.ts';
import { objectMembers, type ObjectMembers } from '../../contract/schema/object-members.ts';
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

/** What the contract shows of one kind of record, in all of its answers together. */
interface RecordShape {
  /**
   * The forms in which answers show it, the fullest first. A record that is kept must do for all of
   * them.
   */
  readonly forms: readonly Schema[];
  /** Its fields by name: as the fullest form has them, then those that only others have. */
  readonly fields: ReadonlyMap<string, SchemaField>;
  /** Whether it may have members that no form names. */
  readonly open: boolean;
}

const shapes = new WeakMap<Resource, RecordShape>();

/** Gathers the forms in which a resource's operations show one record, wrapped or plain. */
export function shapeOf(resource: Resource): RecordShape {
  const before = shapes.get(resource);
  if (before !== undefined) return before;
  const { list: _list, delete: _deletion, ...others } = resource.operations;
  const shown = Object.values(others).flatMap((operation) => findForm(operation, resource) ?? []);
  const byPlace = new Map([resource.record, ...shown].map((schema) => [placeOf(schema), schema]));
  const forms = [...byPlace.values()].sort(
    (left, right) => fieldsOf(right).size - fieldsOf(left).size,
  );
  // Read backwards, so that the fullest form has the last word.
  const fields = new Map(forms.toReversed().flatMap((form) => [...fieldsOf(form)]));
  const shape = {
    forms,
    fields: new Map([...fieldsOf(forms[0] ?? resource.record), ...fields]),
    open: forms.some(isOpen),
  };
  shapes.set(resource, shape);
  return shape;
}

const places = new WeakMap<Schema, string>();

/** Where a schema stands once its references are followed. */
function placeOf(schema: Schema): string {
  const before = places.get(schema);
  if (before !== undefined) return before;
  const place = schema.follow(schema.node, schema.pointer).pointer;
  places.set(schema, place);
  return place;
}

/** Whether two schemas of one document are one and the same, by whatever way they were reached. */
export function isSameSchema(left: Schema, right: Schema): boolean {
  return left === right || placeOf(left) === placeOf(right);
}

/** An answer shows a record where it, or one of its members, has the record's identifier. */
function findForm(operation: Operation, { kind, identifier }: Resource): Schema | undefined {
  const schema = successSchema(operation);
  if (kind === 'singleton')
    return schema !== undefined && fieldsOf(schema).size > 0 ? schema : undefined;
  if (schema === undefined || fieldsOf(schema).has(identifier.field)) return schema;
  return [...fieldsOf(schema).values()].find((field) =>
    fieldsOf(field.schema).has(identifier.field),
  )?.schema;
}
