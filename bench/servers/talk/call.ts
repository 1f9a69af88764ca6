import { text, type Rule } from '../serving/fields.ts';
import { mediaType, type Answer, type Handler, type ServiceRequest } from '../serving/serve.ts';
import { fail, tokens, type Service } from './store.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A call whose token and arguments are valid. */
export interface Call {
  readonly service: Service;
  /** Who calls. */
  readonly user: string;
  readonly given: Arguments;
}

/** An argument: its type, what its schema says, and the error if it is not that. */
interface Argument {
  readonly type: 'string' | 'boolean' | 'number';
  readonly rule?: (service: Service) => Rule;
  readonly error?: string;
}

const stamp = /^\d{10}\.\d{6}$/;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const string = (rule: Rule, error?: string): Argument => ({
  type: 'string',
  rule: () => rule,
  ...(error === undefined ? {} : { error }),
});
const time: Argument = {
  type: 'string',
  rule: ({ has }) => text(0, Infinity, has('any-ts-accepted') ? undefined : stamp),
  error: 'invalid_ts',
};
const flag: Argument = { type: 'boolean' };

const known = {
  channel: { type: 'string' },
  name: {
    type: 'string',
    rule: ({ has }) =>
      text(
        1,
        has('long-name-accepted') ? 1000 : 80,
        has('capitals-in-name') ? /^[\w-]+$/ : /^[a-z0-9_-]+$/,
      ),
    error: 'invalid_name',
  },
  emoji: string(text(1, 80, /^[a-z0-9_+-]+$/), 'invalid_name'),
  is_private: flag,
  include_num_members: flag,
  exclude_archived: flag,
  inclusive: flag,
  topic: { type: 'string', rule: ({ has }) => text(0, has('topic-too-long') ? Infinity : 250) },
  text: {
    type: 'string',
    rule: ({ has }) =>
      text(has('empty-text-accepted') ? 0 : 1, has('long-text-accepted') ? Infinity : 4000),
  },
  users: string(text(1, Infinity, /^[A-Z0-9]+(,[A-Z0-9]+){0,29}$/)),
  ts: time,
  timestamp: time,
  thread_ts: time,
  oldest: time,
  latest: time,
  client_msg_id: string(text(36, 36, uuid)),
  types: { type: 'string', error: 'invalid_types' },
  limit: { type: 'number', error: 'invalid_limit' },
  cursor: { type: 'string', error: 'invalid_cursor' },
} satisfies Readonly<Record<string, Argument>>;

export type ArgumentName = keyof typeof known;

/** The arguments of a method; `emoji` is called `name` there. */
export interface Form {
  readonly needs?: readonly ArgumentName[];
  readonly takes?: readonly ArgumentName[];
}

function invalid(service: Service, error: string, name: string, fault: string): never {
  const named = service.has('error-elsewhere') ? 'channel' : name;
  return fail(service, error, [`[ERROR] ${fault} [json-pointer:/${named}]`]);
}

/** The arguments in the query, or in a body of JSON or a form. */
function sent(service: Service, incoming: ServiceRequest): { all: Arguments; isText: boolean } {
  const { method: verb, query, bytes } = incoming;
  const type = mediaType(incoming);
  const isForm = type === 'application/x-www-form-urlencoded';
  const unread = (): never => invalid(service, 'invalid_arguments', '', 'the body is unreadable');
  if (verb === 'GET' || verb === 'HEAD' || isForm) {
    const pairs = isForm ? new URLSearchParams(bytes.toString('utf8')) : query;
    const all: Record<string, unknown> = {};
    // What is given more than once has no type that an argument may have.
    for (const [name, value] of pairs) all[name] = Object.hasOwn(all, name) ? [] : value;
    return { all, isText: true };
  }
  if (type !== 'application/json') return unread();
  try {
    const all: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const isObject = typeof all === 'object' && all !== null && !Array.isArray(all);
    return isObject ? { all: all as Arguments, isText: false } : unread();
  } catch {
    return unread();
  }
}

function typed(value: unknown, type: Argument['type'], isText: boolean): unknown {
  if (!isText || typeof value !== 'string') return value;
  if (type === 'number') return /^-?\d+$/.test(value) ? Number(value) : value;
  return type === 'boolean' && /^(true|false)$/.test(value) ? value === 'true' : value;
}

function read(service: Service, incoming: ServiceRequest, { needs = [], takes = [] }: Form) {
  const { has } = service;
  const { all, isText } = sent(service, incoming);
  const given: Record<string, unknown> = {};
  for (const key of [...needs, ...takes]) {
    const name = key === 'emoji' ? 'name' : key;
    const { type, rule, error = 'invalid_arguments' }: Argument = known[key];
    if (!Object.hasOwn(all, name)) {
      if (key === 'text' && has('missing-text-500')) throw new TypeError('text is undefined');
      if (takes.includes(key)) continue;
      return invalid(service, 'invalid_arguments', name, 'missing required field');
    }
    const value = typed(all[name], type, isText);
    const isNumberAsText = has('number-as-text') && key === 'text' && typeof value === 'number';
    if (typeof value !== type && !isNumberAsText)
      return invalid(service, 'invalid_arguments', name, `must be a ${type}`);
    const fault = isNumberAsText ? undefined : rule?.(service)(value, name);
    const code = key === 'text' ? (value === '' ? 'no_text' : 'msg_too_long') : error;
    if (fault !== undefined) return invalid(service, code, name, fault);
    given[name] = isNumberAsText ? String(value) : value;
  }
  checkLimit(service, given['limit'] as number | undefined);
  checkTypes(service, given['types'] as string | undefined);
  return given;
}

function checkLimit(service: Service, limit = 1): void {
  const { has } = service;
  const isFine = (limit === 0 && has('zero-limit-accepted')) || limit > 0;
  if (!isFine || (limit > 200 && !has('large-limit-lowered')))
    invalid(service, 'invalid_limit', 'limit', 'must be 1 to 200');
}

function checkTypes(service: Service, types = 'public_channel'): void {
  const isKnown = types.split(',').every((one) => /^(public|private)_channel$/.test(one));
  if (!isKnown && !service.has('unknown-type-accepted'))
    invalid(service, 'invalid_types', 'types', 'must be public_channel or private_channel');
}

function callerOf(service: Service, incoming: ServiceRequest): string {
  const { has } = service;
  const [, token] = /^Bearer (.+)$/i.exec(incoming.headers.authorization ?? '') ?? [];
  if (token === undefined) return has('no-token-needed') ? 'U0ANA' : fail(service, 'not_authed');
  const user = Object.entries(tokens).find(([, one]) => one === token)?.[0];
  if (user !== undefined) return user;
  const isOpen = has('any-token-accepted') || has('no-token-needed');
  return isOpen ? 'U0ANA' : fail(service, 'invalid_auth');
}

/** A handler of one method. */
export function method(
  service: Service,
  operate: (call: Call) => Readonly<Record<string, unknown>>,
  form: Form = {},
): Handler {
  const { varies } = service;
  return (incoming): Answer => {
    service.requests += 1;
    if (varies('limited-at-times') && service.requests % 40 === 3)
      return { status: 429, headers: { 'Retry-After': '1' } };
    const user = callerOf(service, incoming);
    const call = { service, user, given: read(service, incoming, form) };
    const { response_metadata, ...answer } = operate(call);
    const metadata = {
      ...(response_metadata as object | undefined),
      ...(varies('warns') ? { warnings: ['superfluous_charset'] } : {}),
    };
    const isBare = Object.keys(metadata).length === 0;
    const json = { ok: true, ...answer, ...(isBare ? {} : { response_metadata: metadata }) };
    return { status: 200, json: varies('empty-members-absent') ? withoutEmpty(json) : json };
  };
}

/** A value without the members of its objects that are empty lists or texts. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const isEmpty = (name: string, part: unknown): boolean =>
    (part === '' && name !== 'value') || (Array.isArray(part) && part.length === 0);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, part]) => !isEmpty(name, part))
      .map(([name, part]) => [name, withoutEmpty(part)]),
  );
}

/** One page of the records, with the cursor of the next. */
export function pageOf<T>(
  { service, given }: Call,
  records: readonly T[],
  keyOf: (record: T) => string,
  steps: { readonly from?: number; readonly isFixed?: boolean } = {},
): { readonly page: readonly T[]; readonly next_cursor: string } {
  const { has, varies, cursors } = service;
  const { cursor = '', limit = 50 } = given as { cursor?: string; limit?: number };
  const size = has('limit-ignored') || limit === 0 ? 50 : Math.min(limit, 200);
  const places = records.map((record) => placeOf(keyOf(record)));
  const known64 = varies('cursors-are-numbers') ? (cursors[Number(cursor)] ?? '') : cursor;
  const after = Buffer.from(known64, 'base64').toString('utf8');
  const [, at] = /^after:(.+)$/.exec(after) ?? [];
  const isFirst = cursor === '' || at === undefined;
  if (isFirst && cursor !== '' && !has('any-cursor-accepted'))
    return invalid(service, 'invalid_cursor', 'cursor', 'is of no page');
  let start = 0;
  if (!isFirst && steps.isFixed !== true) {
    const found = records.findIndex((record) => keyOf(record) === at);
    const isRising = (places[0] ?? 0) < (places.at(-1) ?? 0);
    const isPast = (place: number): boolean =>
      isRising ? place > placeOf(at) : place < placeOf(at);
    const next = found >= 0 ? found + 1 : places.findIndex(isPast);
    start = (next < 0 ? records.length : next) + (steps.from ?? 0);
  }
  const page = records.slice(start, start + size);
  const isLast = start + size >= records.length && !has('cursor-on-last-page');
  const [end] = page.slice(-1).map(keyOf);
  if (isLast || end === undefined) return { page, next_cursor: '' };
  const text64 = Buffer.from(`after:${end}`).toString('base64');
  if (!varies('cursors-are-numbers')) return { page, next_cursor: text64 };
  return { page, next_cursor: String(cursors.push(text64) - 1) };
}

/** A number for keys that are rising or falling in a list: places and times. */
const placeOf = (key: string): number => Number.parseFloat(key.replace('.', '')) || 0;

/** The metadata of a page. */
export function metadataOf({ varies }: Service, next_cursor: string): object {
  return next_cursor === '' && varies('metadata-absent')
    ? {}
    : { response_metadata: { next_cursor } };
}
