import { isJsonMediaType } from '../http/media-type.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { Filter, FlatSchema, Limit, ListShape, LocatedNode, Operation, Parameter, Schema } from './model.ts';
import { successResponses } from './select-response.ts';

/** A GET that answers records, and how. */
export interface ListReading {
  readonly operation: Operation;
  readonly record: Schema;
  readonly shape: ListShape;
  readonly why: readonly string[];
}

/** The schema of an operation's first documented JSON success, or undefined where the contract gives none. */
export function successSchema(operation: Operation): Schema | undefined {
  const entries = successResponses(operation).flatMap((response) => response.content);
  return entries.find((entry) => isJsonMediaType(entry.mediaType))?.schema;
}

/** Reads an operation as a list: a bare array of objects, or an envelope with exactly one such array in it. */
export function inferList(operation: Operation): ListReading | undefined {
  const body = successSchema(operation);
  const found = body && findRecords(body);
  if (found === undefined) return undefined;
  const record = found.schema.flatten();
  const limit = inferLimit(operation);
  const filters = inferFilters(operation, found.schema, record, limit);
  return {
    operation,
    record: found.schema,
    shape: { records: found.at, filters, ...(limit === undefined ? {} : { limit }) },
    why: explain(found.at, filters, limit),
  };
}

function findRecords(body: Schema): { at: Pointer; schema: Schema } | undefined {
  const flat = body.flatten();
  const bare = recordsOf(body, { node: flat.node, pointer: flat.pointer });
  if (bare !== undefined) return { at: '', schema: bare };
  const arrays = [...flat.properties].flatMap(([name, property]) => {
    const schema = recordsOf(body, property);
    return schema === undefined ? [] : [{ at: joinPointer('', name), schema }];
  });
  return arrays.length === 1 ? arrays[0] : undefined;
}

function recordsOf(body: Schema, place: LocatedNode): Schema | undefined {
  const array = body.flatten(place.node, place.pointer);
  if (!array.types.includes('array') || array.types.length > 2 || array.node.items === undefined) return undefined;
  const item = body.follow(array.node.items, joinPointer(array.pointer, 'items'));
  return body.flatten(item.node, item.pointer).properties.size > 0 ? body.part(item) : undefined;
}

const limitNames = /^(limit|page_?size|per_?page|size|count|top|max_?results|first)$/i;

function inferLimit(operation: Operation): Limit | undefined {
  const parameter = operation.parameters.find((candidate) => candidate.in === 'query' && limitNames.test(candidate.name) && isInteger(candidate));
  if (parameter === undefined) return undefined;
  const { node } = parameter.schema.flatten();
  return {
    parameter,
    ...(node.minimum === undefined ? {} : { minimum: Number(node.minimum) }),
    ...(node.maximum === undefined ? {} : { maximum: Number(node.maximum) }),
    ...(typeof node.default === 'number' ? { default: node.default } : {}),
  };
}

function isInteger(parameter: Parameter): boolean {
  const { types } = parameter.schema.flatten();
  return types.length <= 2 && (types.includes('integer') || types.includes('number'));
}

function inferFilters(operation: Operation, schema: Schema, record: FlatSchema, limit: Limit | undefined): Filter[] {
  return operation.parameters.flatMap((parameter) => {
    const property = record.properties.get(parameter.name);
    if (parameter.in !== 'query' || parameter === limit?.parameter || property === undefined) return [];
    const asked = scalars(parameter.schema, parameter.schema.flatten());
    const shared = scalars(schema, schema.flatten(property.node, property.pointer)).filter((type) => asked.includes(type));
    return shared.length > 0 ? [{ parameter, field: parameter.name }] : [];
  });
}

/** The scalar types that a value, or each item of a list, may have: `?tag=a&tag=b` asks for records with one of both. */
function scalars(schema: Schema, flat: FlatSchema): string[] {
  const { items } = flat.node;
  if (flat.types.includes('array') && flat.types.length <= 2 && items !== undefined) return scalars(schema, schema.flatten(items, joinPointer(flat.pointer, 'items')));
  return flat.types.filter((type) => type === 'string' || type === 'integer' || type === 'number' || type === 'boolean');
}

function explain(at: Pointer, filters: readonly Filter[], limit: Limit | undefined): string[] {
  const where = at === '' ? 'The body of a list is the bare array of records.' : `The records of a list sit at ${at} in its body.`;
  const filtering = filters.map(({ parameter }) => `The query parameter ${parameter.name} filters: a record field has its name and type.`);
  const paging = limit === undefined ? [] : [`The query parameter ${limit.parameter.name} is the page size${limit.default === undefined ? '' : `, ${String(limit.default)} when it is left out`}.`];
  return [where, ...filtering, ...paging];
}
