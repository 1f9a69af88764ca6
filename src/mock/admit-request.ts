import { speaksJsonApi } from '../contract/infer/conventions/envelope-styles.ts';
import type { Contract, Schema, CarriedPlace, Operation } from '../contract/model.ts';
import { unspecifiedMembers } from '../contract/protocols/unspecified.ts';
import { followsAip } from '../contract/words/standards.ts';
import { loadSampler } from '../values/sample-value.ts';
import { isJsonObject, type JsonValue, isJsonArray } from '../json/value.ts';
import { whenReady, type MaybePromise } from '../store/store.ts';
import { acceptOf, makeSeed, type RequestContext } from './request/request-context.ts';
import type { MockOptions } from './mock.ts';
import type { AnswerContent, OperationPlan, ValidRequest } from './model/request.ts';
import { type Fault, makeFault } from './model/reply.ts';
import { negotiateContent } from './plan/plan-answer.ts';
import { savingOf } from './plan/plan-operations.ts';
import { judgeByRules } from './records/keep-rules.ts';
import { judgeJsonApi } from './request/json-api.ts';
import { judgeBody, judgeParameters, valuesOf, parameterKey } from './request/read-request.ts';
import { soundBody, soundValues } from './request/sound-request.ts';
import type { ScenarioState } from './scenarios/scenario-state.ts';
import { authenticate } from './security/authenticate.ts';
import type { GivenTokens } from './security/given-tokens.ts';
import type { TokenJudge } from './tokens/token-verdict.ts';
import { valueAt, withoutValueAt } from '../json/pointer.ts';
import { documentsRefusal } from '../contract/model/operation.ts';
import { refusesStrays } from '../contract/words/read-list.ts';

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

function validRequest(
  { request, routed, view, preferences, now }: RequestContext,
  { options, count }: Pick<AdmissionRules, 'options' | 'count'>,
  settled: Pick<ValidRequest, 'content' | 'violation' | 'session' | 'sampler'>,
): ValidRequest {
  const { plan, path, basePath } = routed;
  const sent = view.body();
  const seed = preferences.seed ?? options.seed;
  const isNew = preferences.seed === undefined && options.dynamic?.repeats === false;
  const seedOf = isNew ? `${seed} ${String(count())}` : seed;
  const isSound = settled.violation === undefined;
  const whole = sent.kind === 'value' ? sent.value : undefined;
  const { parameters, body, others } = openRequest(plan, {
    parameters: isSound ? valuesOf(view.parameters()) : soundValues(view.parameters()),
    body: isSound ? whole : soundBody(sent),
  });
  return {
    ...settled,
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

/** What a request says, apart from its path. */
type Said = Pick<ValidRequest, 'parameters' | 'body' | 'others'>;

/**
 * The request of a call as that of the ordinary operation: what its query or its body says of
 * records is the value of a parameter. Other requests stay as they are.
 */
function openRequest({ operation }: OperationPlan, said: Said): Said {
  if (operation.wire === undefined) return said;
  const parameters = new Map(said.parameters);
  let { body } = said;
  for (const parameter of operation.parameters) {
    const { carried } = parameter;
    if (carried === undefined) continue;
    const value = carriedValue(carried, said);
    if (carried.in === 'body') body = body === undefined ? body : withoutValueAt(body, carried.at);
    else parameters.delete(ownKey(carried));
    if (value !== undefined) parameters.set(parameterKey(parameter), value);
  }
  const isRead = operation.requestBody === undefined;
  return {
    parameters,
    others: othersOf(operation, said, parameters),
    body: isRead ? undefined : body,
  };
}

/** The parameters for each further record that a list in the request names. */
function othersOf(
  { parameters }: OperationPlan['operation'],
  said: Said,
  first: ValidRequest['parameters'],
): ValidRequest['others'] {
  const many = parameters.find(({ carried }) => carried?.many === true);
  const found = many?.carried && placed(many.carried, said);
  if (many === undefined || !isJsonArray(found) || found.length < 2) return undefined;
  return found.slice(1).map((value) => new Map(first).set(parameterKey(many), value));
}

/** What a request holds at a place; of a list that names several, the first one. */
function carriedValue(carried: CarriedPlace, said: Said): JsonValue | undefined {
  const found = placed(carried, said);
  return carried.many === true && isJsonArray(found) ? found[0] : found;
}

function placed(carried: CarriedPlace, { parameters, body }: Said): JsonValue | undefined {
  const inQuery = parameters.get(ownKey(carried));
  const inBody = isJsonObject(body) ? valueAt(body, carried.at) : undefined;
  return carried.in === 'body' ? (inBody ?? inQuery) : inQuery;
}

function ownKey({ in: location, at }: CarriedPlace): string {
  return parameterKey({ in: location === 'path' ? 'path' : 'query', name: at.slice(1) });
}

/** The query options of OData, whose names alone begin with a dollar (4.01, Part 2, section 5.1). */
const systemOptions = new Set(
  (
    '$apply $compute $count $deltatoken $expand $filter $format $id $index $levels $orderby ' +
    '$schemaversion $search $select $skip $skiptoken $top'
  ).split(' '),
);

/** Those that other conventions with dollars do not have, such as that with `$limit`. */
const ofODataAlone = ['$count', '$expand', '$filter', '$orderby', '$top'];

/** Whether all declared names with a dollar are those of OData, and not of another convention. */
function speaksOData(names: readonly string[]): boolean {
  const dollars = names.filter((name) => name.startsWith('$'));
  return (
    dollars.every((name) => systemOptions.has(name)) &&
    dollars.some((name) => ofODataAlone.includes(name))
  );
}

/** How the operation takes the names of query parameters that it does not declare. */
interface Names {
  readonly declared: ReadonlySet<string>;
  /** Whether it refuses them, and whether it refuses those that OData reserves. */
  readonly isClosed: boolean;
  readonly isOData: boolean;
}

/** Why a request is refused that has query parameters which the operation does not declare. */
function judgeStrays(plan: OperationPlan, names: readonly string[]): Fault | undefined {
  if (names.length === 0) return undefined;
  const known = plan.derive(namesOf);
  const stray = names.find((name) => isStray(name, known));
  if (stray === undefined) return undefined;
  const message = `The operation has no query parameter ${stray}.`;
  return makeFault('parameter-value', 'unknown_parameter', message, {
    issues: [{ location: 'query', name: stray, rule: 'unknown', message }],
  });
}

function isStray(name: string, { declared, isClosed, isOData }: Names): boolean {
  // Two underscores begin the preferences of Prism, which are for the mock.
  const isKnown = declared.has(name) || declared.has(name.replace(/\[.*$/, ''));
  if (isKnown || name.startsWith('__')) return false;
  return isClosed || (isOData && name.startsWith('$') && !systemOptions.has(name));
}

/** The names of credentials in the query. */
function credentialsOf({ security }: Operation): string[] {
  return security.flatMap((requirement) =>
    requirement.flatMap(({ scheme }) =>
      scheme.kind === 'apiKey' && scheme.in === 'query' ? [scheme.key] : [],
    ),
  );
}

/** Whether a declared parameter takes names that the contract does not list. */
function takesAnyName({ parameters, path }: Operation): boolean {
  return (
    path.includes('?') ||
    parameters.some(
      ({ in: location, wholeQuery, carried, explode, style, schema }) =>
        wholeQuery === true ||
        carried?.in === 'query' ||
        (location === 'query' &&
          explode &&
          style === 'form' &&
          schema.flatten().types.includes('object')),
    )
  );
}

function namesOf({ operation, contract }: OperationPlan): Names {
  const query = operation.parameters.filter(({ in: location }) => location === 'query');
  const names = query.map(({ name }) => name);
  return {
    declared: new Set([...names, ...credentialsOf(operation)]),
    isClosed: refusesStrays(contract, operation) && !takesAnyName(operation),
    isOData: documentsRefusal(operation) && speaksOData(names),
  };
}
