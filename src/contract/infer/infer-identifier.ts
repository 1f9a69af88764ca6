import { plainName, singularOf } from './infer-names.ts';
import type { FlatSchema, Identifier, LocatedNode, Operation, Schema } from '../model.ts';
import { objectMembers } from '../schema/object-members.ts';
import { lastParameter } from './path-groups.ts';
import { defined } from '../../json/defined.ts';

/** The identifier of a record, and the sentence that says how it was found. */
export interface IdentifierReading {
  readonly identifier: Identifier;
  readonly why: readonly string[];
}

/** What an identifier is read from, besides the record. */
export interface IdentifierSource {
  /** An operation on an item's path; undefined where the contract has none. */
  readonly item?: Operation | undefined;
  /** The last word of the collection's path: `things`. */
  readonly word?: string;
  /** The field that a person named. */
  readonly field?: string | undefined;
}

/**
 * Finds the record field that identifies it: the one that the item's path parameter names, else
 * what the parameter's name ends in (`petId` → `id`), else `id`, `uuid`, `key`, `slug` or `code`;
 * and where the parameter is a text and names no identifier (`/users/{user}`), the field by which
 * people name such a record.
 */
export function inferIdentifier(
  record: Schema,
  { item, word = '', field: named }: IdentifierSource,
): IdentifierReading | undefined {
  const parameter = item && lastParameter(item.path);
  const { properties, common } = objectMembers(record);
  const scalars = [...properties]
    .filter(([name, place]) => common.has(name) && scalarType(record, place) !== undefined)
    .map(([name]) => name);
  const names = named === undefined ? candidates(parameter, word) : [named];
  const fitting = names.flatMap(
    (name) =>
      scalars.find((scalar) => scalar === name) ??
      scalars.find((scalar) => plainName(scalar) === plainName(name)) ??
      [],
  );
  const field = choose(fitting, parameterType(item, parameter), { record, parameter });
  if (field === undefined) return undefined;
  const property = properties.get(field);
  const { format } = flattenAt(record, property).node;
  return {
    identifier: {
      field,
      ...defined({ parameter }),
      type: scalarType(record, property) ?? 'string',
      ...defined({ format }),
    },
    why: [`Records are identified by ${field}: ${reason(named, parameter)}.`],
  };
}

function reason(named: string | undefined, parameter: string | undefined): string {
  if (named !== undefined) return 'the configuration says so';
  return parameter === undefined
    ? 'its name is usual for an identifier'
    : `the path parameter ${parameter} carries it`;
}

function candidates(parameter: string | undefined, word: string): string[] {
  const usual = ['id', 'uuid', 'key', 'slug', 'code'];
  const own = word === '' ? [] : [`${singularOf(word)}Id`];
  if (parameter === undefined) return [...usual, ...own];
  const ending = /(?:^|[a-z0-9_-])(id|uuid|key|slug|code|name|number)$/i.exec(parameter)?.[1];
  // `{user}` under `/users` is whatever people call a user by.
  const isCalled =
    singularOf(parameter) === singularOf(word) || /(name|slug|identifier)$/i.test(parameter);
  const byName = isCalled ? [`${parameter}_name`, 'slug', 'login', 'username', 'name'] : [];
  return [
    ...new Set([
      parameter,
      ...(ending === undefined ? [] : [ending.toLowerCase()]),
      ...usual,
      ...own,
      ...byName,
    ]),
  ];
}

/**
 * The first candidate, unless its type cannot be the parameter's: then a later one that can, or
 * none.
 */
function choose(
  fields: readonly string[],
  wanted: 'integer' | 'string' | undefined,
  { record, parameter }: { readonly record: Schema; readonly parameter: string | undefined },
): string | undefined {
  const [first] = fields;
  if (wanted === undefined || first === undefined || first === parameter) return first;
  const { properties } = objectMembers(record);
  const isIdentifier = parameter !== undefined && /(id|uuid)$/i.test(parameter);
  // `petId` is the `id`, however loosely a path parameter is typed.
  if (isIdentifier && plainName(first) === 'id') return first;
  return (
    fields.find((field) => scalarType(record, properties.get(field)) === wanted) ??
    (isIdentifier ? first : undefined)
  );
}

function parameterType(
  item: Operation | undefined,
  parameter: string | undefined,
): 'integer' | 'string' | undefined {
  const schema = item?.parameters.find(
    (candidate) => candidate.in === 'path' && candidate.name === parameter,
  )?.schema;
  return schema && typeOf(schema.flatten());
}

function flattenAt(record: Schema, property: LocatedNode | undefined): FlatSchema {
  return property === undefined
    ? record.flatten(true, '')
    : record.flatten(property.node, property.pointer);
}

function scalarType(
  record: Schema,
  property: LocatedNode | undefined,
): 'integer' | 'string' | undefined {
  return property === undefined ? undefined : typeOf(flattenAt(record, property));
}

function typeOf({ types }: FlatSchema): 'integer' | 'string' | undefined {
  if (types.length > 2) return undefined;
  if (types.includes('integer') || types.includes('number')) return 'integer';
  return types.includes('string') ? 'string' : undefined;
}
