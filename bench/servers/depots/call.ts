import { fields as object, listOf, text, type Rule } from '../serving/fields.ts';
import { mediaType, type Answer, type Handler, type ServiceRequest } from '../serving/serve.ts';
import { parseExactly } from '../exact-json.ts';
import { fail, key, type Fields, type Service } from './store.ts';

/** A request whose key, parameters and body are valid. */
export interface Call {
  readonly service: Service;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parameter `names`, which may be repeated. */
  readonly names: readonly string[];
  readonly body: Fields;
}

/** What a request to an operation has: parameters of the query, and a body. */
export interface Form {
  readonly query?: readonly ParameterName[];
  readonly body?: Rule;
  readonly isBodyOptional?: boolean;
}

const isFlag = (value: string): boolean => /^(true|false)$/.test(value);
const isAny = (): boolean => true;
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const id = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const idRule: Rule = text(1, 63, id);
const isId = (value: string): boolean => id.test(value);

type ParameterName = keyof typeof parameters;

const parameters = {
  page_size: (value: string) => /^\d+$/.test(value) && Number(value) < 2 ** 31,
  page_token: isAny,
  filter: isAny,
  order_by: isAny,
  show_deleted: isFlag,
  depot_id: isId,
  vehicle_id: isId,
  validate_only: isFlag,
  request_id: (value: string) => uuid.test(value),
  update_mask: isAny,
  force: isFlag,
  etag: isAny,
  names: isAny,
};

function readQuery(service: Service, { query }: ServiceRequest, known: readonly ParameterName[]) {
  const { has } = service;
  const found: Record<string, string> = {};
  for (const [name, value] of query) {
    const parameter = known.find((one) => one === name);
    if (parameter === undefined) {
      if (has('unknown-parameter-accepted')) continue;
      return fail(service, 'INVALID_ARGUMENT', `There is no parameter ${name}.`, name);
    }
    const isLoose =
      (has('negative-page-size-accepted') && /^-\d+$/.test(value)) ||
      (has('request-id-any-text') && name === 'request_id') ||
      (has('depot-id-any-text') && name === 'depot_id');
    const isRepeated = name !== 'names' && found[name] !== undefined;
    const isTooLarge =
      name === 'page_size' && Number(value) > 100 && has('large-page-size-refused');
    if (isRepeated || isTooLarge || !(parameters[parameter](value) || isLoose))
      return fail(service, 'INVALID_ARGUMENT', `${name} is invalid.`, name);
    found[name] = value;
  }
  return found;
}

const namesRule = listOf(text(1, 200, /^depots\/[^/]+\/vehicles\/[^/]+$/), { min: 1, max: 20 });

function readBody(service: Service, incoming: ServiceRequest, form: Form): Fields {
  const invalid = (message: string, field?: string): never =>
    fail(service, 'INVALID_ARGUMENT', message, field);
  if (form.body === undefined || (incoming.bytes.length === 0 && form.isBodyOptional === true))
    return {};
  if (mediaType(incoming) !== 'application/json') return invalid('The body must be JSON.');
  let body: unknown;
  try {
    body = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    return invalid('The body is not valid JSON.');
  }
  const fault = form.body(body, 'body');
  if (fault !== undefined) invalid(fault, /^body\.?(\S*)/.exec(fault)?.[1] ?? 'body');
  return body as Fields;
}

/** A handler of one operation: refuses what its form excludes, and repeats by request_id. */
export function operation(
  service: Service,
  operate: (call: Call) => Fields,
  form: Form = {},
): Handler {
  const { has, answered } = service;
  return (incoming): Answer => {
    const isKnown = incoming.headers.authorization === `Bearer ${key}`;
    if (!isKnown && !has('no-key-needed')) fail(service, 'UNAUTHENTICATED', 'A key is required.');
    const query = readQuery(service, incoming, form.query ?? []);
    const names = incoming.query.getAll('names');
    const fault = form.query?.includes('names') === true ? namesRule(names, 'names') : undefined;
    if (fault !== undefined) fail(service, 'INVALID_ARGUMENT', fault, 'names');
    const body = readBody(service, incoming, form);
    const { request_id } = query;
    const asked = `${incoming.path} ${JSON.stringify(body)}`;
    const before = request_id === undefined ? undefined : answered.get(request_id.toLowerCase());
    if (before !== undefined && !has('request-id-ignored')) {
      if (before.asked === asked || has('request-id-other-body')) return before.answer;
      fail(service, 'INVALID_ARGUMENT', 'The request_id was used before.', 'request_id');
    }
    const json = operate({ service, params: incoming.params, query, names, body });
    const isThin = service.varies('empty-members-absent');
    const answer = { status: 200, json: isThin ? withoutEmpty(json) : json };
    if (request_id !== undefined && query['validate_only'] !== 'true')
      answered.set(request_id.toLowerCase(), { asked, answer });
    return answer;
  };
}

/** The members of an object that are not empty, 0 or false. */
function withoutEmpty(value: Fields): Fields {
  const isEmpty = (part: unknown): boolean =>
    part === 0 || part === false || part === '' || (Array.isArray(part) && part.length === 0);
  const entries = Object.entries(value).filter(([, part]) => !isEmpty(part));
  return Object.fromEntries(
    entries.map(([name, part]) => [name, Array.isArray(part) ? part.map(thin) : thin(part)]),
  );
}

function thin(part: unknown): unknown {
  return typeof part === 'object' && part !== null ? withoutEmpty(part as Fields) : part;
}

/** The rule of a batch of vehicles. */
export function batchRule({ has }: Service, vehicle: Rule): Rule {
  const parent = text(0, Infinity, /^depots\/[^/]+$/);
  const request = object({ parent, vehicle_id: idRule, vehicle }, ['vehicle'], true);
  const max = has('batch-too-long') ? 1000 : 20;
  return object({ requests: listOf(request, { min: 1, max }) }, ['requests'], true);
}
