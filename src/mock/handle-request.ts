import {
  emptyBody,
  type HeaderList,
  headerValue,
  type HttpRequest,
  type HttpResponse,
  withHeader,
} from '../http/message.ts';
import { type MaybePromise, whenReady } from '../store/store.ts';
import { type AdmissionRules, admit, prepareRequest } from './admit-request.ts';
import { Responder } from './answer/responder.ts';
import { byPreference, showFailure, showPreferred, showStatus } from './answer/show-status.ts';
import { answerBelow } from './behaviours/answer-below.ts';
import { behaviours } from './behaviours/index.ts';
import { callbacksOf } from './callbacks/make-callbacks.ts';
import {
  brokenCondition,
  hasCondition,
  type KeyedMutex,
  type KnownCreates,
  unchanged,
} from './guard-changes.ts';
import { answerFailure, type Refuse } from './errors/write-error-response.ts';
import type { Answer } from './mock.ts';
import type { ValidRequest } from './model/behaviour.ts';
import type { Fault, Refusal } from './model/fault.ts';
import type { OperationPlan } from './model/operation-plan.ts';
import type { Reply } from './model/reply.ts';
import type { PreferenceName, UnroutedRequest } from './model/request.ts';
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
import type { ScenarioEngine, ScenarioStep } from './scenarios/scenario-engine.ts';

/** What requests are handled with. */
export interface MockParts extends AdmissionRules {
  readonly plans: ReadonlyMap<string, OperationPlan>;
  readonly finder: OperationFinder;
  readonly engine: ScenarioEngine;
  readonly mutex: KeyedMutex;
  readonly creates: KnownCreates;
  readonly refuse: Refuse;
}

/**
 * Answers a request: route → admit → behave → write. Never throws, nor rejects, whatever the
 * request holds.
 *
 * A step that has its result at once hands it on at once (`whenReady`), and most requests are
 * answered without a promise: the server then sends all answers of one turn of the event loop
 * together.
 */
export function handleRequest(request: HttpRequest, parts: MockParts): MaybePromise<Answer> {
  const { method } = request;
  try {
    const answer = runPipeline(request, parts);
    if (!(answer instanceof Promise)) return forMethod(method, answer);
    return answer.catch(answerFailure).then((whole) => forMethod(method, whole));
  } catch (error) {
    return forMethod(method, answerFailure(error));
  }
}

function runPipeline(request: HttpRequest, parts: MockParts): MaybePromise<Answer> {
  // Route: which operation is meant. What leads nowhere is refused in the contract's form for
  // errors, because clients can read that one.
  const routed = parts.finder.find(request);
  if (routed.kind === 'options')
    return { status: 204, headers: [['Allow', routed.allow]], body: emptyBody, delayMs: 0 };
  if (routed.kind === 'unrouted') return refuseUnrouted(routed, parts);

  const context = readContext(request, routed, {
    engine: parts.engine,
    clock: parts.options.clock,
  });
  if (context.kind === 'fault')
    return refuseUnrouted({ fault: context, plan: routed.plan, path: routed.target.path }, parts);

  const responder = new Responder(context, parts.refuse);
  const step = nextStep(context, parts);

  // A scenario that scripts the answer, or a fault of the network, comes before admission: the
  // service it stands for may fail before it looks at a credential.
  const outcome =
    step !== undefined && step.answer.pass !== true
      ? playStep(step, { context, parts, responder })
      : whenReady(serve({ context, parts, responder }), (served) =>
          step === undefined ? served : changeAnswer(served, step, { context, responder }),
        );
  return whenReady(outcome, (served) => finish(served, step, { context, parts, responder }));
}

/** A request under way, and what it is answered with. */
interface Handling {
  readonly context: RequestContext;
  readonly parts: MockParts;
  readonly responder: Responder;
}

/** A response, and what led to it. */
interface Outcome {
  readonly response: HttpResponse;
  /** The preferences that had their part in it, where the client has them. */
  readonly applied: readonly PreferenceName[];
  /** Why the operation, and not a scenario, refused the request. */
  readonly refused: Fault | undefined;
  /** Whether the request reached the service; one that was lost on its way did not. */
  readonly arrived: boolean;
}

/** Admit → behave → write, for a request that no scenario answers. */
function serve(handling: Handling): MaybePromise<Outcome> {
  const { context, parts, responder } = handling;
  const served = (response: HttpResponse, applied: readonly PreferenceName[]): Outcome => ({
    response,
    applied,
    refused: responder.refused,
    arrived: true,
  });
  return whenReady(admit(context, parts), (admission) => {
    if (admission.kind === 'fault')
      return served(responder.refuse(admission), preferencesOfRequests);
    const { request } = admission;

    // What the client prefers, or a contract that documents nothing but failures, replaces what the
    // operation would do: no record changes.
    const shown = showPreferred(request, context.preferences) ?? showFailure(request);
    if (shown !== undefined)
      return served(
        responder.show(shown, request),
        shown.kind === 'fault' ? preferencesOfRequests : preferencesOfAnswers,
      );

    return whenReady(behave(request, parts), (reply) =>
      served(write(reply, request, handling), preferencesOfAnswers),
    );
  });
}

/**
 * Does what the operation does with the records of its resource. Changes of one kind of record wait
 * for each other, so that none is lost between reading and writing.
 */
function behave(
  request: ValidRequest,
  { options: { store }, mutex, creates }: MockParts,
): MaybePromise<Reply | Fault> {
  const { role } = request.plan;
  if (role === undefined) return answerBelow(request, store);
  const { action, resource } = role;
  const act = (): MaybePromise<Reply | Fault> => behaviours[action](request, resource, store);
  if (action === 'list' || action === 'read') return act();
  return mutex.take(`${request.session} ${resource.collection}`, () => {
    if (action === 'create') return creates.once(request, act);
    if (!hasCondition(request)) return act();
    return whenReady(brokenCondition(request, resource, store), (refusal) => refusal ?? act());
  });
}

/** Writes a reply as the contract has it. */
function write(
  reply: Reply | Fault,
  request: ValidRequest,
  { context, responder }: Handling,
): HttpResponse {
  const response = writeReply(reply, request, responder);
  const { code } = context.preferences;
  // A record that is missing cannot show the success that was asked for; the contract can.
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
  const { plan, requestSeed: seed } = request;
  const content =
    reply.status === plan.status ? request.content : plan.answerPlan(reply.status).contents[0];
  const response = responder.write(reply, content, { seed });
  const notModified = unchanged(request, response);
  return notModified === undefined ? response : responder.write(notModified, undefined, { seed });
}

/** What a scenario that is on has for this request; undefined where none has anything. */
function nextStep(
  { scenarios, session, preferences, view }: RequestContext,
  { engine, options }: MockParts,
): ScenarioStep | undefined {
  return scenarios.length === 0
    ? undefined
    : engine.next(scenarios, { session, seed: preferences.seed ?? options.seed, view });
}

/** The scripted answer of a scenario; an empty one where it only loses the request. */
function playStep(
  { answer }: ScenarioStep,
  { context, parts, responder }: Handling,
): MaybePromise<Outcome> {
  if (!isScripted(answer))
    return {
      response: { status: context.routed.plan.status, headers: [], body: emptyBody },
      applied: preferencesOfRequests,
      refused: undefined,
      arrived: false,
    };
  return whenReady(prepareRequest(context, parts, undefined), (request) => ({
    response: playAnswer(answer, request, responder),
    applied: preferencesOfScripts,
    refused: undefined,
    arrived: true,
  }));
}

/** A scenario may let a request pass and change the answer. */
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

/** Adds what every answer of the operation says, and what the server does besides sending it. */
function finish(
  { response, applied, refused, arrived }: Outcome,
  step: ScenarioStep | undefined,
  { context, parts }: Handling,
): Answer {
  const { preferences, routed } = context;
  const announced = announcements(context, parts);
  const headers = addPreferenceHeaders(
    announced.length === 0 ? response.headers : [...response.headers, ...announced],
    preferences,
    applied,
  );
  const callbacks = arrived ? callbacksOf(context, response, parts.options) : [];
  const answer: Answer = {
    status: response.status,
    headers,
    body: response.body,
    delayMs: (step?.delayMs ?? 0) + (preferences.delayMs ?? 0),
    operation: routed.plan.operation.id,
  };
  // Nearly all answers end here: each spread would cost more than the whole object.
  if (step === undefined && refused === undefined && callbacks.length === 0) return answer;
  const fault = step?.answer.fault;
  return {
    ...answer,
    ...(refused === undefined ? {} : { refusal: refusalOf(refused) }),
    ...(step === undefined ? {} : { scenario: step.scenario.name }),
    ...(fault === undefined ? {} : { fault }),
    ...(callbacks.length === 0 ? {} : { callbacks }),
  };
}

/** `Deprecation`, `Sunset` and the link to the operation to use instead. */
function announcements({ routed }: RequestContext, { plans }: MockParts): HeaderList {
  const { operation, announcements: announced } = routed.plan;
  const successor =
    operation.replacedBy === undefined ? undefined : plans.get(operation.replacedBy)?.operation;
  return successor === undefined ? announced : [...announced, ...linkSuccessor(successor, routed)];
}

function refusalOf({ cause, message, meant }: Fault): Refusal {
  return meant === undefined ? { cause, message } : { cause, message, meant };
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
