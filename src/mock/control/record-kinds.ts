import type { Contract, Resource } from '../../contract/model.ts';
import { hasKnownRecords } from '../../contract/infer/record-fields.ts';
import { isView } from '../records/collection-name.ts';

/** A kind of record that the mock keeps, and what its records stand below. */
export interface RecordKind {
  /** `singleton`: there is one record at the path, or none, and no identifier names it. */
  readonly kind: Resource['kind'];
  readonly name: string;
  /**
   * The kind whose records these are: its own name, or that of another where both show the same
   * ones.
   */
  readonly collection: string;
  /** The path of the collection: `/lists/{listId}/items`. */
  readonly path: string;
  /** The field by which a record is found; undefined for the one of a singleton. */
  readonly identifier: string | undefined;
  readonly identifierType: 'integer' | 'string' | undefined;
  /** Whether a record can be taken away without a break of the contract. */
  readonly removable: boolean;
  /** What the records stand below, the outermost first. */
  readonly parents: readonly ParentKind[];
}

/** What a parameter in the path of a kind of records names. */
export interface ParentKind {
  readonly parameter: string;
  /**
   * The kind of the record that it names; undefined where nobody can know which there are, and any
   * value will do.
   */
  readonly resource: string | undefined;
  /**
   * The field in which a record holds it, dotted where it lies deeper; undefined where none does.
   */
  readonly field: string | undefined;
}

/**
 * The resources whose records a person can look at one by one, by name: all but views that nothing
 * but their path tells apart.
 */
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

/** A resource as a person is told of it. */
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
 * Whether a client is told by the contract of a time without the record: it may delete the one of a
 * singleton, add it, or find none.
 */
function mayBeMissing({ kind, operations }: Resource): boolean {
  if (kind === 'collection' || operations.delete !== undefined) return true;
  return Object.values(operations).some(({ responses }) =>
    responses.some(({ status }) => ['201', '404', '410'].includes(status)),
  );
}
