import type { OutgoingOperation } from '../contract/model.ts';
import { type ErrorCode, VouchError } from '../errors.ts';
import {
  emptyBody,
  headerValue,
  type HttpRequest,
  type HttpResponse,
  withHeader,
} from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { quoteExcerpt } from '../json/json-problem.ts';
import { meantWord } from '../nearest-word.ts';
import { type Soon, whenReady } from '../store/soon.ts';
import { answerAgain, answerVisit, type MockParts, type Outcome } from './answer-visit.ts';
import {
  type Arrival,
  type Astray,
  type FindOperation,
  makeFindOperation,
  type PathView,
} from './arrival/find-operation.ts';
import { viewRequest, type Visit } from './arrival/visit.ts';
import { callbacksOf } from './callbacks/make-callbacks.ts';
import { KnownCreates } from './conditions/known-creates.ts';
import { Clock, parseClock } from './control/clock.ts';
import { findNearMiss, type NearMiss, type PastRequest } from './control/near-miss.ts';
import { RecordBrowser } from './control/record-browser.ts';
import { restoreSnapshot, type Snapshot, takeSnapshot } from './control/snapshot.ts';
import { makeErrorForms } from './errors/error-form.ts';
import { type Fault, makeFault } from './errors/fault.ts';
import { makeRefuse } from './errors/problem.ts';
import { storeUnavailable } from './errors/store-unavailable.ts';
import type { Answer, Mock, MockOptions, Refusal, ScenarioSwitch } from './mock.ts';
import { linkSuccessor } from './plan/lifecycle.ts';
import { type OperationPlan, planOperations } from './plan/operation-plan.ts';
import { Recall } from './recall.ts';
import { type Preferences, readPreferences } from './request/read-preferences.ts';
import { readSession } from './request/read-session.ts';
import { tellPreferences } from './request/tell-preferences.ts';
import { startingScenarios } from './scenarios/judge/check-scenarios.ts';
import { ScenarioEngine } from './scenarios/scenario-engine.ts';
import { suggestScenario } from './scenarios/scenario-fault.ts';
import { ScenarioState } from './scenarios/scenario-state.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { ContractTokens, type TokenService } from './tokens/token-service.ts';
import { Turns } from './turns.ts';

/**
 * The mock of a contract: a request goes route → scenario → authentication → validation → behaviour
 * → response.
 */
export class ContractMock implements Mock {
  readonly #parts: MockParts;
  readonly #plans: ReadonlyMap<string, OperationPlan>;
  readonly #find: FindOperation;
  readonly tokens: TokenService | undefined;
  readonly clock: Clock;
  readonly records: RecordBrowser;

  constructor(given: MockOptions) {
    this.clock = new Clock(given.clock);
    const options = { ...given, clock: this.clock.now };
    this.#plans = planOperations(options.contract, options.assumptions);
    this.#find = makeFindOperation(options.contract, this.#plans, options.mounting);
    this.tokens =
      options.tokens &&
      new ContractTokens({
        ...options.tokens,
        contract: options.contract,
        keys: options.keys,
        clock: this.clock.now,
        isOwned: (path) => this.#find.view(path) !== undefined,
      });
    this.#parts = {
      options,
      refuse: makeRefuse(makeErrorForms(options.contract), options.seed),
      engine: new ScenarioEngine(options.scenarios, startingScenarios(options)),
      states: new ScenarioState(options.store, options.contract),
      turns: new Turns(),
      creates: new KnownCreates(),
      recall: new Recall(),
      tokens: this.tokens,
    };
    this.records = new RecordBrowser(options.contract, options.store, this.#parts.turns);
  }

  get options(): MockOptions {
    return this.#parts.options;
  }

  get webhooks(): readonly OutgoingOperation[] {
    return this.options.contract.webhooks;
  }

  get scenarios(): ScenarioSwitch {
    return this.#parts.engine;
  }

  answer(request: HttpRequest): Soon<Answer> {
    const { method } = request;
    try {
      const answer = this.#answer(request);
      if (!(answer instanceof Promise)) return forMethod(method, answer);
      return answer
        .then((whole) => forMethod(method, whole))
        .catch((error: unknown) => forMethod(method, confess(error)));
    } catch (error) {
      return forMethod(method, confess(error));
    }
  }

  #answer(request: HttpRequest): Soon<Answer> {
    const known = this.#parts.recall.find(request);
    const again = known && answerAgain(request, known, this.#parts);
    if (again !== undefined)
      return whenReady(again.outcome, (outcome) => this.#finish(again.visit, outcome));
    const arrival = this.#find.find(request);
    if (arrival.kind === 'options')
      return { status: 204, headers: [['Allow', arrival.allow]], body: emptyBody, delayMs: 0 };
    return arrival.kind === 'astray' ? this.#refuseAstray(arrival) : this.#serve(arrival, request);
  }

  view(target: string): PathView | undefined {
    return this.#find.view(target);
  }

  nearMiss(past: PastRequest): NearMiss | undefined {
    return findNearMiss(past, { find: this.#find, engine: this.#parts.engine });
  }

  /** No change is under way meanwhile: one that read a record before would bring it back after. */
  reset(session?: string): Promise<void> {
    return this.#parts.turns.alone(async () => {
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
    return this.#parts.turns.alone(async () => {
      await restoreSnapshot(this.options.store, snapshot, session);
      this.#parts.engine.reset(session);
      this.#parts.creates.forget(session);
      if (session === undefined) this.#parts.states.forget();
      else await this.#parts.states.reset(session);
    });
  }

  #serve(arrival: Arrival, request: HttpRequest): Promise<Answer> | Answer {
    const visit = this.#receive(arrival, request);
    if ('fault' in visit)
      return this.#refuseAstray({ ...visit, plan: arrival.plan, path: arrival.target.path });
    return answerVisit(visit, this.#parts).then((outcome) => this.#finish(visit, outcome));
  }

  /** Reads what a request asks for besides its operation. */
  #receive(arrival: Arrival, request: HttpRequest): Visit | { readonly fault: Fault } {
    const session = readSession(request.headers);
    if (typeof session !== 'string') return { fault: session };
    const preferences = readPreferences(request.headers, arrival.target);
    if (preferences.kind === 'fault') return { fault: preferences };
    const scenarios = this.#chooseScenarios(preferences, session);
    if ('kind' in scenarios) return { fault: scenarios };
    const written = scenarios.find((scenario) => scenario.clock !== undefined)?.clock;
    const clock = written === undefined ? undefined : parseClock(written);
    return {
      request,
      arrival,
      preferences,
      session,
      scenarios,
      now: clock ?? this.#parts.options.clock(),
      view: viewRequest(arrival, request),
    };
  }

  /** Those that the request asks for, in the place of those that are on. */
  #chooseScenarios(
    { scenarios: asked }: Preferences,
    session: string,
  ): readonly Scenario[] | Fault {
    const { engine } = this.#parts;
    if (asked === undefined) return engine.scenariosOn(session);
    const unknown = asked.find((name) => engine.find(name) === undefined);
    return unknown === undefined
      ? asked.flatMap((name) => engine.find(name) ?? [])
      : unknownScenario(unknown.slice(0, 60), engine.names);
  }

  #refuseAstray({ fault, plan, path }: Pick<Astray, 'fault' | 'plan' | 'path'>): Answer {
    const { options, refuse } = this.#parts;
    const operation = plan?.operation;
    const response = refuse(fault, {
      path,
      now: options.clock(),
      ...(operation === undefined ? {} : { operation }),
    });
    return {
      ...response,
      delayMs: 0,
      refusal: refusalOf(fault),
      ...(operation === undefined ? {} : { operation: operation.id }),
    };
  }

  #finish(
    visit: Visit,
    { response, delayMs, fault, scenario, refused, arrived, applied }: Outcome,
  ): Answer {
    const { plan } = visit.arrival;
    const announced = this.#announce(visit);
    const headers = tellPreferences(
      announced.length === 0 ? response.headers : [...response.headers, ...announced],
      visit.preferences,
      applied,
    );
    const callbacks = arrived ? callbacksOf(visit, response, this.#parts.options) : [];
    const answer: Answer = {
      status: response.status,
      headers,
      body: response.body,
      delayMs,
      operation: plan.operation.id,
    };
    // Nearly all answers end here, and each spread would cost them more than the whole object.
    if (
      fault === undefined &&
      scenario === undefined &&
      refused === undefined &&
      callbacks.length === 0
    )
      return answer;
    return {
      ...answer,
      ...(refused === undefined ? {} : { refusal: refusalOf(refused) }),
      ...(scenario === undefined ? {} : { scenario }),
      ...(fault === undefined ? {} : { fault }),
      ...(callbacks.length === 0 ? {} : { callbacks }),
    };
  }

  #announce({ arrival }: Visit): HttpResponse['headers'] {
    const { operation, announcements } = arrival.plan;
    const successor =
      operation.replacedBy === undefined
        ? undefined
        : this.#plans.get(operation.replacedBy)?.operation;
    return successor === undefined
      ? announcements
      : [...announcements, ...linkSuccessor(successor, arrival)];
  }
}

function refusalOf({ cause, message, meant }: Fault): Refusal {
  return meant === undefined ? { cause, message } : { cause, message, meant };
}

function unknownScenario(name: string, known: readonly string[]): Fault {
  if (known.length === 0)
    return makeFault(
      'preference',
      'invalid_preference',
      `There is no scenario ${quoteExcerpt(name)}. ${suggestScenario(name, known)}`,
    );
  const nearest = meantWord(name, known);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const others =
    nearest !== undefined && known.length === 1 ? '' : ` There are: ${known.join(', ')}.`;
  return makeFault(
    'preference',
    'invalid_preference',
    `There is no scenario ${quoteExcerpt(name)}.${meant}${others}`,
  );
}

/** HEAD has the headers of GET, the length among them, and no body (RFC 9110, section 9.3.2). */
function forMethod(method: string, answer: Answer): Answer {
  if (method !== 'HEAD') return answer;
  const hasLength =
    headerValue(answer.headers, 'content-length') !== undefined ||
    answer.status === 204 ||
    answer.status === 304;
  return {
    ...answer,
    headers: hasLength
      ? answer.headers
      : withHeader(answer.headers, 'Content-Length', String(answer.body.length)),
    body: emptyBody,
  };
}

/**
 * The answer where nothing else can be answered. A contract with a schema that cannot be used shows
 * itself only when it is needed.
 */
function confess(error: unknown): Answer {
  const response = describeFailure(error);
  return { ...response, delayMs: 0, ...(response.status === 500 ? { failure: error } : {}) };
}

/** What there is no room for, by the code of the error. */
const noRoom: ReadonlyMap<ErrorCode, { readonly status: number; readonly code: string }> = new Map([
  ['store-full', { status: 409, code: 'store_full' }],
  // RFC 4918, section 11.5.
  ['store-out-of-bytes', { status: 507, code: 'insufficient_storage' }],
  ['record-too-large', { status: 413, code: 'record_too_large' }],
]);

function describeFailure(error: unknown): HttpResponse {
  if (error instanceof VouchError && error.code === 'contract-reference')
    return problemResponse(501, `The contract cannot be served here. ${error.message}`, {
      members: { code: 'not_implemented' },
    });
  if (error instanceof VouchError && error.code === 'store-unavailable')
    return storeUnavailable(error);
  const room = error instanceof VouchError ? noRoom.get(error.code) : undefined;
  if (error instanceof VouchError && room !== undefined)
    return problemResponse(room.status, `${error.message} ${error.hint ?? ''}`.trim(), {
      members: { code: room.code },
    });
  return problemResponse(
    500,
    'vouch failed to answer. This is a fault of its own, not of the request.',
    { members: { code: 'internal' } },
  );
}
