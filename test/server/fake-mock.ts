import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import type { Fixtures } from '../../src/store/store.ts';
import { headerValue, type HttpRequest } from '../../src/http/message.ts';
import { ContractMock } from '../../src/mock/contract-mock.ts';
import type { Answer, Mock } from '../../src/mock/mock.ts';
import { parseScenario } from '../../src/mock/scenarios/parse/parse-scenario.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { thingsDocument } from './things-contract.ts';

/** A mock that keeps what it was asked, for a test to look at. */
export interface FakeMock extends Mock {
  readonly requests: HttpRequest[];
  /** Resolves with the first request. */
  readonly asked: Promise<void>;
  readonly resets: number;
}

/** What the echoing mock says of a request. */
export interface Echo {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** The contract whose records a fake mock keeps, and those that it starts with. */
export interface Kept {
  readonly contract: Contract;
  readonly fixtures: Fixtures;
}

const things: Kept = {
  contract: parseContract(thingsDocument, 'things.yaml'),
  fixtures: new Map([['things', [{ id: '1', record: { id: 1, name: 'first' } }]]]),
};

/**
 * A mock that answers as it is told, and by echoing the request where it is told nothing. What it
 * keeps is of a small contract.
 */
export function fakeMock(
  answer: (request: HttpRequest) => Promise<Partial<Answer>> | Partial<Answer> = () => ({}),
  { contract, fixtures }: Kept = things,
): FakeMock {
  const requests: HttpRequest[] = [];
  const first = makeGate();
  const kept = keeper(contract, fixtures);
  let resets = 0;
  return {
    requests,
    asked: first.opened,
    get resets() {
      return resets;
    },
    get options() {
      return kept.options;
    },
    clock: kept.clock,
    scenarios: kept.scenarios,
    addScenario: (scenario) => kept.addScenario(scenario),
    putScenario: (scenario) => kept.putScenario(scenario),
    removeScenario: (name) => kept.removeScenario(name),
    faultsOf: (scenario) => kept.faultsOf(scenario),
    records: kept.records,
    writeError: (request, error) => kept.writeError(request, error),
    view: (target) => kept.view(target),
    nearMiss: (past) => kept.nearMiss(past),
    sessions: () => kept.sessions(),
    snapshot: (session) => kept.snapshot(session),
    restore: (snapshot, session) => kept.restore(snapshot, session),
    async answer(request) {
      requests.push(request);
      first.open();
      return { ...echo(request), ...(await answer(request)) };
    },
    async reset(session) {
      resets += 1;
      await kept.reset(session);
    },
  };
}

function keeper(contract: Contract, fixtures: Fixtures): ContractMock {
  const store = makeMemoryStore();
  // The memory store takes fixtures in before its promise resolves.
  void store.seed(fixtures);
  return new ContractMock({
    contract,
    store,
    fixtures: new Map(),
    scenarios: [
      parseScenario('slow-list', { description: 'The list takes a while.', rules: [] }),
      parseScenario('no-things', { description: 'There is nothing.', rules: [] }),
    ],
    assumptions: [],
    keys: ['demo-key'],
    authentication: 'known',
    clock: () => new Date('2030-01-02T03:04:05Z'),
    seed: 'test',
    makeId: () => 'made',
  });
}

function echo({ method, target, headers, body }: HttpRequest): Answer {
  const text = JSON.stringify({
    method,
    target,
    headers,
    body: Buffer.from(body).toString('latin1'),
  });
  const operation = headerValue(headers, 'X-Operation');
  return {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(text),
    delayMs: 0,
    ...(operation === undefined ? {} : { operation }),
  };
}

/** A promise that a test keeps in its hands. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function makeGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}
