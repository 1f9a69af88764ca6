import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { groupsOf } from '../infer/record-view.ts';
import type { Operation, Parameter, Resource } from '../model.ts';
import { speaksJsonApi, successSchema } from '../infer/conventions/envelope-styles.ts';
import { askedOf, type Protocol, type ToldOf } from './protocol.ts';
import { typeOf } from './projection.ts';

/** A parameter that asks for the records to which the shown ones refer. */
export interface Inclusion {
  readonly operation: Operation;
  readonly parameter: Parameter;
  /** The resources of the records that a relationship names, by the name of the relationship. */
  readonly relations: ReadonlyMap<string, Resource>;
  /** The names of all relationships, also of those that name records of no resource. */
  readonly known: ReadonlySet<string>;
  /** The paths over several relationships that the contract lists: `comments.author`. */
  readonly paths: readonly string[];
}

/**
 * Inclusion: `include` names relationships, and `included` has each record to which they refer,
 * once (JSON:API 1.1, sections 5.4.2 and 6.3). `$expand` of OData names relationships too
 * (expansion.ts): its values are known as such here.
 */
export const inclusion: Protocol<ToldOf<Inclusion>> = {
  read: askedOf(inclusionsOf, ({ parameter, relations }, ids) => {
    const names = [...relations.keys()].join(', ');
    return `${parameter.name} of ${ids} asks for the records that ${names} name.`;
  }),
  governs: (operation, parameter) => isInclusion(operation, parameter),
};

/** The inclusions of the list and of the read of a resource. */
export function inclusionsOf(
  resource: Resource,
  resources: readonly Resource[],
): readonly Inclusion[] {
  const types = groupsOf(resource.record)?.relations?.types ?? {};
  const relations = new Map(
    Object.entries(types).flatMap(([name, type]) => {
      const named = resources.find((one) => one.parents.length === 0 && typeOf(one) === type);
      return named === undefined ? [] : [[name, named] as const];
    }),
  );
  if (relations.size === 0) return [];
  const known = new Set(Object.keys(types));
  return [resource.operations.list, resource.operations.read].flatMap((operation) => {
    const parameter = operation?.parameters.find(
      (one) => one.name === 'include' && isInclusion(operation, one),
    );
    return operation === undefined || parameter === undefined
      ? []
      : [{ operation, parameter, relations, known, paths: pathsIn(parameter, relations) }];
  });
}

/** The listed values of a parameter that go over several relationships. */
function pathsIn(
  { schema }: Parameter,
  relations: ReadonlyMap<string, Resource>,
): readonly string[] {
  const flat = schema.flatten();
  const { node } = flat.items === undefined ? flat : schema.part(flat.items).flatten();
  return (node.enum ?? []).filter(
    (value): value is string =>
      typeof value === 'string' && value.includes('.') && relations.has(value.split('.')[0] ?? ''),
  );
}

/** Whether the values of a parameter are names of relationships. */
function isInclusion(operation: Operation, { in: location, name, schema }: Parameter): boolean {
  const { types } = schema.flatten();
  const isText = types.some((type) => type === 'string' || type === 'array');
  if (location !== 'query' || operation.method !== 'GET' || !isText) return false;
  if (name === '$expand') return true;
  return (
    name === 'include' &&
    (speaksJsonApi(operation) ||
      successSchema(operation)?.flatten().properties.has('included') === true)
  );
}

/** The resource objects that a member of a document holds (JSON:API 1.1, section 7.1). */
export function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return [value ?? null].flat().filter((one) => isJsonObject(one));
}

/** What tells resource objects apart: their type and id (JSON:API 1.1, section 7.2.1). */
export function keyOf({ type, id }: JsonObject): string {
  return `${String(type)} ${String(id)}`;
}

/** What the relationships of a resource object name. */
export function linksOf(record: JsonObject): JsonObject[] {
  const relationships = record['relationships'] ?? null;
  return isJsonObject(relationships)
    ? Object.keys(relationships).flatMap((name) => linkedBy(record, name))
    : [];
}

/** What a relationship of a resource object names (JSON:API 1.1, section 7.2.2.2). */
export function linkedBy(record: JsonObject, name: string): JsonObject[] {
  const relationships = record['relationships'] ?? null;
  const link = memberOf(relationships, name) ?? null;
  return isJsonObject(link) ? objectsIn(link['data']) : [];
}
