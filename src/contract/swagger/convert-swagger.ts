import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { convertOperation } from './convert-operation.ts';
import { pickMembers, SwaggerDocument, stringsOf } from './swagger-document.ts';

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
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]: [string, JsonValue]) => [
      path,
      path.startsWith('x-') ? item : convertPathItem(source, item, joinPointer('/paths', path)),
    ]),
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

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => (object[key] === undefined ? [] : [[key, object[key]]])),
  );
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
