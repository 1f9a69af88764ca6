import { randomUUID } from 'node:crypto';
import type { Contract, Operation } from '../contract/model.ts';
import type { HttpRequest } from '../http/message.ts';
import { makeMock } from '../mock/contract-mock.ts';
import type { Assumption, AuthenticationMode } from '../mock/model/assumption.ts';
import { makeMemoryStore } from '../store/memory-store.ts';
import type { Fixtures } from '../store/store.ts';
import { makeRandom } from '../values/random.ts';
import type { Service } from './deviation.ts';
import { knownKey } from './operators/authentication.ts';

/** A contract as it is to be served, with the records that it starts with. */
export interface ServedContract {
  readonly contract: Contract;
  readonly fixtures: Fixtures;
  readonly assumptions: readonly Assumption[];
}

/** How a service is to be, where that is not as the contract says. */
export interface ServiceChoice {
  readonly contract?: Contract;
  readonly authentication?: AuthenticationMode;
  readonly seed: string;
  readonly seedRecords?: number;
}

/** A sound service of its own for each run: the mock, asked without a network. */
export async function openService(
  { contract, fixtures, assumptions }: ServedContract,
  choice: ServiceChoice,
): Promise<Service> {
  const mock = await makeMock({
    contract: choice.contract ?? contract,
    store: makeMemoryStore(),
    fixtures,
    seedRecords: choice.seedRecords ?? 6,
    scenarios: [],
    assumptions,
    keys: [knownKey],
    authentication: choice.authentication ?? 'known',
    clock: () => new Date(),
    seed: choice.seed,
    makeId: randomUUID,
  });
  const random = makeRandom(`${choice.seed} chance`);
  return {
    contract,
    mock,
    respond: async (request) => {
      // The mock's answer says more than a response does.
      const { status, headers, body } = await mock.answer(request);
      return { response: { status, headers, body } };
    },
    chance: random.next,
    operationOf: (request) =>
      operationOf(contract, mock.view(request.target)?.operations ?? [], request),
  };
}

/** By id: the mock may serve a contract that was changed, and then has operations of its own. */
function operationOf(
  { operations }: Contract,
  there: readonly Operation[],
  { method }: HttpRequest,
): Operation | undefined {
  const found = there.find((operation) => operation.method === method);
  return found && operations.find(({ id }) => id === found.id);
}
