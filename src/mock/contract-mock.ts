import { VouchError } from '../errors.ts';
import { emptyBody, headerValue, withHeader, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { quoteExcerpt } from '../json/json-problem.ts';
import { nearestWord } from '../nearest-word.ts';
import { answerVisit, type MockParts, type Outcome } from './answer-visit.ts';
import { makeErrorForms } from './errors/error-form.ts';
import { makeFault, type Fault } from './errors/fault.ts';
import { makeFindOperation, type Arrival, type Astray, type FindOperation } from './find-operation.ts';
import { linkSuccessor } from './lifecycle.ts';
import type { Answer, Mock, MockOptions } from './mock.ts';
import { planOperations, type OperationPlan } from './operation-plan.ts';
import { parseClock } from './parse-clock.ts';
import { makeRefuse } from './problem.ts';
import { readPreferences, type Preferences } from './request/read-preferences.ts';
import { readSession } from './request/read-session.ts';
import { ScenarioEngine } from './scenario-engine.ts';
import type { Scenario } from './scenario.ts';
import { Turns } from './turns.ts';
import { viewRequest, type Visit } from './visit.ts';

/** The mock of a contract: a request goes route → scenario → authentication → validation → behaviour → response. */
export class ContractMock implements Mock {
  readonly #parts: MockParts;
  readonly #plans: ReadonlyMap<string, OperationPlan>;
  readonly #find: FindOperation;

  constructor(options: MockOptions) {
    this.#plans = planOperations(options.contract, options.assumptions);
    this.#find = makeFindOperation(options.contract, this.#plans);
    this.#parts = { options, refuse: makeRefuse(makeErrorForms(options.contract), options.seed), engine: new ScenarioEngine(options.scenarios), turns: new Turns() };
  }

  async answer(request: HttpRequest): Promise<Answer> {
    try {
      return forMethod(request.method, await this.#answer(request));
    } catch (error) {
      return forMethod(request.method, { ...confess(error), delayMs: 0 });
    }
  }

  async reset(): Promise<void> {
    this.#parts.engine.reset();
    await this.#parts.options.store.reset();
  }

  async #answer(request: HttpRequest): Promise<Answer> {
    const arrival = this.#find(request);
    if (arrival.kind === 'options') return { status: 204, headers: [['Allow', arrival.allow]], body: emptyBody, delayMs: 0 };
    if (arrival.kind === 'astray') return this.#refuseAstray(arrival);
    const visit = this.#receive(arrival, request);
    if ('fault' in visit) return this.#refuseAstray({ ...visit, plan: arrival.plan, path: arrival.target.path });
    return this.#finish(visit, await answerVisit(visit, this.#parts));
  }

  /** Reads what a request asks for besides its operation. */
  #receive(arrival: Arrival, request: HttpRequest): Visit | { readonly fault: Fault } {
    const session = readSession(request.headers);
    if (typeof session !== 'string') return { fault: session };
    const preferences = readPreferences(request.headers);
    if (preferences.kind === 'fault') return { fault: preferences };
    const scenario = this.#chooseScenario(preferences);
    if (scenario !== undefined && 'kind' in scenario) return { fault: scenario };
    const clock = scenario?.clock === undefined ? undefined : parseClock(scenario.clock);
    return { request, arrival, preferences, session, scenario, now: clock ?? this.#parts.options.clock(), view: viewRequest(arrival, request) };
  }

  #chooseScenario(preferences: Preferences): Scenario | Fault | undefined {
    const { engine, options } = this.#parts;
    const name = preferences.scenario ?? options.scenario;
    const scenario = name === undefined ? undefined : engine.find(name);
    if (name === undefined || scenario !== undefined) return scenario;
    return unknownScenario(name.slice(0, 60), engine.names);
  }

  #refuseAstray({ fault, plan, path }: Pick<Astray, 'fault' | 'plan' | 'path'>): Answer {
    const { options, refuse } = this.#parts;
    const operation = plan?.operation;
    const response = refuse(fault, { path, now: options.clock(), ...(operation === undefined ? {} : { operation }) });
    return { ...response, delayMs: 0, ...(operation === undefined ? {} : { operation: operation.id }) };
  }

  #finish(visit: Visit, { response, delayMs, preferred }: Outcome): Answer {
    const { plan } = visit.arrival;
    const headers = [...response.headers, ...this.#announce(visit), ...(preferred ? appliedPreferences(visit.preferences) : [])];
    return { ...response, headers, delayMs, operation: plan.operation.id };
  }

  #announce({ arrival }: Visit): HttpResponse['headers'] {
    const { operation, announcements } = arrival.plan;
    const successor = operation.replacedBy === undefined ? undefined : this.#plans.get(operation.replacedBy)?.operation;
    return successor === undefined ? announcements : [...announcements, ...linkSuccessor(successor, arrival)];
  }
}

function unknownScenario(name: string, known: readonly string[]): Fault {
  const nearest = nearestWord(name, known);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return makeFault('preference', 'invalid_preference', `There is no scenario ${quoteExcerpt(name)}.${meant} There are: ${known.join(', ') || 'none'}.`);
}

/** RFC 7240, section 3. */
function appliedPreferences({ applied }: Preferences): HttpResponse['headers'] {
  return applied.length === 0 ? [] : [['Preference-Applied', applied.join(', ')]];
}

/** HEAD has the headers of GET, the length among them, and no body (RFC 9110, section 9.3.2). */
function forMethod(method: string, answer: Answer): Answer {
  if (method !== 'HEAD') return answer;
  const hasLength = headerValue(answer.headers, 'content-length') !== undefined || answer.status === 204 || answer.status === 304;
  return { ...answer, headers: hasLength ? answer.headers : withHeader(answer.headers, 'Content-Length', String(answer.body.length)), body: emptyBody };
}

/** The answer where nothing else can be answered. A contract with a schema that cannot be used shows itself only when it is needed. */
function confess(error: unknown): HttpResponse {
  if (error instanceof VouchError && error.code === 'contract-reference') return problemResponse(501, `The contract cannot be served here. ${error.message}`, { members: { code: 'not_implemented' } });
  return problemResponse(500, 'vouch failed to answer. This is a fault of its own, not of the request.', { members: { code: 'internal' } });
}
