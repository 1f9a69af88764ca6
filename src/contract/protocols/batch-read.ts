import { addressedBy } from '../infer/address-members.ts';
import { isSameSchema } from '../infer/record-fields.ts';
import { inferList } from '../infer/infer-list.ts';
import type { Contract, Operation, Parameter, Resource } from '../model.ts';
import type { Protocol, Told } from './protocol.ts';

/** A read of several records by their names. */
export interface BatchRead extends Told {
  readonly operation: Operation;
  /** The list of names in its query. */
  readonly parameter: Parameter;
  /** Whether a name is an address, `depots/a/vehicles/b`, and not an identifier. */
  readonly takesAddresses: boolean;
}

const custom = ':batchGet';

export function isBatchRead({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return method === 'GET' && path.endsWith(custom);
}

/**
 * Batch reads: the custom method `:batchGet` of a collection takes a list of names in its query. It
 * shows their records in that order, or fails if one of them is not there (AIP-231).
 */
export const batchRead: Protocol<BatchRead> = {
  read({ collectionPath, record }: Resource, { operations, resources }: Contract) {
    const operation = operations.find(
      (one) => isBatchRead(one) && one.path === `${collectionPath}${custom}`,
    );
    const parameter = operation?.parameters.find(
      ({ in: location, schema }) =>
        location === 'query' && schema.flatten().types.join() === 'array',
    );
    const shown = operation && inferList(operation)?.record;
    if (operation === undefined || parameter === undefined || shown === undefined) return undefined;
    if (!isSameSchema(shown, record)) return undefined;
    const { items } = parameter.schema.flatten();
    const item = items && parameter.schema.flatten(items).node;
    const takesAddresses = typeof item === 'object' && addressedBy(item, resources) !== undefined;
    const says = `${operation.id} reads the records that ${parameter.name} names (AIP-231).`;
    return { operation, parameter, takesAddresses, says };
  },
};
