import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { layoutOf } from './convert-parameter.ts';
import { kept, type SwaggerDocument, type Written } from './swagger-document.ts';
import { defined } from '../../json/defined.ts';

/**
 * The responses of an operation in the form of OpenAPI 3.0, in each of the media types that it
 * produces: JSON unless told.
 */
export function convertResponses(
  source: SwaggerDocument,
  { value, pointer }: Written,
  produces: readonly string[],
): JsonObject {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).map(
    ([status, written]: [string, JsonValue]): [string, JsonValue] => {
      const response = source.follow(written, joinPointer(pointer, status));
      return [
        status,
        status.startsWith('x-') ? written : convertResponse(source, response, produces),
      ];
    },
  );
  return source.at(pointer, Object.fromEntries(entries));
}

function convertResponse(
  source: SwaggerDocument,
  { value, pointer }: Written,
  produces: readonly string[],
): JsonValue {
  if (!isJsonObject(value)) return value;
  return source.at(pointer, {
    ...kept(value, ['description']),
    headers: convertHeaders(source, {
      value: value['headers'] ?? {},
      pointer: joinPointer(pointer, 'headers'),
    }),
    content: convertContent(source, { value, pointer }, produces),
  });
}

/** Nothing is said of a body where there is neither a schema nor an example. */
function convertContent(
  source: SwaggerDocument,
  { value, pointer }: Written,
  produces: readonly string[],
): JsonObject {
  const { schema, examples } = value as JsonObject;
  const shown = isJsonObject(examples) ? examples : {};
  const usual =
    produces.length > 0
      ? produces
      : [
          isJsonObject(schema) && schema['type'] === 'file'
            ? 'application/octet-stream'
            : 'application/json',
        ];
  const mediaTypes = new Set([...(schema === undefined ? [] : usual), ...Object.keys(shown)]);
  return Object.fromEntries(
    [...mediaTypes].map((mediaType): [string, JsonObject] => {
      const example = Object.hasOwn(shown, mediaType) ? shown[mediaType] : undefined;
      if (typeof example === 'object' && example !== null)
        source.at(joinPointer(pointer, 'examples', mediaType), example);
      return [
        mediaType,
        source.at(pointer, {
          ...defined({ schema, example }),
        }),
      ];
    }),
  );
}

/** A header is its own schema, as a parameter is. */
function convertHeaders(source: SwaggerDocument, { value, pointer }: Written): JsonObject {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).flatMap(
    ([name, header]: [string, JsonValue]): [string, JsonObject][] => {
      if (!isJsonObject(header)) return [];
      const at = joinPointer(pointer, name);
      return [
        [
          name,
          source.at(at, {
            ...kept(header, ['description']),
            ...layoutOf(header, 'simple'),
            schema: source.at(at, header),
          }),
        ],
      ];
    },
  );
  return Object.fromEntries(entries);
}
