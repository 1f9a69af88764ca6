import type { JsonValue } from '../../../json/value.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import { editFieldsShown } from '../../mutants/open-bodies.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { shownActions } from '../../mutants/state-edits.ts';

/** Identifiers that come twice. */
export const identifierMutants: readonly Mutator[] = [
  mutantsOf('state')('repeats-ids', {
    rule: 'Two creates return the same identifier.',
    where: (contract) => shownActions(contract, 'create'),
    says: 'gives an identifier twice',
    act: (place) => (service, fired) => {
      const { field } = place.resource.identifier;
      let first: JsonValue | undefined;
      return editBodies(service, fired, {}, (body) =>
        editFieldsShown(body, place, (shown) => {
          const given = shown[field];
          if (given === undefined) return undefined;
          if (first !== undefined) return { ...shown, [field]: first };
          first = given;
          return undefined;
        }),
      );
    },
  }),
];
