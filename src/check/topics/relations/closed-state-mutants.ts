import { closedStates } from '../../../contract/words/read-states.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import { readJson } from '../../../http/media-type.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { membersOf } from '../../../json/body-members.ts';

import { mutantsOf, type Place, type Scene } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { readFirst } from '../../mutants/state-edits.ts';

const mutant = mutantsOf('state');

interface ClosedPlace extends Place {
  readonly code: string;
  readonly field: string;
}

/** The changes of records in a state for which the API has a code that refuses all of them. */
function closed(contract: Contract): ClosedPlace[] {
  return contract.resources.flatMap((resource) => {
    const { create, read, update, replace } = resource.operations;
    const changes = [update, replace].filter((one): one is Operation => one !== undefined);
    if (create === undefined || read === undefined) return [];
    return closedStates(contract, resource)
      .filter(({ isForAll }) => isForAll)
      .flatMap(({ code, field }) => changes.map((operation) => ({ operation, code, field })));
  });
}

/** The record as it is, in place of the refusal of a change for its state. */
async function accepted(
  refusal: HttpResponse,
  { code }: ClosedPlace,
  { request, service }: Scene,
): Promise<HttpResponse | undefined> {
  const isRefused = membersOf(readJson(refusal) ?? null).some(({ value }) => value === code);
  return isRefused ? readFirst(service, request) : undefined;
}

/** Mutations of states in which an API refuses all changes of a record. */
export const closedStateMutants: readonly Mutator[] = [
  mutant('changes-closed', {
    rule: 'A change of a record succeeds in a state in which the API refuses all others.',
    where: closed,
    says: ({ field }) => `accepts a change though ${field} closes the record`,
    status: 'any',
    answer: accepted,
  }),
];
