import type { ParameterForm } from '../../../src/contract/parameter/parameter-form.ts';
import type {
  FlatSchema,
  Schema,
  SchemaIssue,
  SchemaNode,
  SchemaObject,
} from '../../../src/contract/model.ts';
import type { Pointer } from '../../../src/json/pointer.ts';
import type { JsonValue } from '../../../src/json/value.ts';

const allTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** A parameter in `form` style in the query, but for what a test says. */
export function makeParameter(
  node: SchemaNode,
  changes: Partial<ParameterForm> = {},
): ParameterForm {
  const location = changes.in ?? 'query';
  const style =
    changes.style ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple');
  return {
    name: 'color',
    in: location,
    style,
    explode: style === 'form',
    allowReserved: false,
    allowEmptyValue: false,
    schema: makeSchema(node),
    ...changes,
  };
}

/** A schema without `$ref` and `allOf`, which judges nothing but `enum`. */
function makeSchema(node: SchemaNode): Schema {
  return {
    pointer: '/schema',
    node,
    validate: (value) => validateEnum(node, value),
    accepts: (value) => validateEnum(node, value).length === 0,
    follow: (place) => place,
    part: (place) => makeSchema(place.node),
    derive: (read) => read(makeSchema(node)),
    flatten: (place = { node, pointer: '/schema' }) => flatten(place.node, place.pointer),
  };
}

function flatten(node: SchemaNode, pointer: Pointer): FlatSchema {
  const plain: SchemaObject = typeof node === 'boolean' ? {} : node;
  const properties = Object.entries(plain.properties ?? {}).map(
    ([name, property]) =>
      [name, { node: property, pointer: `${pointer}/properties/${name}` }] as const,
  );
  const part = (keyword: 'items' | 'additionalProperties') =>
    plain[keyword] === undefined
      ? undefined
      : { node: plain[keyword], pointer: `${pointer}/${keyword}` };
  const branches = (keyword: 'oneOf' | 'anyOf') =>
    (plain[keyword] ?? []).map((one, index) => ({
      node: one,
      pointer: `${pointer}/${keyword}/${String(index)}`,
    }));
  return {
    node: plain,
    pointer,
    places: [pointer],
    pointerOf: (keyword) => `${pointer}/${keyword}`,
    types: [plain.type ?? allTypes].flat(),
    properties: new Map(properties),
    items: part('items'),
    others: part('additionalProperties'),
    branches: [...branches('oneOf'), ...branches('anyOf')],
    required: new Set(plain.required),
  };
}

function validateEnum(node: SchemaNode, value: JsonValue): SchemaIssue[] {
  const allowed = typeof node === 'boolean' ? undefined : node.enum;
  if (allowed === undefined || allowed.includes(value)) return [];
  return [{ at: '', keyword: 'enum', pointer: '/schema/enum', message: 'must be one of the enum' }];
}
