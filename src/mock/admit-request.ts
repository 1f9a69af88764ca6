import { speaksJsonApi } from '../contract/infer/conventions/envelope-styles.ts';
import type { Contract, Schema } from '../contract/model.ts';
import { unspecifiedMembers } from '../contract/protocols/unspecified.ts';
import { followsAip } from '../contract/words/standards.ts';
import { loadSampler } from '../values/sample-value.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { whenReady, type MaybePromise } from '../store/store.ts';
import { acceptOf, makeSeed, type RequestContext } from './request/request-context.ts';
import type { MockOptions } from './mock.ts';
import type { ValidRequest } from './model/behaviour.ts';
import { makeFault, type Fault } from './model/fault.ts';
import type { AnswerContent, OperationPlan } from './model/operation-plan.ts';
import { negotiateContent } from './plan/plan-answer.ts';
import { savingOf } from './plan/plan-operations.ts';
import { judgeByRules } from './records/keep-rules.ts';
import { judgeJsonApi } from './request/json-api.ts';
import { openRequest } from './request/open-request.ts';
import { judgeBody, judgeParameters, valuesOf } from './request/read-request.ts';
import { judgeStrays } from './request/stray-parameters.ts';
import { soundBody, soundValues } from './request/sound-request.ts';
import type { ScenarioState } from './scenarios/scenario-state.ts';
import { authenticate } from './security/authenticate.ts';
import type { GivenTokens } from './security/given-tokens.ts';
import type { TokenJudge } from './tokens/token-verdict.ts';

/** The rules for admitting requests. */
export interface AdmissionRules {
  readonly options: MockOptions;
  readonly states: ScenarioState;
  /** Verifies tokens of the mock itself; undefined if it issues none. */
  readonly tokens: TokenJudge | undefined;
  readonly given: GivenTokens;
  /** Counts the requests: 1, 2, 3, … */
  readonly count: () => number;
}

/** A valid request, or the reason of its refusal. */
export type Admission = { readonly kind: 'admitted'; readonly request: ValidRequest } | Fault;

/**
 * Validates a request in the order of a service: whether the operation still exists, the
 * credential, the request itself, and the accepted media types. The first refusal applies. Returns
 * a promise only if a token is verified or records of a session are loaded.
 */
export function admit(context: RequestContext, rules: AdmissionRules): MaybePromise<Admission> {
  const { routed, now } = context;
  const { removedAt } = routed.plan;
  // Its sunset has passed (RFC 8594).
  if (removedAt !== undefined && now >= removedAt) return gone(context);
  return whenReady(authenticateContext(context, rules), (unauthorized) => {
    if (unauthorized !== undefined) return unauthorized;
    const violation = validate(context, rules.options.contract);
    if (violation !== undefined && isStrict(rules.options)) return violation;
    const answerPlan = routed.plan.answerPlan(routed.plan.status);
    const negotiation = negotiateContent(answerPlan, acceptOf(context));
    const isRefused = negotiation.kind === 'fault';
    if (isRefused && isStrict(rules.options)) return negotiation;
    // A service may disregard Accept (RFC 9110, section 12.5.1).
    const content = isRefused ? answerPlan.contents[0] : negotiation.content;
    const found = violation ?? (isRefused ? negotiation : undefined);
    return whenReady(prepareRequest(context, rules, content, found), (request): Admission => ({
      kind: 'admitted',
      request,
    }));
  });
}

/** Whether requests that violate the contract are refused. */
function isStrict({ validate: mode }: MockOptions): boolean {
  return mode === undefined || mode === 'on';
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
  { options, tokens, given }: AdmissionRules,
): MaybePromise<Fault | undefined> {
  return authenticate(
    { headers: request.headers, query: routed.target.query, certificate: request.certificate },
    {
      security: routed.plan.operation.security,
      mode: options.authentication,
      keys: options.keys,
      tokens,
      given,
      now,
      realm: options.contract.title,
    },
  );
}

/** Reports all violations in the parameters, otherwise those in the body, then broken rules. */
function validate(context: RequestContext, contract: Contract): Fault | undefined {
  const { view, routed } = context;
  const body = view.body();
  const { rules } = routed.plan.contract;
  const refusal =
    judgeDocument(context, contract) ??
    judgeParameters(view.parameters()) ??
    judgeStrays(routed.plan, namesIn(context)) ??
    judgeBody(body);
  if (refusal !== undefined || body.kind !== 'value') return refusal;
  const none = judgeRequiredEnums(body.value, body.schema);
  if (none !== undefined && followsAip(contract)) return none;
  return rules.all.length > 0 ? judgeByRules(rules, body.schema, body.value) : undefined;
}

/** The names of the parameters in the query. */
function namesIn({ routed }: RequestContext): string[] {
  return routed.target.query.map(([name]) => name);
}

function isOfJsonApi({ operation }: OperationPlan): boolean {
  return speaksJsonApi(operation);
}

/** Why a request to an operation of JSON:API is refused by that standard alone. */
function judgeDocument(context: RequestContext, { securitySchemes }: Contract): Fault | undefined {
  const { request, routed, view } = context;
  const { operation } = routed.plan;
  if (!routed.plan.derive(isOfJsonApi)) return undefined;
  const body = view.body();
  return judgeJsonApi({
    operation,
    headers: request.headers,
    query: namesIn(context),
    securitySchemes,
    identifier: operation.path.endsWith('}') ? [...routed.path.values()].at(-1) : undefined,
    body: body.kind === 'value' ? body : undefined,
  });
}

/**
 * The request for behaviours and scripted answers, without validation; `content` is the media type
 * of the response, `violation` what is known to be wrong with the request.
 */
export function prepareRequest(
  context: RequestContext,
  rules: Pick<AdmissionRules, 'options' | 'states' | 'count'>,
  content: AnswerContent | undefined,
  violation: Fault | undefined,
): MaybePromise<ValidRequest> {
  const { session, scenarios, preferences } = context;
  const opened = scenarios.length === 0 ? session : rules.states.open(session, scenarios);
  const isDynamic = preferences.dynamic ?? rules.options.dynamic !== undefined;
  const sampler = isDynamic ? loadSampler() : undefined;
  if (sampler !== undefined)
    return Promise.all([opened, sampler]).then(([name, loaded]) =>
      validRequest(context, rules, { content, violation, session: name, sampler: loaded }),
    );
  return whenReady(opened, (name) =>
    validRequest(context, rules, { content, violation, session: name, sampler: undefined }),
  );
}

type Settled = Pick<ValidRequest, 'content' | 'violation' | 'session' | 'sampler'>;

function validRequest(
  { request, routed, view, preferences, now }: RequestContext,
  { options, count }: Pick<AdmissionRules, 'options' | 'count'>,
  { content, violation, session, sampler }: Settled,
): ValidRequest {
  const { plan, path, basePath } = routed;
  const sent = view.body();
  const seed = preferences.seed ?? options.seed;
  const isNew = preferences.seed === undefined && options.dynamic?.repeats === false;
  const seedOf = isNew ? `${seed} ${String(count())}` : seed;
  const isSound = violation === undefined;
  const whole = sent.kind === 'value' ? sent.value : undefined;
  const { parameters, body, others } = openRequest(plan, {
    parameters: isSound ? valuesOf(view.parameters()) : soundValues(view.parameters()),
    body: isSound ? whole : soundBody(sent),
  });
  return {
    content,
    violation,
    session,
    sampler,
    plan: isSaved(plan, body) ? plan.derive(savingOf) : plan,
    request,
    parameters,
    others,
    body,
    path,
    basePath,
    bodyType: sent.kind === 'value' ? sent.mediaType : undefined,
    now,
    seed,
    requestSeed: () => makeSeed(seedOf, plan.operation.id, request),
    makeId: options.makeId,
  };
}

/** Whether the body of a request names the record that it saves. */
function isSaved({ operation: { saves } }: OperationPlan, body: JsonValue | undefined): boolean {
  return saves !== undefined && isJsonObject(body) && (body[saves] ?? null) !== null;
}

/**
 * Why a body is refused in which a required member has the value that stands for none, such as
 * `KIND_UNSPECIFIED` (Google AIP-203, "Required"). Only for APIs that follow the AIPs.
 */
function judgeRequiredEnums(value: JsonValue, schema: Schema | undefined): Fault | undefined {
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const none = unspecifiedMembers(schema).find((member) => value[member.name] === member.value);
  if (none === undefined) return undefined;
  const message = `The body's ${none.name} is required, and ${none.value} is no value.`;
  const issue = { location: 'body', name: none.name, rule: 'required', message } as const;
  return makeFault('body-value', 'missing_field', message, { issues: [issue] });
}
