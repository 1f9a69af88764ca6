import { successSchema } from '../../../contract/infer/infer-list.ts';
import type { Operation, Resource, Schema } from '../../../contract/model.ts';
import { fieldsOf, isOpen, type SchemaField } from '../schema-fields.ts';

/** What the contract shows of one kind of record, in all of its answers together. */
export interface RecordShape {
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

const known = new WeakMap<Resource, RecordShape>();

/** Gathers the forms in which a resource's operations show one record, wrapped or plain. */
export function shapeOf(resource: Resource): RecordShape {
  const before = known.get(resource);
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
  known.set(resource, shape);
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
