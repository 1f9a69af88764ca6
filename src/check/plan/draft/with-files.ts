import { contentForm } from '../../../contract/content/content-form.ts';
import { FormReader } from '../../../contract/content/form-reader.ts';
import type { MediaTypeSpec, Schema } from '../../../contract/model.ts';
import { parseMediaType } from '../../../http/media-type.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { sampleContent } from '../../../values/sample-content.ts';

/**
 * A multipart form with small sound files where its schema, or its `encoding`, asks for files
 * (OpenAPI 3.1, section 4.8.15).
 */
export function withFiles(value: JsonValue, media: MediaTypeSpec): JsonValue {
  if (contentForm(media.mediaType) !== 'multipart' || !isJsonObject(value)) return value;
  const reader = new FormReader(media.schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const file = isFile(reader.property(name))
        ? fileOf(media, name, reader.property(name))
        : undefined;
      if (file === undefined) return [name, member];
      return [name, isJsonArray(member) ? member.map(() => file) : file];
    }),
  );
}

/** A multipart form without its files: what can be compared with an answer. */
export function withoutFiles(value: JsonObject, { schema }: MediaTypeSpec): JsonObject {
  const reader = new FormReader(schema);
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !isFile(reader.property(name))),
  );
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
  const item =
    flat.node.items === undefined
      ? undefined
      : schema.flatten(flat.node.items, `${flat.pointer}/items`);
  return [flat.node, item?.node].some(
    (node) => node?.format === 'binary' || typeof node?.['contentMediaType'] === 'string',
  );
}

function fileOf(
  { encoding }: MediaTypeSpec,
  name: string,
  schema: Schema | undefined,
): string | undefined {
  const stated = encoding
    ?.get(name)
    ?.contentType?.split(',')
    .map((type) => type.trim());
  const own = schema?.flatten().node['contentMediaType'];
  const named = [
    ...(stated ?? []),
    ...(typeof own === 'string' ? [own] : []),
    'application/octet-stream',
  ];
  const essences = named.map((type) =>
    type === 'image/*' ? 'image/png' : (parseMediaType(type)?.essence ?? type),
  );
  return essences.map(sampleContent).find((sample) => sample !== undefined);
}
