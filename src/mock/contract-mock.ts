import type { Contract, Operation } from '../contract/model.ts';
import { suggestId, suggestWord, VouchError } from '../errors.ts';
import { isJsonMediaType } from '../http/media-type.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { MaybePromise } from '../store/store.ts';
import { KeyedMutex, KnownCreates } from './guard-changes.ts';
import { Clock } from './control/clock.ts';
import { findNearMiss, type NearMiss, type PastRequest } from './control/near-miss.ts';
import { RecordBrowser } from './control/record-browser.ts';
import { restoreSnapshot, type Snapshot, takeSnapshot } from './control/snapshot.ts';
import { describeIssue } from './errors/describe-issue.ts';
import { makeErrorForms } from './errors/error-form.ts';
import { makeRefuse } from './errors/write-error-response.ts';
import { findHandlers } from './handlers/run-handler.ts';
import { handleRequest, inspectRequest, type MockParts } from './handle-request.ts';
import { chosenError } from './answer/chosen-error.ts';
import type { Answer, ChosenError, Mock, MockOptions, ScenarioSwitch } from './mock.ts';
import type { Assumption } from './model/reply.ts';
import { planAnswer } from './plan/plan-answer.ts';
import { chooseSuccessStatus, planOperations } from './plan/plan-operations.ts';
import { servedContract } from './plan/served-contract.ts';
import { fieldsOf } from './records/record-fields.ts';
import { SeedRecords } from './records/seed/seed-records.ts';
import { SeededStore } from './records/seed/seeded-store.ts';
import { makeOperationFinder, type PathView } from './route/find-operation.ts';
import {
  checkScenarios,
  startingScenarios,
  validateScenario,
} from './scenarios/judge/check-scenarios.ts';
import type { ScenarioFault } from './scenarios/scenario-fault.ts';
import { ScenarioEngine } from './scenarios/scenario-engine.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { ScenarioState } from './scenarios/scenario-state.ts';
import { GivenTokens } from './security/given-tokens.ts';
import { makeTokenService, type TokenService } from './tokens/token-service.ts';

/**
 * Makes the mock of a contract and fills the store with the fixtures. Throws a VouchError if a
 * scenario ('scenario-invalid'), a handler ('handler-invalid') or an assumption ('config-invalid')
 * contradicts the contract.
 */
export async function makeMock(options: MockOptions): Promise<Mock> {
  checkAssumptions(options.assumptions, options.contract);
  checkScenarios(options);
  await options.store.seed(options.fixtures);
  const seeds = new SeedRecords({
    contract: servedContract(options.contract),
    fixtures: options.fixtures,
    count: options.seedRecords ?? 0,
    seed: options.seed,
  });
  return new ContractMock({ ...options, store: new SeededStore(options.store, seeds) });
}

/** The mock of a contract: `handleRequest` with its dependencies and controls. */
export class ContractMock implements Mock {
  #parts: MockParts;
  readonly tokens: TokenService | undefined;
  readonly clock: Clock;
  readonly records: RecordBrowser;

  constructor(given: MockOptions) {
    this.clock = new Clock(given.clock);
    const options = { ...given, clock: this.clock.now };
    const plans = planOperations(options.contract, options.assumptions);
    const finder = makeOperationFinder(options.contract, plans, options.mounting);
    this.tokens = makeTokenService(options, (path) => finder.view(path) !== undefined);
    let requests = 0;
    const mutex = new KeyedMutex();
    const contract = servedContract(options.contract);
    this.records = new RecordBrowser(contract, options.store, mutex);
    this.#parts = {
      count: () => (requests += 1),
      options,
      plans,
      finder,
      refuse: makeRefuse(makeErrorForms(contract), { contract, seed: options.seed }),
      engine: new ScenarioEngine(options.scenarios, startingScenarios(options)),
      states: new ScenarioState(options.store, contract),
      mutex,
      creates: new KnownCreates(),
      tokens: this.tokens,
      given: new GivenTokens(options.contract),
      handlers: findHandlers(options.handlers ?? {}, options.contract),
      records: this.records,
    };
  }

  get options(): MockOptions {
    return this.#parts.options;
  }

  get scenarios(): ScenarioSwitch {
    return this.#parts.engine;
  }

  addScenario(scenario: Scenario): void {
    this.#useScenarios([...this.options.scenarios, scenario]);
    this.#parts.engine.put(scenario);
  }

  putScenario(scenario: Scenario): void {
    const { scenarios } = this.options;
    const at = scenarios.findIndex(({ name }) => name === scenario.name);
    if (at === -1) return this.addScenario(scenario);
    this.#useScenarios(scenarios.with(at, scenario));
    this.#parts.engine.put(scenario);
  }

  removeScenario(name: string): void {
    this.#useScenarios(this.options.scenarios.filter((scenario) => scenario.name !== name));
    this.#parts.engine.remove(name);
  }

  faultsOf(scenario: Scenario): readonly ScenarioFault[] {
    const { contract, assumptions } = this.options;
    return validateScenario(scenario, contract, planOperations(contract, assumptions));
  }

  #useScenarios(scenarios: readonly Scenario[]): void {
    checkScenarios({ ...this.options, scenario: [], scenarios });
    this.#parts = { ...this.#parts, options: { ...this.options, scenarios } };
  }

  answer(request: HttpRequest): MaybePromise<Answer> {
    return handleRequest(request, this.#parts);
  }

  inspect(request: HttpRequest): MaybePromise<Answer | undefined> {
    return inspectRequest(request, this.#parts);
  }

  writeError(request: HttpRequest, error: ChosenError): HttpResponse {
    return chosenError(request, error, this.#parts);
  }

  view(target: string): PathView | undefined {
    return this.#parts.finder.view(target);
  }

  nearMiss(past: PastRequest): NearMiss | undefined {
    return findNearMiss(past, { find: this.#parts.finder, engine: this.#parts.engine });
  }

  /** Excludes concurrent changes, which could restore a record that they read before. */
  reset(session?: string): Promise<void> {
    return this.#parts.mutex.alone(async () => {
      this.#parts.engine.reset(session);
      this.#parts.creates.forget(session);
      await this.options.store.reset(session);
      await this.#parts.states.reset(session);
    });
  }

  sessions(): Promise<readonly string[]> {
    return this.options.store.sessions();
  }

  snapshot(session?: string): Promise<Snapshot> {
    return takeSnapshot(this.options.store, session);
  }

  restore(snapshot: Snapshot, session?: string): Promise<void> {
    return this.#parts.mutex.alone(async () => {
      await restoreSnapshot(this.options.store, snapshot, session);
      this.#parts.engine.reset(session);
      this.#parts.creates.forget(session);
      if (session === undefined) this.#parts.states.forget();
      else await this.#parts.states.reset(session);
    });
  }
}

/**
 * Throws a VouchError ('config-invalid') for an assumption that contradicts the contract or
 * concerns something unknown.
 */
function checkAssumptions(assumptions: readonly Assumption[], contract: Contract): void {
  for (const assumption of assumptions) {
    const operation = contract.operations.find(({ id }) => id === assumption.operation);
    if (operation === undefined) {
      throw refuse(
        assumption,
        'the contract has no such operation.',
        suggestId(assumption.operation, contract.operations),
      );
    }
    checkAnswer(assumption, operation);
    checkDefaults(assumption, operation);
  }
}

function checkAnswer(assumption: Assumption, operation: Operation): void {
  const status = chooseSuccessStatus(operation, undefined, assumption.status);
  const { response, contents } = planAnswer(operation, status);
  if (assumption.status !== undefined && (response === undefined || status < 200 || status > 399)) {
    throw refuse(
      assumption,
      `the status ${String(status)} is no success that the contract documents.`,
      `It documents ${operation.responses.map((each) => each.status).join(', ') || 'none'}.`,
    );
  }
  const { body } = assumption;
  if (body === undefined) return;
  const schema = contents.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  const [issue] = schema?.validate(body, 'response') ?? [];
  if (issue !== undefined)
    throw refuse(
      assumption,
      describeIssue(issue, body, { location: 'body', name: '' }).message,
      'Assume a body that the contract allows.',
    );
}

function checkDefaults(assumption: Assumption, operation: Operation): void {
  const schema = operation.requestBody?.content.find((entry) => entry.schema !== undefined)?.schema;
  const fields = schema === undefined ? new Map<string, never>() : fieldsOf(schema);
  for (const [name, value] of Object.entries(assumption.default ?? {})) {
    const field = fields.get(name);
    if (field === undefined)
      throw refuse(
        assumption,
        `its request has no field ${name}.`,
        suggestWord(name, [...fields.keys()]),
      );
    const [issue] = field.schema.validate(value, 'request');
    if (issue !== undefined)
      throw refuse(
        assumption,
        `${name} ${issue.message}.`,
        'Assume a value that the contract allows.',
      );
  }
}

function refuse({ operation }: Assumption, message: string, hint: string): VouchError {
  return new VouchError('config-invalid', `What is assumed of ${operation} cannot be: ${message}`, {
    hint,
  });
}
