import { trialsOf } from '../../../contract/protocols/trial.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('state');

/** Mutations of changes that are only to be validated (AIP-163). */
export const trialMutants: readonly Mutator[] = [
  mutant('makes-trials', {
    rule: 'A change that is only to be validated is made.',
    where: ({ resources }) => resources.flatMap((resource) => [...trialsOf(resource)]),
    says: 'makes what is only to be validated',
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
];
