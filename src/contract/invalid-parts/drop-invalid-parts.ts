import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { methods } from '../model.ts';
import {
  anyOf,
  anything,
  each,
  flag,
  type Kind,
  type KindFault,
  listOf,
  mapOf,
  objectOf,
  pointerOf,
  schemaKind,
  text,
} from './value-kind.ts';

const texts = listOf(text);
const security = listOf(mapOf(texts));
const links = objectOf(() => ({ url: text }));

const server = objectOf(() => ({
  url: text,
  variables: mapOf(objectOf(() => ({ default: text, enum: texts }))),
}));
const servers = listOf(server);
const example = objectOf(() => ({ externalValue: text }));

const media: Kind = objectOf(() => ({
  schema: schemaKind,
  itemSchema: schemaKind,
  examples: mapOf(example),
  encoding: mapOf(encoding),
  prefixEncoding: listOf(encoding),
  itemEncoding: encoding,
}));
const content = mapOf(media);

const serialised = (): Readonly<Record<string, Kind>> => ({
  ...each(flag, 'required deprecated allowEmptyValue explode allowReserved'),
  style: text,
  schema: schemaKind,
  examples: mapOf(example),
  content,
});
const header = objectOf(serialised);
const encoding: Kind = objectOf(() => ({
  contentType: text,
  headers: mapOf(header),
  style: text,
  explode: flag,
  allowReserved: flag,
}));
const parameter = objectOf(() => ({ name: text, in: text, ...serialised() }));
const requestBody = objectOf(() => ({ content, required: flag }));
const link = objectOf(() => ({
  ...each(text, 'operationRef operationId'),
  parameters: mapOf(anything),
  server,
}));
const response = objectOf(() => ({ headers: mapOf(header), content, links: mapOf(link) }));
const callback = mapOf(objectOf(() => pathItemMembers()));

const operation: Kind = objectOf(() => ({
  tags: texts,
  operationId: text,
  parameters: listOf(parameter),
  requestBody,
  responses: mapOf(response),
  callbacks: mapOf(callback),
  deprecated: flag,
  security,
  servers,
  externalDocs: links,
}));

function pathItemMembers(): Readonly<Record<string, Kind>> {
  const asked = [...methods, 'QUERY'].map((method) => [method.toLowerCase(), operation] as const);
  const added = { additionalOperations: mapOf(operation) };
  return { parameters: listOf(parameter), servers, ...added, ...Object.fromEntries(asked) };
}

const pathItem = objectOf(pathItemMembers);
const scheme = objectOf(() => ({
  ...each(text, 'type name in scheme bearerFormat openIdConnectUrl flow tokenUrl'),
  flows: mapOf(flow),
  scopes: mapOf(anything),
}));
const flow: Kind = objectOf(() => ({
  ...each(text, 'authorizationUrl tokenUrl refreshUrl'),
  scopes: mapOf(anything),
}));

/** The members at the top of a document of every version. */
const top = {
  info: objectOf(() => ({})),
  security,
  tags: listOf(objectOf(() => ({ name: text }))),
};

/** OpenAPI 3.0, 3.1 and 3.2. */
const openApiKind: Kind = objectOf(() => ({
  ...top,
  servers,
  paths: mapOf(pathItem),
  webhooks: mapOf(pathItem),
  components: objectOf(() => ({
    schemas: mapOf(schemaKind),
    responses: mapOf(response),
    parameters: mapOf(parameter),
    examples: mapOf(example),
    requestBodies: mapOf(requestBody),
    headers: mapOf(header),
    securitySchemes: mapOf(scheme),
    links: mapOf(link),
    callbacks: mapOf(callback),
    pathItems: mapOf(pathItem),
    mediaTypes: content,
  })),
}));

/** A parameter of Swagger 2.0 is a schema too, unless it is in the body. */
const oldParameter: Kind = objectOf(() => ({
  ...each(text, 'name in collectionFormat type format pattern'),
  ...each(flag, 'required allowEmptyValue'),
  schema: schemaKind,
  enum: listOf(anything),
  items: oldItems,
}));
const oldItems: Kind = anyOf('an object', schemaKind);
const oldHeader = objectOf(() => ({
  type: text,
  format: text,
  items: oldItems,
  enum: listOf(anything),
}));
const oldResponse = objectOf(() => ({
  schema: schemaKind,
  headers: mapOf(oldHeader),
  examples: mapOf(anything),
}));
const oldOperation = objectOf(() => ({
  ...each(texts, 'tags consumes produces schemes'),
  operationId: text,
  parameters: listOf(oldParameter),
  responses: mapOf(oldResponse),
  deprecated: flag,
  security,
}));
const oldPathItem = objectOf(() => ({
  parameters: listOf(oldParameter),
  ...Object.fromEntries(methods.map((method) => [method.toLowerCase(), oldOperation])),
}));

/** Swagger 2.0. */
const swaggerKind: Kind = objectOf(() => ({
  ...top,
  ...each(text, 'host basePath'),
  ...each(texts, 'schemes consumes produces'),
  paths: mapOf(oldPathItem),
  definitions: mapOf(schemaKind),
  parameters: mapOf(oldParameter),
  responses: mapOf(oldResponse),
  securityDefinitions: mapOf(scheme),
}));

/** A document in which each part that vouch reads has the kind that OpenAPI requires. */
interface ValidDocument {
  readonly document: JsonObject;
  /** What was left out or replaced, in the order of the document. */
  readonly faults: readonly KindFault[];
}

/**
 * Leaves out of a document each part whose kind differs from what OpenAPI requires: an object
 * instead of a list, `type: 5`. A schema, response or other part that references may target is
 * replaced by an empty one. Returns the same document if nothing is wrong; pointers do not change.
 */
export function dropInvalidParts(document: JsonObject, dialect: string): ValidDocument {
  const faults: KindFault[] = [];
  const kind = dialect === '2.0' ? swaggerKind : openApiKind;
  const sound = kind.sound(document, { name: '' }, (trail, expected, value, instead) => {
    const pointer = pointerOf(trail);
    const isPlain = typeof value === 'string' || isJsonArray(value);
    const explained = isPlain ? expected.explain?.(value, instead) : undefined;
    const name = typeof trail.name === 'number' ? `Item ${String(trail.name)}` : `"${trail.name}"`;
    const read = instead === undefined ? '' : `; it is read as ${instead}`;
    const message = `${name} must be ${expected.expects}, but is ${nameOf(value)}${read}.`;
    faults.push({ rule: 'struct', message, ...explained, pointer });
  });
  return { document: isJsonObject(sound) ? sound : document, faults };
}

function nameOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return value.length > 30 ? 'a string' : `the string ${JSON.stringify(value)}`;
  return String(value);
}
