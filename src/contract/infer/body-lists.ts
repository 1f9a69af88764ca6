import { membersOf } from '../calls/ordinary.ts';
import type { Contract, Operation, Parameter, Resource } from '../model.ts';
import { pathKey } from './conventions/path-styles.ts';
import { inferList } from './infer-list.ts';
import { changedOperation } from '../calls/changed-operation.ts';
import { describesSame } from './record-fields.ts';

/**
 * The list of a resource by QUERY (OpenAPI 3.2, section 4.9), whose body says which records are
 * asked for.
 */
export interface BodyList {
  /** The resource as this operation lists it: the parameters of its list are in the body. */
  readonly resource: Resource;
  /** Parameters of the list that stand in the body, or in the path. */
  readonly asked: readonly Parameter[];
}

/**
 * The list of a resource that a path below its own narrows, as `GET /instances/{zone}` with the
 * answer of `GET /instances`; undefined if an operation shows none.
 */
export function narrowedListOf(
  contract: Pick<Contract, 'resources'>,
  operation: Operation,
): BodyList | undefined {
  const [, above, name] = /^(.*)\/\{([^{}/]+)\}$/.exec(operation.path) ?? [];
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  if (operation.method !== 'GET' || above === undefined || parameter === undefined)
    return undefined;
  const asked: Parameter = { ...parameter, in: 'query' };
  const reading = inferList(
    changedOperation(operation, { parameters: [...operation.parameters, asked] }),
  );
  if (reading === undefined) return undefined;
  const resource = contract.resources.find(
    ({ list, collectionPath, record }) =>
      list !== undefined &&
      pathKey(collectionPath) === pathKey(above) &&
      describesSame(reading.record, record),
  );
  return resource && { resource: { ...resource, list: reading.shape }, asked: [asked] };
}

/** The list that a QUERY on the path of a collection shows; undefined if it shows none. */
export function bodyListOf(
  contract: Pick<Contract, 'resources'>,
  operation: Operation,
): BodyList | undefined {
  if (operation.method !== 'QUERY') return undefined;
  const asked = membersOf(operation);
  const parameters = [...operation.parameters, ...asked];
  const reading = inferList(changedOperation(operation, { parameters }));
  if (reading === undefined) return undefined;
  const key = pathKey(operation.path);
  const resource = contract.resources.find(
    ({ kind, collectionPath, record }) =>
      kind === 'collection' &&
      pathKey(collectionPath) === key &&
      describesSame(reading.record, record),
  );
  return resource && { resource: { ...resource, list: reading.shape }, asked };
}
