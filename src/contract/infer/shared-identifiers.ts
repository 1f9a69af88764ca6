import type { ForeignKey, LocatedNode, Resource, Schema } from '../model.ts';
import { recordFields } from './record-fields.ts';

/**
 * The resource whose identifiers a part of a schema holds: the document writes the schema of both
 * once, and no other resource has it. Undefined if there is none.
 */
export function resourceIdentifiedBy(
  schema: Schema,
  place: LocatedNode,
  resources: readonly Resource[],
): Resource | undefined {
  const target = schema.follow(place).pointer;
  if (!target.includes('/schemas/')) return undefined;
  const [found, ...others] = resources.filter(
    (resource) => isShown(resource) && identifierPlace(resource) === target,
  );
  return others.length === 0 && found?.parents.length === 0 ? found : undefined;
}

function isShown({ kind, name, collection }: Resource): boolean {
  return kind === 'collection' && name === collection;
}

/** Where the schema of the identifiers of a resource is written. */
function identifierPlace({ record, identifier }: Resource): string | undefined {
  const place = record.flatten().properties.get(identifier.field);
  return place && record.follow(place).pointer;
}

/** The fields of a record that refer to others by such a schema alone. */
export function sharedReferences(
  { record, identifier, foreignKeys }: Resource,
  resources: readonly Resource[],
): ForeignKey[] {
  return recordFields(record).flatMap(({ name, many, place }): ForeignKey[] => {
    const isKnown = name === identifier.field || foreignKeys.some(({ field }) => field === name);
    const resource = isKnown || many ? undefined : resourceIdentifiedBy(record, place, resources);
    if (resource === undefined) return [];
    return [{ field: name, resource, by: resource.identifier.field, many }];
  });
}
