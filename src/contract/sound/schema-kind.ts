import { isJsonArray, isJsonObject } from '../../json/value.ts';
import { anyOf, listOf, mapOf, objectOf, scalar, type Kind } from './kind.ts';

export const text = scalar('a text', (value) => typeof value === 'string');
export const flag = scalar('true or false', (value) => typeof value === 'boolean');
export const anything = scalar('any value', () => true);
const number = scalar(
  'a number',
  (value) => typeof value === 'number' || typeof value === 'bigint',
);
const count = scalar(
  'a whole number, 0 or more',
  (value) => (typeof value === 'bigint' || Number.isInteger(value)) && Number(value) >= 0,
);
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'file'];
const isType = (value: unknown): boolean => typeof value === 'string' && types.includes(value);
const type = scalar(`one of ${types.slice(0, -1).join(', ')}, or a list of them`, (value) =>
  isJsonArray(value) ? value.length > 0 && value.every(isType) : isType(value),
);
const names = scalar(
  'a list of texts',
  (value) => isJsonArray(value) && value.every((item) => typeof item === 'string'),
);
const bound = anyOf('a number', number, flag);

const discriminator = anyOf('an object with a propertyName', text, {
  ...objectOf(() => ({ mapping: mapOf(text), defaultMapping: text })),
  sound(value, trail, tell) {
    if (!isJsonObject(value) || typeof value['propertyName'] !== 'string') return undefined;
    return objectOf(() => ({ mapping: mapOf(text), defaultMapping: text })).sound(
      value,
      trail,
      tell,
    );
  },
});

const xml = objectOf(() => ({
  name: text,
  namespace: text,
  prefix: text,
  attribute: flag,
  wrapped: flag,
  nodeType: text,
}));

/** Keywords of JSON Schema 2020-12, OpenAPI and Swagger; what else a schema says is not read. */
const object = objectOf(() => ({
  $ref: text,
  $dynamicRef: text,
  $anchor: text,
  $dynamicAnchor: text,
  $id: text,
  type,
  format: text,
  pattern: text,
  contentEncoding: text,
  contentMediaType: text,
  required: names,
  enum: listOf(anything),
  examples: anyOf('a list', listOf(anything), mapOf(anything)),
  minimum: number,
  maximum: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: number,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minContains: count,
  maxContains: count,
  uniqueItems: flag,
  nullable: flag,
  readOnly: flag,
  writeOnly: flag,
  deprecated: flag,
  items: schemaKind,
  additionalProperties: schemaKind,
  not: schemaKind,
  if: schemaKind,
  then: schemaKind,
  else: schemaKind,
  contains: schemaKind,
  propertyNames: schemaKind,
  unevaluatedItems: schemaKind,
  unevaluatedProperties: schemaKind,
  contentSchema: schemaKind,
  allOf: listOf(schemaKind, 1),
  anyOf: listOf(schemaKind, 1),
  oneOf: listOf(schemaKind, 1),
  prefixItems: listOf(schemaKind, 1),
  properties: mapOf(schemaKind),
  patternProperties: mapOf(schemaKind),
  dependentSchemas: mapOf(schemaKind),
  $defs: mapOf(schemaKind),
  definitions: mapOf(schemaKind),
  dependentRequired: mapOf(names),
  discriminator,
  xml,
}));

/** A schema: an object, or true or false. */
export const schemaKind: Kind = anyOf('a schema, which is an object', flag, object);
