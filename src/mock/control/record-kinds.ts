import type { Contract, Resource } from '../../contract/model.ts';
import { hasKnownRecords } from '../../contract/infer/record-fields.ts';
import { isView } from '../records/collection-name.ts';

/** A resource of the mock and the parents of its records. */
export interface RecordKind {
  /** `singleton`: at most one record at the path, without an identifier. */
  readonly kind: Resource['kind'];
  readonly name: string;
  /**
   * The resource that stores these records: its own name, or that of another one with the same
   * records.
   */
  readonly collection: string;
  /** The path of the collection: `/lists/{listId}/items`. */
  readonly path: string;
  /** The identifying field; undefined for a singleton. */
  readonly identifier: string | undefined;
  readonly identifierType: 'integer' | 'string' | undefined;
  /** Whether removing a record can conform to the contract. */
  readonly removable: boolean;
  /** The parent resources, outermost first. */
  readonly parents: readonly ParentKind[];
}

/** A path parameter of a resource. */
export interface ParentKind {
  readonly parameter: string;
  /** The resource that it identifies; undefined if any value is valid. */
  readonly resource: string | undefined;
  /**
   * The field of a record that contains it, with dots if it is nested; undefined if there is none.
   */
  readonly field: string | undefined;
}

/** The resources by name, except views that differ only in their path. */
export function browsableResources({
  resources,
}: Pick<Contract, 'resources'>): ReadonlyMap<string, Resource> {
  return new Map(resources.filter(isBrowsable).map((resource) => [resource.name, resource]));
}

function isBrowsable(resource: Resource): boolean {
  const { parents } = resource;
  return (
    !isView(resource) || (parents.length > 0 && parents.every(({ field }) => field !== undefined))
  );
}

/** A resource in the control API. */
export function describeKind(resource: Resource, known: ReadonlyMap<string, Resource>): RecordKind {
  const { kind, name, collection, collectionPath: path, identifier, parents } = resource;
  const described = parents.map(({ parameter, field, resource: above }) => ({
    parameter,
    field,
    resource:
      above !== undefined && hasKnownRecords(above) && known.has(above.name)
        ? above.name
        : undefined,
  }));
  const named =
    kind === 'singleton'
      ? { identifier: undefined, identifierType: undefined }
      : { identifier: identifier.field, identifierType: identifier.type };
  return {
    kind,
    name,
    collection,
    path,
    ...named,
    removable: mayBeMissing(resource),
    parents: described,
  };
}

/**
 * Whether the contract allows the record of a singleton to be missing: it can be deleted or added,
 * or 404 is documented.
 */
function mayBeMissing({ kind, operations }: Resource): boolean {
  if (kind === 'collection' || operations.delete !== undefined) return true;
  return Object.values(operations).some(({ responses }) =>
    responses.some(({ status }) => ['201', '404', '410'].includes(status)),
  );
}
