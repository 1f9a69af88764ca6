import type { Contract, Resource } from '../../../contract/model.ts';
import { type Taking, takingsOf } from '../../../contract/words/read-takings.ts';
import { readJson } from '../../../http/media-type.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { editShown, showingPlaces } from '../../mutants/edit-records.ts';
import { withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { succeeded } from '../../mutants/state-edits.ts';

const mutant = mutantsOf('state');

interface TakingPlace extends Place {
  readonly taking: Taking;
}

/** The actions that give back what another one takes for the parts of a record. */
function undoings({ resources, inference }: Contract): TakingPlace[] {
  return resources
    .filter(({ operations }) => operations.create !== undefined)
    .flatMap((resource) => takingsOf(resource, { resources, inference }))
    .filter(({ part, target }) => part.operations.create !== undefined && !isNested(target))
    .map((taking) => ({ operation: taking.undo.operation, taking }));
}

function isNested({ parents }: Resource): boolean {
  return parents.length > 0;
}

/** What the undoing of a record moves too much, as a multiple of what its parts ask for. */
type Excess = (wasTaken: boolean) => number;

/** Shows the numbers of other records as they are after undoings that move too much. */
function moving({ taking }: TakingPlace, excess: Excess): Plant {
  const { part, target, take, undo, member, amount, field } = taking;
  const shown = new Map(showingPlaces(target).map((place) => [place.operation, place]));
  return (service, fired) => {
    const parts = new Map<string, JsonObject[]>();
    const taken = new Set<string>();
    const moved = new Map<unknown, number>();
    const note = (record: string): void => {
      for (const line of parts.get(record) ?? []) {
        const before = moved.get(line[member]) ?? 0;
        moved.set(line[member], before + excess(taken.has(record)) * Number(line[amount]));
      }
      taken.delete(record);
    };
    return async (request) => {
      const reply = await service.respond(request);
      const [own, { response }] = [service.operationOf(request), reply];
      if (own === undefined || response === undefined || !succeeded(response)) return reply;
      // `/orders/7` of `/orders/7/lines`, and of `/orders/7/cancel`.
      const record = request.target.replace(/[/:][^/:]*$/, '');
      const body = readJson(own === part.operations.create ? request : response);
      if (own === part.operations.create && body !== undefined && isJsonObject(body))
        parts.set(record, [...(parts.get(record) ?? []), body]);
      if (own === take.operation) taken.add(record);
      if (own === undo.operation) note(record);
      const place = shown.get(own);
      const edited =
        body === undefined || place === undefined
          ? undefined
          : editShown(body, place, (other) => {
              const more = moved.get(other[target.identifier.field]) ?? 0;
              const number = other[field];
              return more === 0 || typeof number !== 'number'
                ? undefined
                : { ...other, [field]: number + more };
            });
      if (edited === undefined) return reply;
      fired();
      return { ...reply, response: withJson(response, edited) };
    };
  };
}

/** Mutations of what is taken from numbers of other records. */
export const takingMutants: readonly Mutator[] = [
  mutant('gives-nothing-back', {
    rule: 'What a record took from a number of another one stays taken after it was undone.',
    where: undoings,
    says: ({ taking }) => `gives nothing back to the ${taking.field}`,
    plant: (place) => moving(place, (wasTaken) => (wasTaken ? -1 : 0)),
  }),
  mutant('gives-back-untaken', {
    rule: 'A record that has taken nothing gives back what its parts ask for.',
    where: undoings,
    says: ({ taking }) => `gives back to the ${taking.field} what was not taken`,
    plant: (place) => moving(place, (wasTaken) => (wasTaken ? 0 : 1)),
  }),
];
