import type { Operation, Resource } from '../../../contract/model.ts';
import { successResponses } from '../../../contract/select-response.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';

/**
 * The records of a resource that the contract itself shows and allows: those of its list, then
 * those that other operations answer.
 */
export function exampleRecords(resource: Resource): JsonObject[] {
  const { list, read, create, replace, update } = resource.operations;
  const listed = examplesOf(list).flatMap((example) => {
    const records = valueAt(example, resource.list?.records ?? '');
    if (isJsonArray(records)) return records;
    return resource.list?.form === 'map' && isJsonObject(records) ? Object.values(records) : [];
  });
  const shown = [read, create, replace, update].flatMap(examplesOf);
  const own = resource.record.flatten().node;
  const declared = [
    ...(own.examples ?? []),
    ...(own['example'] === undefined ? [] : [own['example']]),
  ];
  // Examples of a schema are whatever the document holds there.
  const candidates = [...listed, ...shown.flatMap(unwrap), ...(declared as JsonValue[])];
  return candidates
    .filter(isJsonObject)
    .filter(
      (record) =>
        names(record, resource) && resource.record.validate(record, 'response').length === 0,
    );
}

function examplesOf(operation: Operation | undefined): JsonValue[] {
  if (operation === undefined) return [];
  return successResponses(operation).flatMap(({ content }) =>
    content.flatMap(({ schema, examples }) => [
      ...examples.map(({ value }) => value),
      ...schemaExamples(schema),
    ]),
  );
}

function schemaExamples(schema: Resource['record'] | undefined): JsonValue[] {
  const node = schema?.flatten().node;
  return node === undefined
    ? []
    : [
        ...(node.examples ?? []),
        ...(node['example'] === undefined ? [] : [node['example'] as JsonValue]),
      ];
}

/** A record may stand alone, or in one member of the answer. */
function unwrap(value: JsonValue): JsonValue[] {
  return isJsonObject(value) ? [value, ...Object.values(value).filter(isJsonObject)] : [];
}

function names(record: JsonObject, { kind, identifier }: Resource): boolean {
  const id = record[identifier.field];
  return (
    kind === 'singleton' ||
    typeof id === 'string' ||
    typeof id === 'number' ||
    typeof id === 'bigint'
  );
}
