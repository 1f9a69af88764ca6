import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Dialect, SchemaNode, SchemaObject } from './model.ts';

/** Keywords whose value is one schema, a list of schemas, or a map of schemas (JSON Schema 2020-12). */
export const schemaKeywords = {
  one: ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
} as const;

const cache = new WeakMap<object, SchemaNode>();

/** A raw schema as a JSON Schema 2020-12 node. Structure and pointers stay as they are; only keywords of OpenAPI 3.0 are translated. */
export function convertSchema(raw: JsonValue, dialect: Dialect): SchemaNode {
  if (typeof raw === 'boolean') return raw;
  if (!isJsonObject(raw)) return {};
  // 3.1 and 3.2 are 2020-12 already; the model's type is what a JSON object may hold.
  if (dialect !== '3.0') return raw as SchemaObject;
  const known = cache.get(raw);
  if (known !== undefined) return known;
  const converted: Record<string, unknown> = {};
  cache.set(raw, converted);
  Object.assign(converted, translate(mapSubschemas(raw, (node) => convertSchema(node, dialect))));
  return converted;
}

/** The same node with every direct subschema replaced. `visit` is given the schema and the tokens that lead to it. */
export function mapSubschemas(node: object, visit: (node: JsonValue, ...tokens: string[]) => unknown): Record<string, unknown> {
  const result: Record<string, unknown> = { ...node };
  const isSchema = (value: unknown): value is JsonValue => isJsonObject(value) || typeof value === 'boolean';
  for (const keyword of schemaKeywords.one) {
    const value = result[keyword];
    if (isSchema(value)) result[keyword] = visit(value, keyword);
  }
  for (const keyword of schemaKeywords.list) {
    const value = result[keyword];
    if (Array.isArray(value)) result[keyword] = value.map((item: JsonValue, index) => visit(item, keyword, String(index)));
  }
  for (const keyword of schemaKeywords.map) {
    const value = result[keyword];
    if (!isJsonObject(value)) continue;
    result[keyword] = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, isSchema(item) ? visit(item, keyword, name) : item]));
  }
  return result;
}

/** OpenAPI 3.0.4, section 4.7.24: `nullable`, boolean exclusive bounds, `example`; siblings of `$ref` are ignored. */
function translate(node: Record<string, unknown>): Record<string, unknown> {
  if (typeof node['$ref'] === 'string') return { $ref: node['$ref'] };
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, ...rest } = node;
  return {
    ...rest,
    ...(example === undefined ? {} : { examples: [example] }),
    ...exclusiveBound('exclusiveMinimum', 'minimum', exclusiveMinimum, rest),
    ...exclusiveBound('exclusiveMaximum', 'maximum', exclusiveMaximum, rest),
    ...(nullable === true ? allowNull(rest) : {}),
  };
}

function exclusiveBound(exclusive: string, bound: string, value: unknown, node: Record<string, unknown>): Record<string, unknown> {
  if (value !== true || node[bound] === undefined) return {};
  return { [exclusive]: node[bound], [bound]: undefined };
}

/** `nullable` counts only beside a `type` (the 3.0.3 clarification); an enum does not need to repeat null to be nullable in practice. */
function allowNull(node: Record<string, unknown>): Record<string, unknown> {
  if (typeof node['type'] !== 'string') return {};
  const values = node['enum'];
  const needsNull = Array.isArray(values) && !values.includes(null);
  return { type: [node['type'], 'null'], ...(needsNull ? { enum: [...(values as JsonValue[]), null] } : {}) };
}
