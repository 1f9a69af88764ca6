import type { Contract, Operation, Resource, ResourceAction } from '../../../contract/model.ts';

/** An operation of a resource, or of another path to the same set of records (`/things/{thingId}` for `/owners/{ownerId}/things`). */
export function operationFor({ resources }: Contract, resource: Resource, action: ResourceAction): Operation | undefined {
  const own = resource.operations[action];
  if (own !== undefined || resource.kind === 'singleton' || resource.operations.create === undefined) return own;
  const segments = resource.parents.map(({ segment }) => segment);
  const views = resources.filter((other) => other !== resource && other.collection === resource.collection && other.parents.every(({ segment }) => segments.includes(segment)));
  return views.map(({ operations }) => operations[action]).find((operation) => operation !== undefined);
}
