import type { Contract, Operation } from '../../contract/model.ts';
import { makeRouter } from '../../contract/route.ts';
import { VouchError } from '../../errors.ts';
import { emptyBody, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { parseTarget } from '../../http/target.ts';
import { divideStore } from '../../store/store-part.ts';
import type { Store } from '../../store/store.ts';
import { makeMock } from '../contract-mock.ts';
import { Clock } from '../control/clock.ts';
import type { NearMiss, PastRequest } from '../control/near-miss.ts';
import type { Records } from '../control/record-browser.ts';
import { restoreSnapshot, type Snapshot, takeSnapshot } from '../control/snapshot.ts';
import type { Answer, ChosenError, Mock, MockOptions, ScenarioSwitch } from '../mock.ts';
import type { PathView } from '../route/find-operation.ts';
import { basePathsOf, mountedPaths, routedPaths } from '../route/mounted-paths.ts';
import type { ScenarioFault } from '../scenarios/scenario-fault.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { resetBeside } from '../scenarios/scenario-state.ts';
import { makeTokenService, type TokenService } from '../tokens/token-service.ts';
import type { JoinedNames, NamedContract } from './join-contracts.ts';
import { joinContracts, joinNames, refuseOverlap } from './join-contracts.ts';
import { JoinedRecords, JoinedScenarios } from './joined-records.ts';

/** One of several contracts, with the options of its mock except for the shared store and clock. */
export interface JoinedDocument extends NamedContract {
  readonly options: Omit<MockOptions, 'store' | 'clock' | 'contract' | 'mounting'>;
}

/** The shared parts of all contracts on one port. */
export interface JoinedWorld {
  readonly store: Store;
  readonly clock: () => Date;
}

/**
 * The mock of several contracts on one port: each has its own base paths, records, scenarios and
 * assumptions; store and clock are shared. Throws `config-invalid` if two have the same method and
 * path, and the errors of `makeMock`.
 */
export async function joinMocks(
  documents: readonly JoinedDocument[],
  { store, clock: given }: JoinedWorld,
): Promise<Mock> {
  refuseOverlap(documents);
  const names = joinNames(documents);
  const clock = new Clock(given);
  const stores = divideStore(store, names);
  const contract = joinContracts(documents, names);
  const neighbours = (): string[] =>
    documents.flatMap((document) =>
      mountedPaths(document.contract, document.base).map(([path]) => path),
    );
  const parts: JoinedPart[] = [];
  for (const [index, document] of documents.entries()) {
    const [name, part] = [names[index], stores[index]];
    if (name === undefined || part === undefined) continue;
    const mounting = { neighbours, base: document.base };
    parts.push({
      names: name,
      mock: await makeMock({
        ...document.options,
        contract: document.contract,
        store: part,
        clock: clock.now,
        mounting,
      }),
    });
  }
  return new JoinedMock(parts, { contract, store, clock, router: makeJoinRouter(documents) });
}

/** Methods that the mock adds to those of the contract: listed last. */
const added: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

interface JoinedPart {
  readonly names: JoinedNames;
  readonly mock: Mock;
}

interface Whole {
  readonly contract: Contract;
  readonly store: Store;
  readonly clock: Clock;
  readonly router: JoinRouter;
}

class JoinedMock implements Mock {
  readonly #parts: readonly JoinedPart[];
  readonly #whole: Whole;
  options: MockOptions;
  readonly tokens: TokenService | undefined;
  readonly records: Records;
  readonly scenarios: ScenarioSwitch;

  constructor(parts: readonly JoinedPart[], whole: Whole) {
    this.#parts = parts;
    this.#whole = whole;
    this.options = joinOptions(parts, whole);
    this.records = new JoinedRecords(
      parts.map(({ mock, names }) => ({ records: mock.records, names })),
    );
    this.scenarios = new JoinedScenarios(parts.map(({ mock }) => mock.scenarios));
    this.tokens = makeTokenService(this.options, (path) => this.view(path) !== undefined);
  }

  get clock(): Clock {
    return this.#whole.clock;
  }

  /** Adds the scenario to every contract that it fits. */
  addScenario(scenario: Scenario): void {
    const refusals = this.#parts.flatMap(({ mock }) => refusalOf(() => mock.addScenario(scenario)));
    const [refusal] = refusals;
    if (refusal !== undefined && refusals.length === this.#parts.length) throw refusal;
    this.options = joinOptions(this.#parts, this.#whole);
  }

  /** Puts the scenario into every contract that it fits, and removes it from the others. */
  putScenario(scenario: Scenario): void {
    const misfits = this.#parts.filter(
      ({ mock }) => refusalOf(() => mock.putScenario(scenario)).length > 0,
    );
    if (misfits.length === this.#parts.length) misfits[0]?.mock.putScenario(scenario);
    for (const { mock } of misfits) mock.removeScenario(scenario.name);
    this.options = joinOptions(this.#parts, this.#whole);
  }

  removeScenario(name: string): void {
    for (const { mock } of this.#parts) mock.removeScenario(name);
    this.options = joinOptions(this.#parts, this.#whole);
  }

  /** Those of the contract that the scenario fits best: one that it fits is enough. */
  faultsOf(scenario: Scenario): readonly ScenarioFault[] {
    const faults = this.#parts.map(({ mock }) => mock.faultsOf(scenario));
    return faults.toSorted((left, right) => left.length - right.length)[0] ?? [];
  }

  async answer(request: HttpRequest): Promise<Answer> {
    const part = this.#ownerOf(request);
    return part === undefined
      ? this.#refuseMethod(request)
      : rename(await part.mock.answer(request), part.names);
  }

  writeError(request: HttpRequest, error: ChosenError): HttpResponse {
    return (
      this.#ownerOf(request)?.mock.writeError(request, error) ??
      problemResponse(error.status, error.message)
    );
  }

  #ownerOf({ method, target }: HttpRequest): JoinedPart | undefined {
    const owner = this.#whole.router(method, target);
    return owner === undefined ? undefined : this.#parts[owner];
  }

  view(target: string): PathView | undefined {
    const views = this.#parts.flatMap(({ mock }) => mock.view(target) ?? []);
    const [first] = views;
    if (first === undefined || views.length === 1) return first;
    const allowed = new Set(views.flatMap(({ allow }) => allow.split(', ')));
    return {
      ...first,
      allow: [...[...allowed].filter((method) => !added.has(method)), ...added]
        .filter((method) => allowed.has(method))
        .join(', '),
      operations: views.flatMap(({ operations }) => operations),
    };
  }

  nearMiss(past: PastRequest): NearMiss | undefined {
    for (const { mock, names } of this.#parts) {
      const miss = mock.nearMiss(past);
      if (miss !== undefined)
        return miss.kind === 'operation' && !miss.name.startsWith('/')
          ? { ...miss, name: names.operation(miss.name) }
          : miss;
    }
    return undefined;
  }

  async reset(session?: string): Promise<void> {
    await this.#whole.store.reset(session);
    await this.#resetParts(session);
  }

  sessions(): Promise<readonly string[]> {
    return this.#whole.store.sessions();
  }

  snapshot(session?: string): Promise<Snapshot> {
    return takeSnapshot(this.#whole.store, session);
  }

  async restore(snapshot: Snapshot, session?: string): Promise<void> {
    await restoreSnapshot(this.#whole.store, snapshot, session);
    await this.#resetParts(session);
  }

  /** Resets the steps of scenarios. The shared store is reset separately. */
  async #resetParts(session: string | undefined): Promise<void> {
    if (session !== undefined) await resetBeside(this.#whole.store, session);
    await Promise.all(this.#parts.map(({ mock }) => mock.reset(session)));
  }

  /**
   * Contracts that share a path share its methods, so the list of allowed methods combines them.
   */
  #refuseMethod({ method, target }: HttpRequest): Answer {
    const allow = this.view(target)?.allow ?? '';
    const headers = [['Allow', allow]] as const;
    if (method === 'OPTIONS') return { status: 204, headers, body: emptyBody, delayMs: 0 };
    return {
      ...problemResponse(405, `This path has no ${method.slice(0, 20)}. It has: ${allow}.`, {
        headers,
        members: { code: 'method_not_allowed' },
      }),
      delayMs: 0,
    };
  }
}

function rename(answer: Answer, names: JoinedNames): Answer {
  const { operation, callbacks } = answer;
  if (
    operation === undefined ||
    (names.operation(operation) === operation && callbacks === undefined)
  )
    return answer;
  const renamed = callbacks?.map((callback) =>
    callback.operation === undefined
      ? callback
      : { ...callback, operation: names.operation(callback.operation) },
  );
  return {
    ...answer,
    operation: names.operation(operation),
    ...(renamed === undefined ? {} : { callbacks: renamed }),
  };
}

/** The VouchError of an action; empty if there is none. */
function refusalOf(act: () => void): VouchError[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof VouchError) return [error];
    throw error;
  }
}

/** The joined options: contract, records, keys and scenarios by name. */
function joinOptions(parts: readonly JoinedPart[], { contract, store, clock }: Whole): MockOptions {
  const all = parts.map(({ mock }) => mock.options);
  const [first] = all;
  const scenarios = new Map(
    all.flatMap((options) => options.scenarios.map((scenario) => [scenario.name, scenario])),
  );
  const fixtures = new Map(
    parts.flatMap(({ mock, names }) =>
      [...mock.options.fixtures].map(([name, records]) => [names.toShared(name), records] as const),
    ),
  );
  return {
    contract,
    store,
    fixtures,
    scenarios: [...scenarios.values()],
    assumptions: all.flatMap(({ assumptions }) => assumptions),
    keys: [...new Set(all.flatMap(({ keys }) => keys))],
    authentication: first?.authentication ?? 'known',
    clock: clock.now,
    seed: first?.seed ?? '',
    makeId: first?.makeId ?? (() => ''),
    seedRecords: first?.seedRecords,
    dynamic: first?.dynamic,
    validate: first?.validate,
    tokens: first?.tokens,
  };
}

/**
 * Finds the contract of a request, by index; undefined if several contracts have the path, but none
 * of them the method.
 */
type JoinRouter = (method: string, target: string) => number | undefined;

/**
 * Routes over all contracts: to the one with the operation, otherwise with the path, otherwise with
 * the nearest base path.
 */
export function makeJoinRouter(documents: readonly NamedContract[]): JoinRouter {
  const owners = new Map<Operation, number>();
  const mounted = documents.flatMap(({ contract, base }, index) =>
    routedPaths(contract, base).map(([path, operation]) => {
      // One contract can be served under two base paths: each gets its own operation objects, whose
      // prototypes are the contract's.
      const own = Object.create(operation) as Operation;
      owners.set(own, index);
      return [path, own] as const;
    }),
  );
  const routers = documents.map(({ contract, base }) => makeRouter(routedPaths(contract, base)));
  const router = makeRouter(mounted);
  const bases = basesOf(documents);
  const nearest = (path: string): number =>
    bases.find(
      ([base]) =>
        base === '' || path === base || path.startsWith(`${base}/`) || path.startsWith(`${base}?`),
    )?.[1] ?? 0;
  return (method, text) => {
    const target = parseTarget(text);
    if (!target.ok) return nearest(text);
    const { segments } = target;
    for (const wanted of method === 'HEAD' ? ['HEAD', 'GET'] : [method]) {
      const routed = router.route(wanted, segments);
      if (routed.kind === 'operation') return owners.get(routed.operation);
    }
    const having = routers.flatMap((each, index) =>
      each.route(method, segments).kind === 'no-path' ? [] : [index],
    );
    return having.length > 1 ? undefined : (having[0] ?? nearest(target.path));
  };
}

/** Base paths with their contract, longest first. */
function basesOf(documents: readonly NamedContract[]): [string, number][] {
  const bases = documents.flatMap(({ contract, base }, index) =>
    [...new Set(contract.operations.flatMap((operation) => basePathsOf(operation, base)))].map(
      (path): [string, number] => [path, index],
    ),
  );
  return bases.sort(([left], [right]) => right.length - left.length);
}
