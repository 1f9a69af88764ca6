import type { Contract, Operation, Resource, ResourceAction } from '../../../contract/model.ts';

/**
 * An operation of a resource, or of another path to the same set of records (`/things/{thingId}`
 * for `/owners/{ownerId}/things`).
 */
export function operationFor(
  contract: Contract,
  resource: Resource,
  action: ResourceAction,
): Operation | undefined {
  const own = resource.operations[action];
  if (
    own !== undefined ||
    resource.kind === 'singleton' ||
    resource.operations.create === undefined
  )
    return own;
  const segments = resource.parents.map(({ segment }) => segment);
  const views = sameCollection(contract, resource).filter(
    (other) =>
      other !== resource && other.parents.every(({ segment }) => segments.includes(segment)),
  );
  return views
    .map(({ operations }) => operations[action])
    .find((operation) => operation !== undefined);
}

function sameCollection(contract: Contract, { collection }: Resource): readonly Resource[] {
  const known =
    byCollection.get(contract) ??
    Map.groupBy(contract.resources, (resource) => resource.collection);
  byCollection.set(contract, known);
  return known.get(collection) ?? [];
}

// Every resource asks for each of its actions, and a contract may have hundreds.
const byCollection = new WeakMap<
  Contract,
  ReadonlyMap<Resource['collection'], readonly Resource[]>
>();
