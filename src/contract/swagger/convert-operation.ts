import { defined, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { writeReference } from '../read/cursor.ts';
import {
  convertParameter,
  layoutOf,
  type LocatedValue,
  pickMembers,
  stringsOf,
  type SwaggerDocument,
} from './swagger-document.ts';

/** An operation of Swagger 2.0 and its path item. */
export interface OperationPlace {
  readonly item: JsonObject;
  readonly itemPointer: Pointer;
  readonly operation: JsonObject;
  readonly pointer: Pointer;
}

/**
 * An operation in the form of OpenAPI 3.0: with the parameters of its path item, and its body and
 * form fields as a request body.
 */
export function convertOperation(source: SwaggerDocument, place: OperationPlace): JsonObject {
  const { operation, pointer } = place;
  const parameters = gatherParameters(source, place);
  const consumes = mediaTypesOf(operation['consumes'], source.document['consumes']);
  const produces = mediaTypesOf(operation['produces'], source.document['produces']);
  const body = parameters.find(({ value }) => isIn(value, 'body'));
  const fields = parameters.filter(({ value }) => isIn(value, 'formData'));
  const request =
    body === undefined
      ? convertForm(source, fields, { consumes, pointer })
      : convertBody(source, body, consumes);
  return source.at(pointer, {
    ...pickMembers(operation, [
      'operationId',
      'tags',
      'summary',
      'description',
      'deprecated',
      'security',
      'externalDocs',
    ]),
    parameters: parameters.flatMap((parameter) => convertParameter(source, parameter) ?? []),
    ...defined({ requestBody: request }),
    responses: convertResponses(
      source,
      { value: operation['responses'] ?? {}, pointer: joinPointer(pointer, 'responses') },
      produces,
    ),
  });
}

/** The parameters of the operation, and those of its path item that it does not override. */
function gatherParameters(
  source: SwaggerDocument,
  { item, itemPointer, operation, pointer }: OperationPlace,
): LocatedValue[] {
  const byKey = new Map<string, LocatedValue>();
  for (const [owner, at] of [
    [item, itemPointer],
    [operation, pointer],
  ] as const) {
    const written = owner['parameters'];
    if (!Array.isArray(written)) continue;
    for (const [index, value] of written.entries()) {
      // `Array.isArray` makes the items of a JSON array unknown.
      const parameter = source.follow(value as JsonValue, joinPointer(at, 'parameters', index));
      if (!isJsonObject(parameter.value)) continue;
      const place = String(parameter.value['in']);
      // There is one body, regardless of its name.
      byKey.set(
        place === 'body' ? place : `${place} ${String(parameter.value['name'])}`,
        parameter,
      );
    }
  }
  return [...byKey.values()];
}

function isIn(value: JsonValue, place: string): boolean {
  return isJsonObject(value) && value['in'] === place;
}

/** An operation's own list counts even if it is empty. */
function mediaTypesOf(
  own: JsonValue | undefined,
  shared: JsonValue | undefined,
): readonly string[] {
  return stringsOf(own === undefined ? shared : own) ?? [];
}

/**
 * The request body that a `body` parameter describes, in each media type that the operation
 * consumes; the default is JSON.
 */
function convertBody(
  source: SwaggerDocument,
  { value, pointer }: LocatedValue,
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
function convertForm(
  source: SwaggerDocument,
  fields: readonly LocatedValue[],
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

/**
 * The responses of an operation in the form of OpenAPI 3.0, in each media type that it produces;
 * the default is JSON.
 */
function convertResponses(
  source: SwaggerDocument,
  { value, pointer }: LocatedValue,
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
  { value, pointer }: LocatedValue,
  produces: readonly string[],
): JsonValue {
  if (!isJsonObject(value)) return value;
  return source.at(pointer, {
    ...pickMembers(value, ['description']),
    headers: convertHeaders(source, {
      value: value['headers'] ?? {},
      pointer: joinPointer(pointer, 'headers'),
    }),
    content: convertContent(source, { value, pointer }, produces),
  });
}

/** The response has no body if there is neither a schema nor an example. */
function convertContent(
  source: SwaggerDocument,
  { value, pointer }: LocatedValue,
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

/** A header is its own schema, like a parameter. */
function convertHeaders(source: SwaggerDocument, { value, pointer }: LocatedValue): JsonObject {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).flatMap(
    ([name, header]: [string, JsonValue]): [string, JsonObject][] => {
      if (!isJsonObject(header)) return [];
      const at = joinPointer(pointer, name);
      return [
        [
          name,
          source.at(at, {
            ...pickMembers(header, ['description']),
            ...layoutOf(header, 'simple'),
            schema: source.at(at, header),
          }),
        ],
      ];
    },
  );
  return Object.fromEntries(entries);
}
