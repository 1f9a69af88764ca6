import { plainName } from '../infer/infer-names.ts';
import type { Operation, Parameter, Resource } from '../model.ts';
import type { Protocol, Told } from './protocol.ts';

/** An update that changes the fields which a mask names, and no other. */
export interface UpdateMask extends Told {
  readonly operation: Operation;
  readonly parameter: Parameter;
}

/** The mask that names all fields, so that an update replaces the record (AIP-134). */
export const wholeMask = '*';

/**
 * Update masks: the query parameter `update_mask` (`updateMask`) of a PATCH is a FieldMask, field
 * paths with commas between them (AIP-134, AIP-161).
 */
export const updateMask: Protocol<UpdateMask> = {
  read({ operations: { update } }: Resource) {
    const parameter = update && maskParameter(update);
    return update === undefined || parameter === undefined
      ? undefined
      : {
          operation: update,
          parameter,
          says: `${parameter.name} of ${update.id} names the fields that it changes (AIP-134).`,
        };
  },
  governs: (operation, parameter) => maskParameter(operation) === parameter,
};

/** The parameter of an update that holds its mask; undefined if it has none. */
export function maskParameter({ method, parameters }: Operation): Parameter | undefined {
  if (method !== 'PATCH') return undefined;
  return parameters.find(
    ({ in: location, name, schema }) =>
      location === 'query' &&
      plainName(name) === 'updatemask' &&
      schema.flatten().types.some((type) => type === 'string' || type === 'array'),
  );
}
