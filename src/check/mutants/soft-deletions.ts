import type { Contract, Resource } from '../../contract/model.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import { saysDeleted } from '../../contract/words/names.ts';

/**
 * Whether a plain read of a deleted record shows it, with the moment of its deletion: records are
 * deleted softly, and no flag has to ask for them (AIP-164).
 */
export function keepsReadable(contract: Contract, resource: Resource): boolean {
  const { softDelete } = protocolsOf(contract, resource);
  return softDelete !== undefined && softDelete.read === undefined && hasMoment(resource);
}

/** Whether records have the moment of their deletion, such as `delete_time`. */
function hasMoment({ record }: Resource): boolean {
  return [...record.flatten().properties].some(
    ([name, place]) => saysDeleted(name) && record.flatten(place).node.format === 'date-time',
  );
}
