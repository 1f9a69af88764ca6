import type { HeaderList, HttpRequest, HttpResponse } from '../http/message.ts';
import { emptyBody } from '../http/message.ts';
import { parseMediaType } from '../http/media-type.ts';
import { type MaybePromise, type Store, whenReady } from '../store/store.ts';
import { changeAtomically } from '../store/watched-store.ts';
import { type AdmissionRules, admit, prepareRequest } from './admit-request.ts';
import { findPair, type PairedAnswer, showPair } from './answer/example-pairs.ts';
import { forMethod } from './answer/for-method.ts';
import { answerable, answerFromContract, faultsOfRequests, Responder } from './answer/responder.ts';
import {
  byPreference,
  showFailure,
  showNamed,
  type Shown,
  showPreferred,
  showStatus,
} from './answer/show-status.ts';
import { behaviourOf } from './behaviours/index.ts';
import { partsIn } from './behaviours/open-parts.ts';
import { sampleList } from './behaviours/sampled-list.ts';
import { callbacksOf } from './callbacks/make-callbacks.ts';
import { type KeyedMutex, type KnownCreates, unchanged } from './guard-changes.ts';
import { answerFailure, type Refuse } from './errors/write-error-response.ts';
import type { Records } from './control/record-browser.ts';
import type { Handler } from './handlers/handler.ts';
import { runHandler } from './handlers/run-handler.ts';
import { defined } from '../json/value.ts';
import type { Contract } from '../contract/model.ts';
import type { Answer } from './mock.ts';
import {
  type OperationPlans,
  type PreferenceName,
  readingActions,
  type UnroutedRequest,
  type ValidRequest,
} from './model/request.ts';
import { headerText } from './errors/visible-text.ts';
import { type Fault, makeReply, type Refusal, type Reply } from './model/reply.ts';
import { inTurn } from './phases.ts';
import { linkSuccessor } from './plan/plan-operations.ts';
import {
  preferencesOfAnswers,
  preferencesOfRequests,
  preferencesOfScripts,
  readContext,
  type RequestContext,
  addPreferenceHeaders,
} from './request/request-context.ts';
import type { OperationFinder } from './route/find-operation.ts';
import { isScripted, patchAnswer, playAnswer, withHeaders } from './scenarios/play-answer.ts';
import { fillStep } from './scenarios/templates/fill-answer.ts';
import type { ScenarioEngine, ScenarioStep } from './scenarios/scenario-engine.ts';

/** The dependencies of the pipeline. */
export interface MockParts extends AdmissionRules {
  readonly plans: OperationPlans;
  readonly finder: OperationFinder;
  readonly engine: ScenarioEngine;
  readonly mutex: KeyedMutex;
  readonly creates: KnownCreates;
  readonly refuse: Refuse;
  /** What answers instead of the mock, by the id of the operation. */
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly records: Records;
}

/**
 * Handles a request: route → admit → behave → write. Never throws or rejects, for any request.
 *
 * A synchronous step returns its result synchronously (`whenReady`), and most requests need no
 * promise: the server then sends all responses of one turn of the event loop together.
 */
export function handleRequest(request: HttpRequest, parts: MockParts): MaybePromise<Answer> {
  return safely(request.method, () => runPipeline(request, parts));
}

/**
 * The refusal that a request gets because it breaks the contract, before any behaviour: no record
 * changes. Undefined only if an operation admits it. Never throws.
 */
export function inspectRequest(
  request: HttpRequest,
  parts: MockParts,
): MaybePromise<Answer | undefined> {
  return safely(request.method, () => refusalBefore(request, parts));
}

/** The answer for a method, which tells of an error that is thrown. */
function safely<Made extends Answer | undefined>(
  method: string,
  make: () => MaybePromise<Made>,
): MaybePromise<Made | Answer> {
  const shown = (made: Made | Answer): Made | Answer => made && forMethod(method, made);
  try {
    const made = make();
    return made instanceof Promise ? made.catch(answerFailure).then(shown) : shown(made);
  } catch (error) {
    return shown(answerFailure(error));
  }
}

function refusalBefore(request: HttpRequest, parts: MockParts): MaybePromise<Answer | undefined> {
  const handling = route(request, parts);
  if (!('responder' in handling)) return handling.refusal && handling;
  const { context, responder } = handling;
  return whenReady(admit(context, parts), (admission) => {
    const fault = admission.kind === 'fault' ? admission : admission.request.violation;
    return (
      fault && {
        ...responder.refuse(fault),
        delayMs: 0,
        operation: context.routed.plan.operation.id,
        refusal: refusalOf(fault, parts.options.contract),
      }
    );
  });
}

/**
 * Finds the operation. A request without one is answered at once: an unknown path in the contract's
 * error schema, which clients can parse.
 */
function route(request: HttpRequest, parts: MockParts): Handling | Answer {
  const routed = parts.finder.find(request);
  if (routed.kind === 'answered')
    return { status: routed.status, headers: routed.headers, body: emptyBody, delayMs: 0 };
  if (routed.kind === 'unrouted') return refuseUnrouted(routed, parts);
  const { engine, options } = parts;
  const context = readContext(request, routed, { engine, clock: options.clock });
  return context.kind === 'fault'
    ? refuseUnrouted({ fault: context, plan: routed.plan, path: routed.target.path }, parts)
    : { context, parts, responder: new Responder(context, parts.refuse) };
}

function runPipeline(request: HttpRequest, parts: MockParts): MaybePromise<Answer> {
  const handling = route(request, parts);
  if (!('responder' in handling)) return handling;
  const { context, responder } = handling;
  const written = nextStep(context, parts);
  const step = written && fillStep(written, context, parts.options);
  if (step !== undefined && 'kind' in step) {
    const outcome = { ...lost(responder.refuse(step)), refused: step, arrived: true };
    return finish(outcome, written, handling);
  }

  // A scenario with a response or network fault precedes admission, as a service can fail earlier.
  const outcome =
    step !== undefined && step.answer.pass !== true
      ? playStep(step, handling)
      : whenReady(serve(handling), (served) =>
          step === undefined ? served : changeAnswer(served, step, handling),
        );
  return whenReady(outcome, (served) => finish(served, step, handling));
}

/** A request in progress and its context. */
interface Handling {
  readonly context: RequestContext;
  readonly parts: MockParts;
  readonly responder: Responder;
}

/** A response and its origin. */
interface Outcome {
  readonly response: HttpResponse;
  /** The preferences of the client that were applied. */
  readonly applied: readonly PreferenceName[];
  /** Why the operation, as opposed to a scenario, refused the request. */
  readonly refused: Fault | undefined;
  /** How the request violates the contract, if it was answered nevertheless. */
  readonly violation: Fault | undefined;
  /** Whether the request reached the service; a network fault can lose it before. */
  readonly arrived: boolean;
}

/** Admit → behave → write, for a request without a scripted response. */
function serve(handling: Handling): MaybePromise<Outcome> {
  const { context, parts, responder } = handling;
  return whenReady(admit(context, parts), (admission) => {
    const served = (response: HttpResponse, applied: readonly PreferenceName[]): Outcome => ({
      response,
      applied,
      refused: responder.refused,
      violation: admission.kind === 'fault' ? undefined : admission.request.violation,
      arrived: true,
    });
    if (admission.kind === 'fault')
      return whenReady(refuseAsShown(admission, handling), (response) =>
        served(response, preferencesOfRequests),
      );
    const { request } = admission;

    // A preference of the client, or a contract that documents only failures, replaces the
    // behaviour: no record changes.
    const sampled = sampleList(request, context.preferences);
    if (sampled !== undefined)
      return whenReady(sampled, (reply) =>
        served(write(reply, request, handling), preferencesOfAnswers),
      );
    const shown = showPreferred(request, context.preferences);
    if (shown !== undefined)
      return served(
        responder.show(shown, request),
        shown.kind === 'fault' ? preferencesOfRequests : preferencesOfAnswers,
      );
    const own = (): MaybePromise<HttpResponse> => answerAlone(request, handling);
    const handler = parts.handlers.get(request.plan.operation.id);
    const response =
      handler === undefined
        ? own()
        : runHandler(handler, { request, responder, records: parts.records, own });
    return whenReady(response, (answered) => served(answered, preferencesOfAnswers));
  });
}

/** Behave → write, without a handler. */
function answerAlone(request: ValidRequest, handling: Handling): MaybePromise<HttpResponse> {
  const { parts, responder } = handling;
  const pair = request.sampler === undefined ? findPair(request) : undefined;
  const asDocumented = pair && showPair(pair, request, parts.options);
  return whenReady(asDocumented, (paired) => {
    const made = paired ?? showFailure(request) ?? showAnew(handling, request);
    return made === undefined
      ? whenReady(behaveAsShown(request, pair, parts), (reply) => write(reply, request, handling))
      : responder.show(made, request);
  });
}

/** The refusal of an invalid request: the one that the contract shows for it, if it does. */
function refuseAsShown(
  fault: Fault,
  { context, parts, responder }: Handling,
): MaybePromise<HttpResponse> {
  if (!faultsOfRequests.has(fault.cause)) return responder.refuse(fault);
  return whenReady(prepareRequest(context, parts, undefined, undefined), (request) => {
    const pair = findPair(request);
    const refusal = responder.refuse(fault);
    return pair !== undefined && pair.isWhole && pair.answer.status >= 400
      ? responder.show(showNamed(pair.answer, request.plan), request)
      : refusal;
  });
}

/**
 * Runs a behaviour for a request that the contract may show with its success: records are made and
 * changed as shown, and an action of its own answers what is shown.
 */
function behaveAsShown(
  request: ValidRequest,
  pair: PairedAnswer | undefined,
  parts: MockParts,
): MaybePromise<Reply | Fault> {
  if (pair === undefined || !pair.isWhole || pair.answer.status !== request.plan.status)
    return behave(request, parts);
  const { value } = pair.answer;
  return whenReady(behave({ ...request, paired: value }, parts), (reply) =>
    reply.kind === 'fault' || reply.status !== pair.answer.status || keepsItself(request)
      ? reply
      : makeReply(reply.status, value, reply),
  );
}

/** Actions whose responses show the record that they keep. */
function keepsItself({ plan }: ValidRequest): boolean {
  return ['create', 'replace', 'update', ...readingActions].includes(plan.role?.action ?? 'read');
}

/** The response without content of a mock that generates all responses: no record matters. */
function showAnew(
  { context, parts }: Pick<Handling, 'context' | 'parts'>,
  request: ValidRequest,
): Shown | undefined {
  if (context.preferences.dynamic !== undefined || parts.options.dynamic === undefined)
    return undefined;
  const reply = answerFromContract(request);
  return reply.kind === 'fault' ? reply : { kind: 'shown', reply, content: request.content };
}

/**
 * Runs the behaviour of the operation. Changes of one resource are serialized, and made again where
 * another process came between reading and writing, so that none is lost.
 */
function behave(
  request: ValidRequest,
  { options: { store }, mutex, creates }: MockParts,
): MaybePromise<Reply | Fault> {
  const { plan, session, others = [] } = request;
  const { role, operation } = plan;
  const behaviour = plan.derive(behaviourOf);
  const act = (on: Store): MaybePromise<Reply | Fault> =>
    whenReady(behaviour({ request, store: on }), (first) =>
      inTurn(others, first, (reply, parameters) =>
        reply.kind === 'fault'
          ? reply
          : behaviour({ request: { ...request, parameters }, store: on }),
      ),
    );
  if (role === undefined) {
    const isAlone = plan.derive(partsIn).length === 0;
    return isAlone ? act(store) : mutex.take(`${session} ${operation.path}`, () => act(store));
  }
  if (readingActions.has(role.action)) return act(store);
  const change = (): MaybePromise<Reply | Fault> => changeAtomically(store, act);
  return mutex.take(`${session} ${role.resource.collection}`, () =>
    role.action === 'create' ? creates.once(request, change) : change(),
  );
}

/** Writes a reply as the contract documents it. */
function write(
  reply: Reply | Fault,
  request: ValidRequest,
  { context, responder }: Handling,
): HttpResponse {
  const response = writeReply(answerable(reply, request), request, responder);
  const { code } = context.preferences;
  // For a missing record, the requested success comes from the contract.
  return code === undefined || code === response.status
    ? response
    : responder.show(showStatus(code, request, byPreference), request);
}

function writeReply(
  reply: Reply | Fault,
  request: ValidRequest,
  responder: Responder,
): HttpResponse {
  if (reply.kind === 'fault') return responder.refuse(reply);
  const { requestSeed: seed } = request;
  const content = contentOf(reply, request);
  const response = responder.write(reply, content, { seed });
  const notModified = unchanged(request, response);
  return notModified === undefined ? response : responder.write(notModified, undefined, { seed });
}

/** The content in which a reply is written: its own, the negotiated one, or that of its status. */
function contentOf({ status, mediaType }: Reply, { plan, content }: ValidRequest) {
  if (mediaType === undefined && status === plan.status) return content;
  const { contents } = plan.answerPlan(status);
  const own = contents.find(({ mediaType: type }) => parseMediaType(type)?.essence === mediaType);
  return own ?? (status === plan.status ? content : contents[0]);
}

/** The step of an active scenario for this request; undefined if there is none. */
function nextStep(
  { scenarios, session, preferences, view }: RequestContext,
  { engine, options }: MockParts,
): ScenarioStep | undefined {
  return scenarios.length === 0
    ? undefined
    : engine.next(scenarios, { session, seed: preferences.seed ?? options.seed, view });
}

/** A response to a request that does not reach the operation. */
function lost(response: HttpResponse): Outcome {
  return {
    response,
    applied: preferencesOfRequests,
    refused: undefined,
    violation: undefined,
    arrived: false,
  };
}

/** The response of a scenario; empty if it only loses the request. */
function playStep(
  { answer }: ScenarioStep,
  { context, parts, responder }: Handling,
): MaybePromise<Outcome> {
  if (!isScripted(answer))
    return lost({ status: context.routed.plan.status, headers: [], body: emptyBody });
  return whenReady(prepareRequest(context, parts, undefined, undefined), (request) => ({
    response: playAnswer(answer, request, responder),
    applied: preferencesOfScripts,
    refused: undefined,
    violation: undefined,
    arrived: true,
  }));
}

/** A scenario can pass a request on and change the response. */
function changeAnswer(
  outcome: Outcome,
  step: ScenarioStep,
  { context, responder }: Pick<Handling, 'context' | 'responder'>,
): Outcome {
  const { response } = outcome;
  const patched = patchAnswer(response, step, context.routed.plan.answerPlan(response.status));
  const changed = 'kind' in patched ? responder.refuse(patched) : patched;
  return {
    ...outcome,
    response: withHeaders(changed, step.answer.headers),
    refused: responder.refused,
  };
}

function refuseUnrouted(
  { fault, plan, path }: Pick<UnroutedRequest, 'fault' | 'plan' | 'path'>,
  { options, refuse }: MockParts,
): Answer {
  const operation = plan?.operation;
  const response = refuse(fault, { path, now: options.clock(), operation });
  return {
    ...response,
    delayMs: 0,
    refusal: refusalOf(fault, options.contract),
    operation: operation?.id,
  };
}

/** Adds the header fields of every response, and what the server does besides sending it. */
function finish(
  { response: written, applied, refused, violation: violated, arrived }: Outcome,
  step: ScenarioStep | undefined,
  { context, parts }: Handling,
): Answer {
  const { preferences, routed } = context;
  const asked = { headers: context.request.headers, query: routed.target.query };
  const response = parts.given.give(routed.plan.operation, written, asked);
  const violation = parts.options.validate === 'warn' ? violated?.message : undefined;
  const announced = announcements(context, parts, violation);
  const headers = addPreferenceHeaders(
    announced.length === 0 ? response.headers : [...response.headers, ...announced],
    preferences,
    applied,
  );
  const callbacks =
    arrived && routed.plan.operation.callbacks.length > 0
      ? callbacksOf(context, response, parts.options)
      : [];
  const answer: Answer = {
    status: response.status,
    headers,
    body: response.body,
    delayMs: (step?.delayMs ?? 0) + (preferences.delayMs ?? 0),
    operation: routed.plan.operation.id,
  };
  // A fast path for nearly all responses: a spread would cost more than the whole object.
  if (
    step === undefined &&
    refused === undefined &&
    violation === undefined &&
    callbacks.length === 0
  )
    return answer;
  const fault = step?.answer.fault;
  return {
    ...answer,
    ...(refused === undefined ? {} : { refusal: refusalOf(refused, parts.options.contract) }),
    ...(violation === undefined ? {} : { violation }),
    ...(step === undefined ? {} : { scenario: step.scenario.name }),
    ...(fault === undefined ? {} : { fault }),
    ...(callbacks.length === 0 ? {} : { callbacks }),
  };
}

/** `Deprecation`, `Sunset`, the link to the successor operation, and how a request is invalid. */
function announcements(
  { routed }: RequestContext,
  { plans }: MockParts,
  violation: string | undefined,
): HeaderList {
  const { operation, announcements: lifecycle } = routed.plan;
  const announced =
    violation === undefined
      ? lifecycle
      : [...lifecycle, ['Vouch-Invalid-Request', headerText(violation)] as const];
  const successor =
    operation.replacedBy === undefined ? undefined : plans.get(operation.replacedBy);
  return successor === undefined ? announced : [...announced, ...linkSuccessor(successor, routed)];
}

function refusalOf({ cause, message, meant, broken }: Fault, contract: Contract): Refusal {
  const frame = broken === undefined ? undefined : contract.frame(broken);
  return { cause, message, ...defined({ meant, frame }) };
}
