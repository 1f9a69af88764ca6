import { wordsIn } from '../../words-in.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonObject, isNumeric, mapMembers } from '../../json/value.ts';
import type { Dialect, SchemaNode, SchemaObject } from '../model.ts';

/**
 * Keywords whose value is one schema, a list of schemas, or a map of schemas (JSON Schema 2020-12).
 */
export const schemaKeywords = {
  one: (
    'items additionalProperties not if then else contains propertyNames ' +
    'unevaluatedItems unevaluatedProperties contentSchema'
  ).split(' '),
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
} as const;

/**
 * Converts the raw schemas of one document to JSON Schema 2020-12 nodes, each once. Structure and
 * pointers do not change; only keywords of Swagger 2.0 and OpenAPI 3.0 are translated. A schema
 * without any of them is returned unchanged.
 */
export class SchemaConverter {
  /** Undefined for OpenAPI 3.1 and 3.2, whose schemas are JSON Schema 2020-12 already. */
  readonly #translate: Translate | undefined;
  readonly #converted = new Map<object, SchemaNode>();

  constructor(dialect: Dialect) {
    if (dialect === '2.0') this.#translate = translateOldest;
    else if (dialect === '3.0') this.#translate = translate;
  }

  convert(raw: JsonValue): SchemaNode {
    if (typeof raw === 'boolean') return raw;
    if (!isJsonObject(raw)) return {};
    // The model's type covers any JSON object.
    if (this.#translate === undefined) return raw;
    let node = this.#converted.get(raw);
    if (node === undefined) this.#converted.set(raw, (node = convertNode(raw, this.#translate)));
    return node;
  }
}

/**
 * Translates one node without its subschemas; returns the node itself if no translation is needed.
 */
type Translate = (node: JsonObject) => Record<string, unknown>;

/**
 * Most of a contract of many megabytes is the same in both dialects: only changed parts are copied.
 */
function convertNode(raw: JsonObject, translateNode: Translate): SchemaObject {
  const node = translateNode(raw);
  if (typeof node['$ref'] === 'string') return node;
  let made = node === raw ? undefined : node;
  for (const keyword in node) {
    const shape = shapes.get(keyword);
    const value = node[keyword];
    if (shape === undefined || typeof value !== 'object' || value === null) continue;
    const converted =
      shape === 'one' ? convertOne(value, translateNode) : convertMany(value, translateNode);
    if (converted !== value) (made ??= { ...node })[keyword] = converted;
  }
  // A node is a schema object after its keywords are converted.
  return made ?? raw;
}

const shapes = new Map<string, 'one' | 'many'>([
  ...schemaKeywords.one.map((keyword) => [keyword, 'one'] as const),
  ...[...schemaKeywords.list, ...schemaKeywords.map].map((keyword) => [keyword, 'many'] as const),
]);

function convertOne(value: unknown, translateNode: Translate): unknown {
  return isJsonObject(value) ? convertNode(value, translateNode) : value;
}

/** The members of a list or of a map, in a new one if any of them has changed. */
function convertMany(value: object, translateNode: Translate): object {
  const members = Object.entries(value) as [string, unknown][];
  const converted = members.map(
    ([name, member]) => [name, convertOne(member, translateNode)] as const,
  );
  if (converted.every(([, member], index) => member === members[index]?.[1])) return value;
  return Array.isArray(value)
    ? converted.map(([, member]) => member)
    : Object.fromEntries(converted);
}

/**
 * A copy of the node with every direct subschema replaced. `visit` receives the schema and the
 * tokens of its path.
 */
export function mapSubschemas(
  node: object,
  visit: (node: JsonValue, ...tokens: string[]) => unknown,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...node };
  const isSchema = (value: unknown): value is JsonValue =>
    isJsonObject(value) || typeof value === 'boolean';
  for (const keyword of schemaKeywords.one) {
    const value = result[keyword];
    if (isSchema(value)) result[keyword] = visit(value, keyword);
  }
  for (const keyword of schemaKeywords.list) {
    const value = result[keyword];
    if (Array.isArray(value))
      result[keyword] = value.map((item: JsonValue, index) => visit(item, keyword, String(index)));
  }
  for (const keyword of schemaKeywords.map) {
    const value = result[keyword];
    if (!isJsonObject(value)) continue;
    result[keyword] = mapMembers(value, (item, name) =>
      isSchema(item) ? visit(item, keyword, name) : item,
    );
  }
  return result;
}

const translatedKeywords = ['nullable', 'example', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

/**
 * OpenAPI 3.0.4, section 4.7.24: `nullable`, boolean exclusive bounds, `example`; siblings of
 * `$ref` are ignored.
 */
function translate(node: JsonObject): Record<string, unknown> {
  if (typeof node['$ref'] === 'string')
    return Object.keys(node).length === 1 ? node : { $ref: node['$ref'] };
  if (!translatedKeywords.some((keyword) => Object.hasOwn(node, keyword))) return node;
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, ...rest } = node;
  return {
    ...rest,
    ...(example === undefined ? {} : { examples: [example] }),
    ...exclusiveBound('exclusiveMinimum', 'minimum', exclusiveMinimum, rest),
    ...exclusiveBound('exclusiveMaximum', 'maximum', exclusiveMaximum, rest),
    ...(nullable === true ? allowNull(rest) : {}),
  };
}

/**
 * Swagger 2.0, "Schema Object" and "Parameter Object": `type: file`, `discriminator` as a plain
 * name, and the common extension `x-nullable`. A parameter is a schema too: its other members are
 * unknown to a schema.
 */
function translateOldest(node: JsonObject): Record<string, unknown> {
  const nullable = node['x-nullable'] === true;
  const isFile = node['type'] === 'file';
  const discriminator = node['discriminator'];
  const isParameter = typeof node['in'] === 'string' && typeof node['name'] === 'string';
  if (!nullable && !isFile && !isParameter && typeof discriminator !== 'string')
    return translate(node);
  const { name, in: place, required, ...rest } = node;
  return translate({
    ...(isParameter ? rest : node),
    ...(isFile ? { type: 'string', format: 'binary' } : {}),
    ...(nullable ? { nullable } : {}),
    ...(typeof discriminator === 'string'
      ? { discriminator: { propertyName: discriminator } }
      : {}),
  });
}

function exclusiveBound(
  exclusive: string,
  bound: string,
  value: unknown,
  node: Record<string, unknown>,
): Record<string, unknown> {
  if (value !== true || node[bound] === undefined) return {};
  return { [exclusive]: node[bound], [bound]: undefined };
}

/**
 * `nullable` counts only beside a `type` (the 3.0.3 clarification); in practice an enum need not
 * repeat null to be nullable.
 */
function allowNull(node: Record<string, unknown>): Record<string, unknown> {
  if (typeof node['type'] !== 'string') return {};
  const values = node['enum'];
  const needsNull = Array.isArray(values) && !values.includes(null);
  return {
    type: [node['type'], 'null'],
    ...(needsNull ? { enum: [...(values as JsonValue[]), null] } : {}),
  };
}

/** Lengths and numbers of things. */
const counts: ReadonlySet<string> = new Set(
  wordsIn('minLength maxLength minItems maxItems minProperties maxProperties'),
);

const keywordTypes = new Map<string, (value: unknown) => boolean>([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(
    (name) => [name, isNumeric] as const,
  ),
  ...[...counts].map((name) => [name, isNumeric] as const),
  // An empty enum would allow nothing, which no author means, and Ajv refuses it.
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ...['required', 'allOf', 'anyOf', 'oneOf'].map((name) => [name, Array.isArray] as const),
  ...['pattern', 'format', '$ref'].map(
    (name) => [name, (value: unknown) => typeof value === 'string'] as const,
  ),
  ['uniqueItems', (value) => typeof value === 'boolean'],
]);

/**
 * A schema without the keywords whose values are invalid, such as `required: true`: they have no
 * effect (the lint reports them), and the rest still counts. A count beyond 2^53, such as the
 * largest 64-bit integer for "no bound", becomes the nearest double: no value is that long, and Ajv
 * accepts no larger one. Returns the schema itself if nothing changes.
 */
export function withoutUnusable<Node extends object>(node: Node): Node {
  const isUsable = ([keyword, value]: [string, unknown]): boolean =>
    keywordTypes.get(keyword)?.(value) ?? true;
  const isHuge = ([keyword, value]: [string, unknown]): boolean =>
    typeof value === 'bigint' && counts.has(keyword);
  const entries = Object.entries(node);
  if (entries.every((entry) => isUsable(entry) && !isHuge(entry))) return node;
  const usable = entries
    .filter(isUsable)
    .map((entry) => (isHuge(entry) ? [entry[0], Number(entry[1])] : entry));
  // Only optional members are left out, and numbers stay numbers: the type is the same.
  return Object.fromEntries(usable) as Node;
}
