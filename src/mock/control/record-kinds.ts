import type { Contract, Resource } from '../../contract/model.ts';
import { isKnowable } from '../../contract/infer/record-knowledge.ts';
import { isView } from '../records/shelf-name.ts';

/** A kind of record that the mock keeps, and what its records stand below. */
export interface RecordKind {
  readonly name: string;
  /** The kind whose records these are: its own name, or that of another where both show the same ones. */
  readonly collection: string;
  /** The path of the collection: `/lists/{listId}/items`. */
  readonly path: string;
  /** The field by which a record is found. */
  readonly identifier: string;
  readonly identifierType: 'integer' | 'string';
  /** What the records stand below, the outermost first. */
  readonly parents: readonly ParentKind[];
}

/** What a parameter in the path of a kind of records names. */
export interface ParentKind {
  readonly parameter: string;
  /** The kind of the record that it names; undefined where nobody can know which there are, and any value will do. */
  readonly resource: string | undefined;
  /** The field in which a record holds it, dotted where it lies deeper; undefined where none does. */
  readonly field: string | undefined;
}

/** The resources whose records a person can look at one by one, by name: collections, but not views that nothing but their path tells apart. */
export function browsableResources({ resources }: Pick<Contract, 'resources'>): ReadonlyMap<string, Resource> {
  return new Map(resources.filter(isBrowsable).map((resource) => [resource.name, resource]));
}

function isBrowsable(resource: Resource): boolean {
  const { kind, parents } = resource;
  return kind === 'collection' && (!isView(resource) || (parents.length > 0 && parents.every(({ field }) => field !== undefined)));
}

/** A resource as a person is told of it. */
export function describeKind({ name, collection, collectionPath, identifier, parents }: Resource, known: ReadonlyMap<string, Resource>): RecordKind {
  const described = parents.map(({ parameter, field, resource }) => ({ parameter, field, resource: resource !== undefined && isKnowable(resource) && known.has(resource.name) ? resource.name : undefined }));
  return { name, collection, path: collectionPath, identifier: identifier.field, identifierType: identifier.type, parents: described };
}
