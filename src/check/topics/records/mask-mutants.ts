import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Contract, Parameter } from '../../../contract/model.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('state');

interface MaskPlace extends Place {
  readonly parameter: Parameter;
}

function masks(contract: Contract): MaskPlace[] {
  return contract.resources.flatMap((resource) => protocolsOf(contract, resource).mask ?? []);
}

/** Mutations of updates with a mask (AIP-134). */
export const maskMutants: readonly Mutator[] = [
  mutant('ignores-mask', {
    rule: 'An update changes all fields that it sends, also those that its mask does not name.',
    where: masks,
    says: 'ignores its mask',
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
];
