import { contentForm, parseMediaType } from '../../http/media-type.ts';
import { FormReader } from '../../contract/content/form-reader.ts';
import type { MediaTypeSpec, Schema } from '../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { editParts, isJsonArray, isJsonObject, membersWhere } from '../../json/value.ts';
import { sampleContent } from '../../values/sample-content.ts';

/** A multipart form with small valid files where its schema or its `encoding` requires files. */
export function withFiles(value: JsonValue, media: MediaTypeSpec): JsonValue {
  if (contentForm(media.mediaType) !== 'multipart' || !isJsonObject(value)) return value;
  const reader = new FormReader(media.schema);
  return editParts(value, (member, name) => {
    const schema = reader.property(name);
    const file = isFile(schema) ? sampleFile(media, name, schema) : undefined;
    if (file === undefined) return member;
    return isJsonArray(member) ? member.map(() => file) : file;
  });
}

/** A multipart form without its files: the part that can be compared with a response. */
export function withoutFiles(value: JsonObject, { schema }: MediaTypeSpec): JsonObject {
  const reader = new FormReader(schema);
  return membersWhere(value, (name) => !isFile(reader.property(name)));
}

/** The members of a multipart form that are files. */
export function filesOf({ mediaType, schema }: MediaTypeSpec): string[] {
  if (contentForm(mediaType) !== 'multipart' || schema === undefined) return [];
  const reader = new FormReader(schema);
  return [...schema.flatten().properties.keys()].filter((name) => isFile(reader.property(name)));
}

function isFile(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  const flat = schema.flatten();
  const item = flat.items && schema.flatten(flat.items);
  return [flat.node, item?.node].some(
    (node) => node?.format === 'binary' || typeof node?.['contentMediaType'] === 'string',
  );
}

/** A small file of the media type that the contract states (OpenAPI 3.1, section 4.8.15). */
function sampleFile(
  { encoding }: MediaTypeSpec,
  name: string,
  schema: Schema | undefined,
): string | undefined {
  const stated = encoding?.get(name)?.contentType?.split(',') ?? [];
  const own = schema?.flatten().node['contentMediaType'];
  const types = [
    ...stated.map((type) => type.trim()),
    ...(typeof own === 'string' ? [own] : []),
    'application/octet-stream',
  ];
  return types
    .map((type) => (type === 'image/*' ? 'image/png' : (parseMediaType(type)?.essence ?? type)))
    .map(sampleContent)
    .find((sample) => sample !== undefined);
}
