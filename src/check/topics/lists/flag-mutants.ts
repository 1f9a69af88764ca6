import { flagsOf, kindsOf } from '../../../contract/infer/infer-flags.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import { inLists, withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('list');

/** Mutations of lists with flags, kinds and bounds that may be included. */
export const flagMutants: readonly Mutator[] = [
  mutant('ignores-flag', {
    rule: 'A list shows the records that a boolean parameter leaves out.',
    where: (contract) => inLists(contract, ({ resource }) => flagsOf(resource)),
    says: ({ parameter }) => `ignores ${parameter.name}`,
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
  mutant('ignores-kinds', {
    rule: 'A list shows the usual kinds of records, whatever it is asked for.',
    where: (contract) =>
      inLists(contract, ({ resource }) => kindsOf(resource)).filter(
        ({ told }) => told !== undefined,
      ),
    says: ({ parameter }) => `ignores ${parameter.name}`,
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
  mutant('ignores-inclusive', {
    rule: 'A list leaves a record at its bound out, also where it is to match.',
    where: (contract) =>
      inLists(contract, ({ list }) =>
        list.ranges
          .slice(0, 1)
          .flatMap(({ inclusive }) => (inclusive === undefined ? [] : [{ inclusive }])),
      ),
    says: ({ inclusive }) => `ignores ${inclusive.name}`,
    request: (request, { inclusive }) => withoutQuery(request, [inclusive.name]),
  }),
];
