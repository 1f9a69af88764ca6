import { loadSampler, type Sampler } from '../values/sample-value.ts';
import { whenReady, type MaybePromise } from '../store/store.ts';
import { acceptOf, makeSeed, type RequestContext } from './request/request-context.ts';
import type { MockOptions } from './mock.ts';
import type { ValidRequest } from './model/behaviour.ts';
import { makeFault, type Fault } from './model/fault.ts';
import type { AnswerContent } from './model/operation-plan.ts';
import { negotiateContent } from './plan/plan-answer.ts';
import { judgeBody } from './request/read-request.ts';
import type { ScenarioState } from './scenarios/scenario-state.ts';
import { authenticate } from './security/authenticate.ts';
import type { TokenJudge } from './tokens/token-verdict.ts';

/** What requests are admitted by. */
export interface AdmissionRules {
  readonly options: MockOptions;
  readonly states: ScenarioState;
  /** Judges the mock's own tokens; undefined where it makes none. */
  readonly tokens: TokenJudge | undefined;
}

/** A request that may be served, or why not. */
export type Admission = { readonly kind: 'admitted'; readonly request: ValidRequest } | Fault;

/**
 * Judges a request in the order in which a service does: whether the operation still exists, who
 * asks, whether the request keeps the contract, and whether the client takes the answer. The first
 * refusal counts. A promise only where a token is verified or a session's records are fetched.
 */
export function admit(context: RequestContext, rules: AdmissionRules): MaybePromise<Admission> {
  if (isGone(context)) return gone(context);
  return whenReady(authenticateContext(context, rules), (unauthorized) => {
    const refusal = unauthorized ?? validate(context);
    if (refusal !== undefined) return refusal;
    const { plan } = context.routed;
    const negotiation = negotiateContent(plan.answerPlan(plan.status), acceptOf(context));
    if (negotiation.kind === 'fault') return negotiation;
    return whenReady(prepareRequest(context, rules, negotiation.content), (request): Admission => ({
      kind: 'admitted',
      request,
    }));
  });
}

/** Whether the operation's sunset has passed (RFC 8594). */
function isGone({ routed: { plan }, now }: RequestContext): boolean {
  return plan.removedAt !== undefined && now >= plan.removedAt;
}

function gone({ routed }: RequestContext): Fault {
  const { operation } = routed.plan;
  const successor =
    operation.replacedBy === undefined ? '' : ` Use ${operation.replacedBy} instead.`;
  return makeFault(
    'gone',
    'gone',
    `${operation.id} was removed on ${operation.sunset ?? 'its sunset date'}.${successor}`,
  );
}

function authenticateContext(
  { request, routed, now }: RequestContext,
  { options, tokens }: AdmissionRules,
): MaybePromise<Fault | undefined> {
  return authenticate(
    { headers: request.headers, query: routed.target.query, certificate: request.certificate },
    {
      security: routed.plan.operation.security,
      mode: options.authentication,
      keys: options.keys,
      tokens,
      now,
      realm: options.contract.title,
    },
  );
}

/** Parameters first, with all that is wrong in them, then the body. */
function validate({ view }: RequestContext): Fault | undefined {
  return view.requestParameters.fault ?? judgeBody(view.body());
}

/**
 * What behaviours and scripted answers need of a request; `content`: how its answer is written.
 * Nothing is judged here.
 */
export function prepareRequest(
  context: RequestContext,
  rules: Pick<AdmissionRules, 'options' | 'states'>,
  content: AnswerContent | undefined,
): MaybePromise<ValidRequest> {
  const { session, scenarios, preferences } = context;
  const opened = rules.states.open(session, scenarios);
  const wanted = { context, options: rules.options, content };
  if (preferences.dynamic === true)
    return Promise.all([opened, loadSampler()]).then(([name, sampler]) =>
      validRequest({ ...wanted, session: name, sampler }),
    );
  return whenReady(opened, (name) =>
    validRequest({ ...wanted, session: name, sampler: undefined }),
  );
}

function validRequest({
  context,
  options,
  content,
  session,
  sampler,
}: {
  readonly context: RequestContext;
  readonly options: MockOptions;
  readonly content: AnswerContent | undefined;
  readonly session: string;
  readonly sampler: Sampler | undefined;
}): ValidRequest {
  const { request, routed, view, preferences, now } = context;
  const { plan, path, basePath } = routed;
  const body = view.body();
  const seed = preferences.seed ?? options.seed;
  return {
    plan,
    request,
    content,
    parameters: view.requestParameters.values,
    path,
    basePath,
    body: body.kind === 'value' ? body.value : undefined,
    bodyType: body.kind === 'value' ? body.mediaType : undefined,
    session,
    now,
    seed,
    requestSeed: () => makeSeed(seed, plan.operation.id, request),
    sampler,
    makeId: options.makeId,
  };
}
