import { emptyBody, headerValues, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { type Soon, whenReady } from '../store/soon.ts';
import { loadSampler } from '../values/sample-value.ts';
import type { Reply } from './answer/reply.ts';
import { Responder } from './answer/respond.ts';
import { byPreference, showFailure, showPreferred, showStatus } from './answer/show-status.ts';
import { validateRequest } from './arrival/validate-request.ts';
import { viewRequest, type Visit } from './arrival/visit.ts';
import type { ValidRequest } from './behaviour.ts';
import { answerBelow } from './behaviours/answer-below.ts';
import { behaviours } from './behaviours/index.ts';
import { brokenCondition, hasCondition } from './conditions/condition-on-change.ts';
import type { KnownCreates } from './conditions/known-creates.ts';
import { unchanged } from './conditions/unchanged.ts';
import { type Fault, makeFault } from './errors/fault.ts';
import type { Refuse } from './errors/problem.ts';
import { makeSeed } from './make-seed.ts';
import type { MockOptions } from './mock.ts';
import { type AnswerContent, negotiateContent } from './plan/answer-plan.ts';
import type { Admitted, Recall } from './recall.ts';
import { bodyReader, judgeBody } from './request/read-body.ts';
import { valuesOf } from './request/read-parameters.ts';
import {
  noPreferences,
  type PreferenceName,
  preferencesOfAnswers,
  preferencesOfRequests,
  preferencesOfScripts,
} from './request/read-preferences.ts';
import type { RequestView } from './scenarios/match-rule.ts';
import type { NetworkFault } from './scenarios/network-fault.ts';
import { isScripted, patchAnswer, playAnswer, withHeaders } from './scenarios/play-answer.ts';
import type { ScenarioEngine, ScenarioStep } from './scenarios/scenario-engine.ts';
import type { ScenarioState } from './scenarios/scenario-state.ts';
import { authenticate } from './security/authenticate.ts';
import type { TokenJudge } from './tokens/token-verdict.ts';
import type { Turns } from './turns.ts';

/** What answering takes, besides the request. */
export interface MockParts {
  readonly options: MockOptions;
  readonly refuse: Refuse;
  readonly engine: ScenarioEngine;
  readonly states: ScenarioState;
  readonly turns: Turns;
  readonly creates: KnownCreates;
  readonly recall: Recall;
  /** Judges the mock's own tokens; undefined where it makes none. */
  readonly tokens: TokenJudge | undefined;
}

/** An answer, how long it is to wait first, and what happens to it on the wire. */
export interface Outcome {
  readonly response: HttpResponse;
  readonly delayMs: number;
  readonly fault: NetworkFault | undefined;
  /** The name of the scenario that had a say in it. */
  readonly scenario: string | undefined;
  /** Why the request was refused, where it was. */
  readonly refused?: Fault | undefined;
  /** Whether the request reached the service; one that was lost on its way did not. */
  readonly arrived: boolean;
  /** The preferences that had their part in it, where the client had them. */
  readonly applied: readonly PreferenceName[];
}

/**
 * Takes a request through the steps that follow routing: scenario, authentication, validation,
 * behaviour, response.
 */
export async function answerVisit(visit: Visit, parts: MockParts): Promise<Outcome> {
  const { preferences, session, scenarios, view } = visit;
  const responder = new Responder(visit, parts.refuse);
  const step =
    scenarios.length === 0
      ? undefined
      : parts.engine.next(scenarios, {
          session,
          seed: preferences.seed ?? parts.options.seed,
          view,
        });
  const [delayMs, fault, scenario] = [
    (step?.delayMs ?? 0) + (preferences.delayMs ?? 0),
    step?.answer.fault,
    step?.scenario.name,
  ];
  if (step === undefined || step.answer.pass === true) {
    const { response, served } = await answerNormally(visit, parts, responder);
    const changed =
      step === undefined ? response : changeAnswer(response, step, { visit, responder });
    return {
      response: changed,
      delayMs,
      fault,
      scenario,
      refused: responder.refused,
      arrived: true,
      applied: served ? preferencesOfAnswers : preferencesOfRequests,
    };
  }
  if (!isScripted(step.answer))
    return {
      response: unanswered(visit),
      delayMs,
      fault,
      scenario,
      refused: undefined,
      arrived: false,
      applied: preferencesOfRequests,
    };
  const response = playAnswer(step.answer, await prepare(visit, parts, undefined), responder);
  return {
    response,
    delayMs,
    fault,
    scenario,
    refused: undefined,
    arrived: true,
    applied: preferencesOfScripts,
  };
}

/** A request that comes again, and what it leads to this time. */
export interface Return {
  readonly visit: Visit;
  readonly outcome: Soon<Outcome>;
}

/**
 * Answers a request whose head was let in before, word for word, without judging that again;
 * undefined where the day or a scenario has a say in it now.
 */
export function answerAgain(
  request: HttpRequest,
  known: Admitted,
  parts: MockParts,
): Return | undefined {
  const now = parts.options.clock();
  const { arrival, session, preferences, scenarios } = known.visit;
  if (parts.engine.scenariosOn(session).length > 0 || isGone(known.visit, now)) return undefined;
  const bodied = arrival.plan.operation.requestBody !== undefined;
  // Written out: a spread takes several times as long, and each request would come to two. Members
  // stand everywhere in the same order, here and below: objects of one shape are read several times
  // as fast as those of two.
  const visit: Visit = bodied
    ? {
        request,
        arrival,
        preferences,
        session,
        scenarios,
        now,
        view: viewRequest(arrival, request, known.read),
      }
    : { ...known.visit, now };
  const responder = new Responder(visit, parts.refuse);
  const refusal = bodied ? judgeBody(visit.view.body()) : undefined;
  const response =
    refusal === undefined
      ? serve(
          bodied ? withBody(known.request, visit, parts) : { ...known.request, now },
          parts,
          responder,
        )
      : responder.refuse(refusal);
  return {
    visit,
    outcome: whenReady(response, (sent) => ({
      response: sent,
      delayMs: 0,
      fault: undefined,
      scenario: undefined,
      refused: responder.refused,
      arrived: true,
      applied: preferencesOfAnswers,
    })),
  };
}

function withBody(
  { plan, content, parameters, path, basePath, session, seed, sampler, makeId }: ValidRequest,
  { request, view, now }: Visit,
  { options }: MockParts,
): ValidRequest {
  const { body, bodyType } = bodyOf(view);
  return {
    plan,
    request,
    content,
    parameters,
    path,
    basePath,
    body,
    bodyType,
    session,
    now,
    seed,
    requestSeed: () => makeSeed(options.seed, plan.operation.id, request),
    sampler,
    makeId,
  };
}

function bodyOf(view: RequestView): Pick<ValidRequest, 'body' | 'bodyType'> {
  const body = view.body();
  return body.kind === 'value'
    ? { body: body.value, bodyType: body.mediaType }
    : { body: undefined, bodyType: undefined };
}

function changeAnswer(
  response: HttpResponse,
  step: ScenarioStep,
  { visit, responder }: { readonly visit: Visit; readonly responder: Responder },
): HttpResponse {
  const patched = patchAnswer(response, step, visit.arrival.plan.answerPlan(response.status));
  return withHeaders('kind' in patched ? responder.refuse(patched) : patched, step.answer.headers);
}

/** What stands for an answer that nobody gets to see. */
function unanswered({ arrival }: Visit): HttpResponse {
  return { status: arrival.plan.status, headers: [], body: emptyBody };
}

interface Answered {
  readonly response: HttpResponse;
  /** Whether the request came as far as what it asks for. */
  readonly served: boolean;
}

async function answerNormally(
  visit: Visit,
  parts: MockParts,
  responder: Responder,
): Promise<Answered> {
  const { plan } = visit.arrival;
  const judged = refusalOf(visit, parts);
  const refusal = judged instanceof Promise ? await judged : judged;
  if (refusal !== undefined) return { response: responder.refuse(refusal), served: false };
  const negotiation = negotiateContent(plan.answerPlan(plan.status), acceptOf(visit));
  if (negotiation.kind === 'fault')
    return { response: responder.refuse(negotiation), served: false };
  const request = await prepare(visit, parts, negotiation.content);
  const preferred = showPreferred(request, visit.preferences) ?? showFailure(request);
  if (preferred !== undefined)
    return { response: responder.show(preferred, request), served: preferred.kind !== 'fault' };
  // A token may expire or be revoked, so that its verdict, which is a promise, holds but once.
  if (
    !(judged instanceof Promise) &&
    visit.preferences === noPreferences &&
    visit.scenarios.length === 0
  )
    parts.recall.keep({ visit, request, read: bodyReader(plan.operation, visit.request) });
  const response = await serve(request, parts, responder);
  const { code } = visit.preferences;
  // A record that is not there cannot show the success that was asked for; the contract can.
  const kept = code === undefined || code === response.status;
  return {
    response: kept ? response : responder.show(showStatus(code, request, byPreference), request),
    served: true,
  };
}

function serve(request: ValidRequest, parts: MockParts, responder: Responder): Soon<HttpResponse> {
  const { plan, requestSeed: seed } = request;
  return whenReady(behave(request, parts), (reply) => {
    if (reply.kind === 'fault') return responder.refuse(reply);
    const content =
      reply.status === plan.status ? request.content : plan.answerPlan(reply.status).contents[0];
    const answer = responder.write(reply, content, { seed });
    const short = unchanged(request, answer);
    return short === undefined ? answer : responder.write(short, undefined, { seed });
  });
}

/**
 * The first reason not to serve a request: it is too late for it, or it may not come in, or it is
 * wrong.
 */
function refusalOf(
  visit: Visit,
  { options, tokens }: MockParts,
): Fault | undefined | Promise<Fault | undefined> {
  const { plan, target } = visit.arrival;
  if (isGone(visit, visit.now)) return gone(visit);
  const rules = {
    security: plan.operation.security,
    mode: options.authentication,
    keys: options.keys,
    tokens,
    now: visit.now,
    realm: options.contract.title,
  };
  const judged = authenticate(
    { headers: visit.request.headers, query: target.query, certificate: visit.request.certificate },
    rules,
  );
  return judged instanceof Promise
    ? judged.then((refusal) => refusal ?? validateRequest(visit.view))
    : (judged ?? validateRequest(visit.view));
}

function isGone({ arrival: { plan } }: Visit, now: Date): boolean {
  return plan.removedAt !== undefined && now >= plan.removedAt;
}

function gone({ arrival }: Visit): Fault {
  const { operation } = arrival.plan;
  const successor =
    operation.replacedBy === undefined ? '' : ` Use ${operation.replacedBy} instead.`;
  return makeFault(
    'gone',
    'gone',
    `${operation.id} was removed on ${operation.sunset ?? 'its sunset date'}.${successor}`,
  );
}

/** Several fields of one name are one list (RFC 9110, section 5.3). */
function acceptOf({ request }: Visit): string | undefined {
  const fields = headerValues(request.headers, 'accept');
  return fields.length < 2 ? fields[0] : fields.join(', ');
}

async function prepare(
  { arrival, request, view, preferences, session, scenarios, now }: Visit,
  { options, states }: MockParts,
  content: AnswerContent | undefined,
): Promise<ValidRequest> {
  const { plan, path, basePath } = arrival;
  const { body, bodyType } = bodyOf(view);
  const opened = states.open(session, scenarios);
  return {
    plan,
    request,
    content,
    parameters: valuesOf(view.parameters()),
    path,
    basePath,
    body,
    bodyType,
    session: typeof opened === 'string' ? opened : await opened,
    now,
    seed: preferences.seed ?? options.seed,
    requestSeed: () => makeSeed(preferences.seed ?? options.seed, plan.operation.id, request),
    sampler: preferences.dynamic === true ? await loadSampler() : undefined,
    makeId: options.makeId,
  };
}

/**
 * What changes records of one kind takes turns with whatever else does, so that no change is lost
 * between reading and writing.
 */
function behave(
  request: ValidRequest,
  { options, turns, creates }: MockParts,
): Soon<Reply | Fault> {
  const { role } = request.plan;
  if (role === undefined) return answerBelow(request, options.store);
  const { action, resource } = role;
  const act = (): Soon<Reply | Fault> => behaviours[action](request, resource, options.store);
  if (action === 'list' || action === 'read') return act();
  if (action === 'create')
    return turns.take(`${request.session} ${resource.collection}`, () =>
      creates.once(request, act),
    );
  const change = hasCondition(request)
    ? (): Soon<Reply | Fault> =>
        whenReady(brokenCondition(request, resource, options.store), (refusal) => refusal ?? act())
    : act;
  return turns.take(`${request.session} ${resource.collection}`, change);
}
