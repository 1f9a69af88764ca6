import { wordsIn } from '../../words-in.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import {
  defined,
  isJsonObject,
  mapMembers,
  membersWhere,
  objectOf,
  pick,
} from '../../json/value.ts';
import { type LocatedValue, writeReference, locateReference } from '../read/cursor.ts';
import type { ParameterStyle } from '../model.ts';

/** A document in the form of OpenAPI 3.0, and the places of its objects in the original. */
export interface ConvertedDocument {
  readonly root: JsonObject;
  readonly origins: WeakMap<object, Pointer>;
}

/** The methods that a path item of Swagger 2.0 can have. */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/**
 * Converts the operations of a Swagger 2.0 document to the form of OpenAPI 3.0. Schemas stay as
 * written, with their references, which are relative to the original; new objects know their place
 * in the original.
 */
export function convertSwagger(document: JsonObject): ConvertedDocument {
  const source = new SwaggerDocument(document);
  const root: JsonObject = {
    ...pick(document, ['info', 'tags', 'externalDocs', 'security']),
    openapi: '3.0.3',
    servers: convertServers(source),
    paths: convertPaths(source),
    components: { securitySchemes: convertSecurity(source) },
  };
  return { root, origins: source.origins };
}

/**
 * `host`, `basePath` and `schemes`; without schemes, the URL is relative to the client's scheme.
 * Generators write an empty host, and no schemes, where none is known.
 */
function convertServers(source: SwaggerDocument): JsonObject[] {
  const { basePath, schemes } = source.document;
  const host = source.document['host'] === '' ? undefined : source.document['host'];
  if (typeof host !== 'string' && typeof basePath !== 'string') return [];
  const path = typeof basePath === 'string' ? `/${basePath.replace(/^\/+/, '')}` : '';
  const pointer = typeof host === 'string' ? '/host' : '/basePath';
  const known = stringsOf(schemes)?.map((scheme) => `${scheme}:`) ?? [];
  const prefixes = known.length > 0 ? known : [''];
  const bases = typeof host === 'string' ? prefixes.map((prefix) => `${prefix}//${host}`) : [''];
  return bases.map((base) => source.at(pointer, { url: `${base}${path}` }));
}

function convertPaths(source: SwaggerDocument): JsonObject {
  const { paths } = source.document;
  if (!isJsonObject(paths)) return {};
  return mapMembers(paths, (item, path) =>
    path.startsWith('x-') ? item : convertPathItem(source, item, joinPointer('/paths', path)),
  );
}

function convertPathItem(source: SwaggerDocument, written: JsonValue, at: Pointer): JsonValue {
  const { value: item, pointer } = source.follow(written, at);
  if (!isJsonObject(item)) return item;
  const operations = methods.flatMap((method): [string, JsonObject][] => {
    const operation = item[method];
    return isJsonObject(operation)
      ? [
          [
            method,
            convertOperation(source, {
              item,
              operation,
              itemPointer: pointer,
              pointer: joinPointer(pointer, method),
            }),
          ],
        ]
      : [];
  });
  return source.at(pointer, Object.fromEntries(operations));
}

/** `securityDefinitions` as the security schemes of OpenAPI 3.0. */
function convertSecurity(source: SwaggerDocument): JsonObject {
  const { securityDefinitions } = source.document;
  if (!isJsonObject(securityDefinitions)) return {};
  const entries = Object.entries(securityDefinitions).map(
    ([name, scheme]: [string, JsonValue]): [string, JsonValue] => [
      name,
      convertScheme(source, name, scheme),
    ],
  );
  return Object.fromEntries(entries);
}

function convertScheme(source: SwaggerDocument, name: string, written: JsonValue): JsonValue {
  const { value: scheme, pointer } = source.follow(
    written,
    joinPointer('/securityDefinitions', name),
  );
  if (!isJsonObject(scheme)) return scheme;
  if (scheme['type'] === 'basic')
    return source.at(pointer, {
      ...pickMembers(scheme, ['description']),
      type: 'http',
      scheme: 'basic',
    });
  if (scheme['type'] !== 'oauth2') return source.at(pointer, { ...scheme });
  const flow = flows[String(scheme['flow'])];
  const described = source.at(
    pointer,
    pickMembers(scheme, ['authorizationUrl', 'tokenUrl', 'scopes']),
  );
  return source.at(pointer, {
    ...pickMembers(scheme, ['description']),
    type: 'oauth2',
    flows: flow === undefined ? {} : { [flow]: described },
  });
}

const flows: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};

/** An operation of Swagger 2.0 and its path item. */
interface OperationPlace {
  readonly item: JsonObject;
  readonly itemPointer: Pointer;
  readonly operation: JsonObject;
  readonly pointer: Pointer;
}

/**
 * An operation in the form of OpenAPI 3.0: with the parameters of its path item, and its body and
 * form fields as a request body.
 */
function convertOperation(source: SwaggerDocument, place: OperationPlace): JsonObject {
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
    ...pickMembers(
      operation,
      wordsIn('operationId tags summary description deprecated security externalDocs'),
    ),
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
  const media = (): JsonObject => source.at(pointer, { ...defined({ schema, example }) });
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
  const shown = objectOf(examples);
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
      return [mediaType, source.at(pointer, { ...defined({ schema, example }) })];
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

/** A Swagger 2.0 document during the conversion to OpenAPI 3.0. */
class SwaggerDocument {
  readonly document: JsonObject;
  /** The places of new objects in the original. */
  readonly origins = new WeakMap<object, Pointer>();

  constructor(document: JsonObject) {
    this.document = document;
  }

  /** Records the place of a new object. */
  at<Made extends object>(pointer: Pointer, made: Made): Made {
    this.origins.set(made, pointer);
    return made;
  }

  /**
   * Follows a chain of references. An unresolved one is returned unchanged: its reader reports it.
   */
  follow(value: JsonValue, pointer: Pointer): LocatedValue {
    let here: LocatedValue = { value, pointer };
    for (
      const seen = new Set<Pointer>();
      isJsonObject(here.value) && typeof here.value['$ref'] === 'string' && !seen.has(here.pointer);
    ) {
      seen.add(here.pointer);
      const target = locateReference(this.document, here.value['$ref']);
      if (target === undefined) return here;
      here = target;
    }
    return here;
  }
}

/** The texts of a list, or undefined if it is not a list of texts. */
function stringsOf(value: JsonValue | undefined): string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  return texts.length > 0 ? texts : undefined;
}

/** The members of an object whose names begin with `x-`, and the given ones. */
function pickMembers(object: JsonObject, names: readonly string[]): JsonObject {
  return membersWhere(object, (name) => name.startsWith('x-') || names.includes(name));
}

/**
 * A parameter in the form of OpenAPI 3.0, or undefined for one that is part of the body. The
 * parameter itself is its schema.
 */
function convertParameter(
  source: SwaggerDocument,
  { value, pointer }: LocatedValue,
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const place = value['in'];
  if (place === 'body' || place === 'formData') return undefined;
  const example = value['x-example'];
  return source.at(pointer, {
    ...pickMembers(value, ['name', 'in', 'description', 'required', 'allowEmptyValue']),
    ...layoutOf(value, place === 'query' ? 'form' : 'simple'),
    ...defined({ example }),
    schema: source.at(pointer, value),
  });
}

const styles: Readonly<Record<string, ParameterStyle>> = {
  ssv: 'spaceDelimited',
  tsv: 'tabDelimited',
  pipes: 'pipeDelimited',
};

/** The delimiter of the items of a list: `collectionFormat`, by default commas. */
function layoutOf(
  parameter: JsonObject,
  usual: ParameterStyle,
): { readonly style: ParameterStyle; readonly explode: boolean } {
  const format: JsonValue | undefined = parameter['collectionFormat'];
  if (format === 'multi') return { style: usual, explode: true };
  return {
    style: (typeof format === 'string' ? styles[format] : undefined) ?? usual,
    explode: false,
  };
}
