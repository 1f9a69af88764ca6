import {
  type AllowedStates,
  allowedStates,
  closedStates,
} from '../../../contract/words/read-states.ts';
import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { type Edit, editContract, isWritten } from '../../mutants/edit-service.ts';
import { maxOfKind, type Place, mutantsOf, type Scene } from '../../mutants/kind.ts';
import type { Mutation, Mutator, Plant } from '../../mutants/mutant.ts';
import { succeeded, readFirst } from '../../mutants/state-edits.ts';
import { readJson } from '../../../http/media-type.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { membersOf } from '../../../json/body-members.ts';

const id = 'acts-in-any-state';

/** An operation that the contract allows in some states of a record. */
interface StatefulPlace extends Place {
  readonly allowed: AllowedStates;
}

/** The resource of the record on which an operation acts: its own, or that below which it adds. */
function holderOf({ inference }: Contract, operation: Operation): Resource | undefined {
  const placement = inference.placementOf(operation);
  if (placement?.kind === 'action') return placement.action.resource;
  if (placement?.kind !== 'resource') return undefined;
  const { action, resource } = placement;
  return action === 'create' ? resource.parents.at(-1)?.resource : resource;
}

function statesOf(contract: Contract, operation: Operation): AllowedStates | undefined {
  const holder = holderOf(contract, operation);
  return holder && allowedStates(operation, holder);
}

function restricted(contract: Contract): StatefulPlace[] {
  return contract.operations.flatMap((operation) => {
    const { create, read } = holderOf(contract, operation)?.operations ?? {};
    const allowed = statesOf(contract, operation);
    const isKnown = operation.method !== 'GET' && create !== undefined && read !== undefined;
    return allowed === undefined || !isKnown ? [] : [{ operation, allowed }];
  });
}

/** Removes what an operation and its responses say of states. */
function silenced({ document }: Contract, { pointer, responses }: Operation): Edit[] {
  return [
    { at: joinPointer(pointer, 'description'), value: undefined },
    { at: joinPointer(pointer, 'summary'), value: undefined },
    ...responses.map((response) => ({
      at: joinPointer(response.pointer, 'description'),
      value: 'A response',
    })),
  ].filter(({ at, value }) => isWritten(document, at, value));
}

/** The contract of a service that knows no states of an operation; undefined if it still does. */
async function withoutStates(
  contract: Contract,
  operation: Operation,
): Promise<Contract | undefined> {
  const edited = await editContract(contract, silenced(contract, operation));
  const same = edited.operations.find((one) => one.id === operation.id);
  return same !== undefined && statesOf(edited, same) === undefined ? edited : undefined;
}

/** The service as it is, which follows a changed contract: each success may be one in any state. */
function noting({ operation }: Place): Plant {
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    if (service.operationOf(request) === operation && succeeded(reply.response)) fired();
    return reply;
  };
}

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

/** Mutations of what an API allows in some states of a record alone. */
export const stateRuleMutants: readonly Mutator[] = [
  {
    id,
    family: 'state',
    rule: 'An operation succeeds in a state of the record in which the contract refuses it.',
    find: async (contract) => {
      const places = restricted(contract).slice(0, maxOfKind);
      const found = await Promise.all(
        places.map(async (place): Promise<Mutation[]> => {
          const { operation, allowed } = place;
          const edited = await withoutStates(contract, operation);
          const title = `${operation.id} succeeds though ${allowed.field} does not allow it`;
          return edited === undefined
            ? []
            : [
                {
                  mutator: id,
                  title,
                  operation: operation.id,
                  contract: edited,
                  plant: noting(place),
                },
              ];
        }),
      );
      return found.flat();
    },
  },
  mutantsOf('state')('changes-closed', {
    rule: 'A change of a record succeeds in a state in which the API refuses all others.',
    where: closed,
    says: ({ field }) => `accepts a change though ${field} closes the record`,
    status: 'any',
    answer: accepted,
  }),
];
