import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { shownActions } from '../../mutants/state-edits.ts';

/** Identifiers that come twice. */
export const identifierMutants: readonly Mutator[] = [
  mutantsOf('state')('repeats-ids', {
    rule: 'Two creates return the same identifier.',
    where: (contract) => shownActions(contract, 'create'),
    says: 'gives an identifier twice',
    act:
      ({ resource: { identifier } }) =>
      (service, fired) => {
        let first: JsonValue | undefined;
        return editBodies(service, fired, {}, (body) => {
          const given = isJsonObject(body) ? body[identifier.field] : undefined;
          if (!isJsonObject(body) || given === undefined) return undefined;
          if (first !== undefined) return { ...body, [identifier.field]: first };
          first = given;
          return undefined;
        });
      },
  }),
];
