import { type JsonValue, isJsonObject } from '../../../json/value.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { type Mutator, forOperation } from '../../mutants/mutant.ts';
import { forActions } from '../../mutants/state-edits.ts';

/** Identifiers that come twice. */
export const identifierMutants: readonly Mutator[] = [
  forActions('repeats-ids', 'Two creates return the same identifier.', ['create'], (place) =>
    forOperation('repeats-ids', place, 'gives an identifier twice', (service, fired) => {
      const { field } = place.resource.identifier;
      let first: JsonValue | undefined;
      return (request) =>
        editBodies(
          service,
          () => {},
          { operation: place.operation },
          (body) => {
            if (!isJsonObject(body) || body[field] === undefined) return undefined;
            if (first === undefined) {
              first = body[field];
              return undefined;
            }
            fired();
            return { ...body, [field]: first };
          },
        )(request);
    }),
  ),
];
