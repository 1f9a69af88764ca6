import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { writeReference } from '../read/cursor.ts';
import { layoutOf } from './convert-parameter.ts';
import type { SwaggerDocument, Written } from './swagger-document.ts';
import { defined } from '../../json/defined.ts';

/**
 * The request body that a `body` parameter describes, in each of the media types that the operation
 * consumes: JSON unless told.
 */
export function convertBody(
  source: SwaggerDocument,
  { value, pointer }: Written,
  consumes: readonly string[],
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { schema, required } = value;
  const example = value['x-example'];
  const media = (): JsonObject =>
    source.at(pointer, {
      ...defined({ schema, example }),
    });
  const mediaTypes = consumes.length > 0 ? consumes : ['application/json'];
  return source.at(pointer, {
    required: required === true,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, media()])),
  });
}

const urlencoded = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data';

/**
 * The request body that `formData` parameters describe: a form whose fields are the parameters. A
 * file needs `multipart/form-data`.
 */
export function convertForm(
  source: SwaggerDocument,
  fields: readonly Written[],
  { consumes, pointer }: { readonly consumes: readonly string[]; readonly pointer: Pointer },
): JsonObject | undefined {
  if (fields.length === 0) return undefined;
  const described = fields.flatMap(({ value, pointer: at }) =>
    isJsonObject(value) && typeof value['name'] === 'string'
      ? [{ name: value['name'], field: value, at }]
      : [],
  );
  const hasFile = described.some(({ field }) => field['type'] === 'file');
  const form = consumes.filter(
    (mediaType) =>
      mediaType.startsWith(multipart) || (mediaType.startsWith(urlencoded) && !hasFile),
  );
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(
      described.map(({ name, at }) => [name, { $ref: writeReference(at) }]),
    ),
    required: described.filter(({ field }) => field['required'] === true).map(({ name }) => name),
  };
  const lists = described.filter(({ field }) => field['type'] === 'array');
  const encoding: JsonObject = Object.fromEntries(
    lists.map(({ name, field }): [string, JsonValue] => [name, { ...layoutOf(field, 'form') }]),
  );
  const at = joinPointer(pointer, 'parameters');
  const mediaTypes = form.length > 0 ? form : [hasFile ? multipart : urlencoded];
  const media = source.at(at, {
    schema: source.at(at, schema),
    ...(lists.length === 0 ? {} : { encoding }),
  });
  return source.at(at, {
    required: described.some(({ field }) => field['required'] === true),
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, media])),
  });
}
