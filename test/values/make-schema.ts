import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type {
  Direction,
  FlatSchema,
  LocatedNode,
  Schema,
  SchemaIssue,
  SchemaNode,
  SchemaObject,
} from '../../src/contract/model.ts';
import { joinPointer, valueAt, type Pointer } from '../../src/json/pointer.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';

/**
 * A `Schema` on plain Ajv: an oracle that shares no code with the contract's own. It knows one
 * document (the schema itself, with `$ref`s into it), judges `bigint`s by the doubles next to them,
 * and holds readOnly and writeOnly against `required`.
 */
export function makeSchema(root: SchemaNode): Schema {
  const judges = { request: makeJudge(root, 'request'), response: makeJudge(root, 'response') };
  const follow = (place: LocatedNode): LocatedNode => {
    const { node } = place;
    if (typeof node === 'boolean' || node.$ref === undefined || Object.keys(node).length > 1)
      return place;
    const target = node.$ref.slice(1);
    // A test's own schema: what its references name is a schema.
    return follow({ node: valueAt(root as JsonObject, target) as SchemaNode, pointer: target });
  };
  const make = ({ node, pointer }: LocatedNode): Schema => ({
    node,
    pointer,
    follow,
    validate: (value, direction) => judges[direction](pointer, value),
    accepts: (value, direction) => judges[direction](pointer, value).length === 0,
    part: make,
    derive: (read) => read(make({ node, pointer })),
    flatten: () => flatten({ node, pointer }),
  });
  return make({ node: root, pointer: '' });
}

type Judge = (pointer: Pointer, value: JsonValue) => SchemaIssue[];

const int64: readonly [number, number] = [-(2 ** 63), 2 ** 63];
const formats = {
  ...fullFormats,
  int64: {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && value >= int64[0] && value < int64[1],
  },
} as const;

function makeJudge(root: SchemaNode, direction: Direction): Judge {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    formats,
    multipleOfPrecision: 9,
    ownProperties: true,
    logger: false,
  });
  const checks = new Map<Pointer, ValidateFunction>();
  ajv.addSchema(directed(root, direction) as AnySchemaObject, 'root');
  return (pointer, value) => {
    const check =
      checks.get(pointer) ??
      ajv.compile({ $ref: pointer === '' ? 'root' : `root#${encodeURI(pointer)}` });
    checks.set(pointer, check);
    return check(toDoubles(value)) ? [] : (check.errors ?? []).map(toIssue);
  };
}

function toIssue({ instancePath, keyword, schemaPath, message = '' }: ErrorObject): SchemaIssue {
  return {
    at: instancePath,
    keyword,
    pointer: decodeURI(schemaPath.replace(/^[^/]*/, '')),
    message,
  };
}

/**
 * Doubles for Ajv; a `bigint` that 64 bits do not hold stays beyond the range, one that they do
 * stays inside.
 */
function toDoubles(value: JsonValue): unknown {
  if (typeof value === 'bigint') {
    const double = Number(value);
    const holds = value >= -(2n ** 63n) && value < 2n ** 63n;
    if (holds) return double === int64[1] ? double - 1024 : double;
    return double === int64[0] ? double - 2048 : double;
  }
  if (Array.isArray(value)) return value.map(toDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, toDoubles(member)]),
  );
}

/**
 * The schema as it counts in one direction: hidden properties are not required, and writeOnly ones
 * are not shown.
 */
export function directed(node: unknown, direction: Direction): unknown {
  if (typeof node === 'bigint') return Number(node);
  if (Array.isArray(node)) return node.map((item) => directed(item, direction));
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([name, member]) => [name, directed(member, direction)]),
  );
  const { properties, required } = node as SchemaObject;
  if (properties === undefined || !Array.isArray(required)) return copy;
  const mark = direction === 'request' ? 'readOnly' : 'writeOnly';
  return {
    ...copy,
    required: required.filter(
      (name: string) => !(properties[name] as SchemaObject | undefined)?.[mark],
    ),
  };
}

/**
 * As much of flattening as an interface asks for; the makers of values read schemas by themselves.
 */
function flatten({ node, pointer }: LocatedNode): FlatSchema {
  const object = typeof node === 'boolean' ? {} : node;
  const properties = Object.entries(object.properties ?? {}).map(
    ([name, property]) =>
      [name, { node: property, pointer: joinPointer(pointer, 'properties', name) }] as const,
  );
  const part = (keyword: 'items' | 'additionalProperties') =>
    object[keyword] === undefined
      ? undefined
      : { node: object[keyword], pointer: joinPointer(pointer, keyword) };
  const branches = (keyword: 'oneOf' | 'anyOf') =>
    (object[keyword] ?? []).map((one, index) => ({
      node: one,
      pointer: joinPointer(pointer, keyword, index),
    }));
  return {
    node: object,
    pointer,
    places: [pointer],
    pointerOf: (keyword) => joinPointer(pointer, keyword),
    types: [object.type ?? []].flat(),
    properties: new Map(properties),
    items: part('items'),
    others: part('additionalProperties'),
    branches: [...branches('oneOf'), ...branches('anyOf')],
    required: new Set(object.required),
  };
}
