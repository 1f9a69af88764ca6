import type { ListShape, Resource, Schema } from '../../../contract/model.ts';
import { successResponses } from '../../../contract/select-response.ts';
import { type Pointer, splitPointer } from '../../../json/pointer.ts';
import { fieldsOf } from '../record-fields.ts';

/** The schema of a record in a list: another media type may show records in another form. */
export function itemSchema(
  schema: Schema,
  { records: at, form }: Pick<ListShape, 'records' | 'form'>,
): Schema | undefined {
  const records = listedArray(schema, at);
  if (records === undefined) return undefined;
  const { items, others } = records.flatten();
  const item = form === 'map' ? others : items;
  return item && records.part(item);
}

/** The part of a response schema that holds the records. */
export function listedArray(schema: Schema, at: Pointer): Schema | undefined {
  return splitPointer(at).reduce<Schema | undefined>(
    (around, name) => around && fieldsOf(around).get(name)?.schema,
    schema,
  );
}

/** The schemas in which lists show the records of a collection. */
export function listedForms(
  { collection }: Resource,
  resources: readonly Resource[],
): readonly Schema[] {
  return resources.flatMap(({ collection: other, list: shape, operations: { list } }) => {
    if (other !== collection || list === undefined || shape === undefined) return [];
    return successResponses(list).flatMap(({ content }) =>
      content.flatMap(({ schema }) => {
        const item = schema && itemSchema(schema, shape);
        return (item && listedArray(item, shape.item ?? '')) ?? [];
      }),
    );
  });
}
