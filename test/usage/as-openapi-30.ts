import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';

/**
 * The document as OpenAPI 3.0 can say it, for judges that read no 3.1: examples of schemas,
 * siblings of `$ref` and `info.summary` are left out, the range `2XX` becomes the 202 that the mock
 * assumes, and each base path that the mock serves is a server. No rule is loosened.
 */
export function asOpenApi30(document: JsonObject): JsonObject {
  const { summary: _summary, ...info } = asObject(document['info']);
  return {
    ...asObject(convert(document, '')),
    openapi: '3.0.3',
    info,
    servers: [{ url: '/v1' }, { url: '/' }],
  };
}

function convert(value: JsonValue, key: string): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => convert(item, key));
  if (!isJsonObject(value)) return value;
  if (typeof value['$ref'] === 'string') return { $ref: value['$ref'] };
  const members = Object.entries(value).filter(
    ([name, member]) =>
      !(name === 'examples' && Array.isArray(member)) && !(name === 'servers' && key !== ''),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [name === '2XX' ? '202' : name, convert(member, name)]),
  );
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
