import type { Contract, Operation, Resource, ResourceAction } from '../../contract/model.ts';

/** The part that an operation has in a resource. */
export interface Role {
  readonly resource: Resource;
  readonly action: ResourceAction;
}

const roles = new WeakMap<Contract, ReadonlyMap<Operation, Role>>();

/**
 * The resource that an operation belongs to and its action there, or undefined where it belongs to
 * none.
 */
export function roleOf(contract: Contract, operation: Operation): Role | undefined {
  // Every check asks for every exchange, and a contract may have a thousand operations.
  let known = roles.get(contract);
  if (known === undefined) roles.set(contract, (known = readRoles(contract)));
  return known.get(operation);
}

function readRoles({ resources }: Contract): Map<Operation, Role> {
  const pairs = resources.flatMap((resource) =>
    Object.entries(resource.operations).map(([action, operation]) => ({
      resource,
      action,
      operation,
    })),
  );
  // The keys of `operations` are actions by its type, which Object.entries forgets.
  return new Map(
    pairs.map(({ resource, action, operation }) => [
      operation,
      { resource, action: action as ResourceAction },
    ]),
  );
}
