import { headerValues, type HttpResponse } from '../http/message.ts';
import { loadSampler } from '../values/sample-value.ts';
import { answerFromContract } from './answer-from-contract.ts';
import { negotiateContent, type AnswerContent } from './answer-plan.ts';
import { authenticate } from './authenticate.ts';
import type { ValidRequest } from './behaviour.ts';
import { behaviours } from './behaviours/index.ts';
import { makeFault, type Fault } from './errors/fault.ts';
import { makeSeed } from './make-seed.ts';
import type { MockOptions } from './mock.ts';
import { playAnswer, withHeaders } from './play-answer.ts';
import type { Refuse } from './problem.ts';
import type { Reply } from './reply.ts';
import { valuesOf } from './request/read-parameters.ts';
import { Responder } from './respond.ts';
import type { ScenarioEngine } from './scenario-engine.ts';
import { showPreferred } from './show-status.ts';
import type { Turns } from './turns.ts';
import { validateRequest } from './validate-request.ts';
import type { Visit } from './visit.ts';

/** What answering takes, besides the request. */
export interface MockParts {
  readonly options: MockOptions;
  readonly refuse: Refuse;
  readonly engine: ScenarioEngine;
  readonly turns: Turns;
}

/** An answer, how long it is to wait first, and whether the client's preferences had their part in it. */
export interface Outcome {
  readonly response: HttpResponse;
  readonly delayMs: number;
  readonly preferred: boolean;
}

/** Takes a request through the steps that follow routing: scenario, authentication, validation, behaviour, response. */
export async function answerVisit(visit: Visit, parts: MockParts): Promise<Outcome> {
  const responder = new Responder(visit, parts.refuse);
  const step = visit.scenario && parts.engine.next(visit.scenario, visit.session, visit.view);
  const delayMs = (step?.delayMs ?? 0) + (visit.preferences.delayMs ?? 0);
  if (step === undefined || step.pass === true) {
    const { response, served } = await answerNormally(visit, parts, responder);
    return { response: withHeaders(response, step?.headers), delayMs, preferred: served || step !== undefined };
  }
  return { response: playAnswer(step, await prepare(visit, parts, undefined), responder), delayMs, preferred: true };
}

interface Answered {
  readonly response: HttpResponse;
  /** Whether the request came as far as what it asks for. */
  readonly served: boolean;
}

async function answerNormally(visit: Visit, parts: MockParts, responder: Responder): Promise<Answered> {
  const { plan } = visit.arrival;
  const refusal = refusalOf(visit, parts);
  if (refusal !== undefined) return { response: responder.refuse(refusal), served: false };
  const negotiation = negotiateContent(plan.answerPlan(plan.status), acceptOf(visit));
  if (negotiation.kind === 'fault') return { response: responder.refuse(negotiation), served: false };
  const request = await prepare(visit, parts, negotiation.content);
  const preferred = showPreferred(request, visit.preferences);
  if (preferred !== undefined) return { response: responder.show(preferred, request), served: preferred.kind !== 'fault' };
  return { response: await serve(request, parts, responder), served: true };
}

async function serve(request: ValidRequest, parts: MockParts, responder: Responder): Promise<HttpResponse> {
  const { plan, requestSeed: seed } = request;
  const reply = await behave(request, parts);
  if (reply.kind === 'fault') return responder.refuse(reply);
  const content = reply.status === plan.status ? request.content : plan.answerPlan(reply.status).contents[0];
  return responder.write(reply, content, { seed });
}

/** The first reason not to serve a request: it is too late for it, or it may not come in, or it is wrong. */
function refusalOf(visit: Visit, { options }: MockParts): Fault | undefined {
  const { plan, target } = visit.arrival;
  if (plan.removedAt !== undefined && visit.now >= plan.removedAt) return gone(visit);
  const rules = { security: plan.operation.security, mode: options.authentication, keys: options.keys, realm: options.contract.title };
  return authenticate({ headers: visit.request.headers, query: target.query }, rules) ?? validateRequest(visit.view);
}

function gone({ arrival }: Visit): Fault {
  const { operation } = arrival.plan;
  const successor = operation.replacedBy === undefined ? '' : ` Use ${operation.replacedBy} instead.`;
  return makeFault('gone', 'gone', `${operation.id} was removed on ${operation.sunset ?? 'its sunset date'}.${successor}`);
}

/** Several fields of one name are one list (RFC 9110, section 5.3). */
function acceptOf({ request }: Visit): string | undefined {
  const fields = headerValues(request.headers, 'accept');
  return fields.length < 2 ? fields[0] : fields.join(', ');
}

async function prepare({ arrival, request, view, preferences, session, now }: Visit, { options }: MockParts, content: AnswerContent | undefined): Promise<ValidRequest> {
  const { plan, path, basePath } = arrival;
  const body = view.body();
  return {
    plan,
    content,
    parameters: valuesOf(view.parameters()),
    path,
    basePath,
    body: body.kind === 'value' ? body.value : undefined,
    bodyType: body.kind === 'value' ? body.mediaType : undefined,
    session,
    now,
    seed: preferences.seed ?? options.seed,
    requestSeed: makeSeed(preferences.seed ?? options.seed, plan.operation.id, request),
    sampler: preferences.dynamic === true ? await loadSampler() : undefined,
    makeId: options.makeId,
  };
}

/** What changes records of one kind takes turns with whatever else does, so that no change is lost between reading and writing. */
function behave(request: ValidRequest, { options, turns }: MockParts): Promise<Reply | Fault> | Reply | Fault {
  const { role } = request.plan;
  if (role === undefined) return answerFromContract(request);
  const { action, resource } = role;
  const act = (): Promise<Reply | Fault> => behaviours[action](request, resource, options.store);
  return action === 'list' || action === 'read' ? act() : turns.take(`${request.session} ${resource.name}`, act);
}
