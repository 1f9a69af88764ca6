import { isKeyParameter } from '../../../contract/protocols/chosen-name.ts';
import type { Contract } from '../../../contract/model.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { queryOf, withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('state');

interface NamingPlace extends Place {
  readonly name: string;
}

function naming({ resources }: Contract): NamingPlace[] {
  return resources.flatMap((resource) => {
    const operation = resource.operations.create;
    const key = operation?.parameters.find((parameter) => isKeyParameter(resource, parameter));
    return operation === undefined || key === undefined ? [] : [{ operation, name: key.name }];
  });
}

/** Mutations of creates that name the new record (AIP-133). */
export const chosenIdMutants: readonly Mutator[] = [
  mutant('names-otherwise', {
    rule: 'A create gives the new record another name than the request chose.',
    where: naming,
    says: ({ name }) => `changes the ${name} of a new record`,
    request: (request, { name }) => {
      const [chosen, bare] = [queryOf(request, name), withoutQuery(request, [name])];
      if (chosen === undefined || bare === undefined || !/^[a-z][\w-]+$/.test(chosen))
        return undefined;
      const joint = bare.target.includes('?') ? '&' : '?';
      const query = `${encodeURIComponent(name)}=${encodeURIComponent(`${chosen}-2`)}`;
      return { ...bare, target: `${bare.target}${joint}${query}` };
    },
  }),
];
