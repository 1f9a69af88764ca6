import type { Contract, Operation, Resource, ResourceAction } from '../../contract/model.ts';

/**
 * The operation that creates records of a resource: its create, a request with a name that the
 * client chooses, or a POST without a body on the collection.
 */
export function creatorOf(
  { operations }: Contract,
  { operations: own, namedCreate, collectionPath, kind }: Resource,
): Operation | undefined {
  if (kind === 'singleton') return undefined;
  return (
    own.create ??
    namedCreate ??
    operations.find(
      ({ method, path, requestBody }) =>
        method === 'POST' && path === collectionPath && requestBody === undefined,
    )
  );
}

/**
 * The operation of a resource for an action, or that of another path to the same set of records
 * (`/things/{thingId}` for `/owners/{ownerId}/things`).
 */
export function operationFor(
  { resources }: Contract,
  resource: Resource,
  action: ResourceAction,
): Operation | undefined {
  const { operations, kind, parents, collection } = resource;
  const own = operations[action];
  if (own !== undefined || kind === 'singleton' || operations.create === undefined) return own;
  const segments = new Set(parents.map(({ segment }) => segment));
  return resources
    .filter(
      (other) =>
        other.collection === collection &&
        other !== resource &&
        other.parents.every(({ segment }) => segments.has(segment)),
    )
    .map((view) => view.operations[action])
    .find((operation) => operation !== undefined);
}
