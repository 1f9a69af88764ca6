import { isDateTime, type Rule } from '../serving/fields.ts';
import { compare, isWholeIn, originOf, sortBy, type Json } from '../serving/requests.ts';
import { readJson, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Campaign, List, Member, Service } from './store.ts';

/** A request with its account. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly account: string;
}

const titles: Readonly<Record<number, string>> = {
  ...{ 400: 'Bad Request', 401: 'API Key Invalid' },
  ...{ 404: 'Resource Not Found', 415: 'Unsupported Media Type' },
};

/** Thrown for a problem; the server adds `instance`. */
export function fail(status: number, detail: string, more: Json = {}): never {
  const [type, title] = ['https://postbird.example/errors', titles[status] ?? 'Error'];
  throw new Refused({ status, json: { type, title, status, detail, ...more } });
}

export const invalid = (field: string, message: string): never =>
  fail(400, `${field}: ${message}`, { title: 'Invalid Resource', errors: [{ field, message }] });

/** Refuses with 400 what the rule has a fault in. */
export function judge(value: unknown, rule: Rule): Json {
  const fault = rule(value, 'body')?.replace(/^body\.?/, '');
  return fault === undefined ? (value as Json) : invalid(fault.replace(/ .*/, ''), fault);
}

export function readBody({ incoming }: Call, rule: Rule): Json {
  let body: unknown;
  try {
    body = readJson(incoming);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fail(error.answer.status, 'The body must be JSON, and application/json.');
  }
  return judge(body, rule);
}

/** Reads parameters, and refuses with 400 what is not valid. */
export class Query {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  text(name: string): string | undefined {
    return this.#call.incoming.query.get(name) ?? undefined;
  }

  whole(name: string, [min, max]: readonly [number, number], standard: number): number {
    const value = this.text(name);
    if (value === undefined) return standard;
    return isWholeIn(min, max)(value) ? Number(value) : invalid(name, 'The number is not valid.');
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.text(name);
    const found = values.find((one) => one === value);
    if (value !== undefined && found === undefined) invalid(name, 'The value is not known.');
    return found;
  }

  flag(name: string): boolean | undefined {
    const value = this.oneOf(name, ['true', 'false']);
    return value === undefined ? undefined : value === 'true';
  }

  /** Whether a time is within `since_…` and `before_…`. */
  within(name: string): (time: number | null) => boolean {
    const { has } = this.#call.service;
    const [since, before] = [this.#time(`since_${name}`), this.#time(`before_${name}`)];
    const order = (time: number, limit: string): number =>
      has('times-compared-as-texts')
        ? compare(writeTime(time, this.#call), limit)
        : Math.sign(time - Date.parse(limit));
    const least = name === 'timestamp_opt' && has('since-opt-excludes-moment') ? 1 : 0;
    return (time) => {
      if (since === undefined && before === undefined) return true;
      if (time === null)
        return name === 'send_time' && since === undefined && has('before-send-finds-unsent');
      const isLate = since === undefined || order(time, since) >= least;
      return isLate && (before === undefined || order(time, before) < 0);
    };
  }

  #time(name: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && !isDateTime(value)) invalid(name, 'This is not a time.');
    return value;
  }
}

interface Listed<T> {
  /** The name of the list in the answer. */
  readonly name: string;
  readonly records: readonly T[];
  readonly show: (record: T) => Json;
  /** By the values of `sort_field`. */
  readonly orders?: Readonly<Record<string, (record: T) => number | null>>;
  readonly more?: Json;
}

/** A page of the records. */
export function pageOf<T>(
  call: Call,
  { name, records, show, orders = {}, more }: Listed<T>,
): Answer {
  const { has, varies } = call.service;
  const query = new Query(call);
  if (has('negative-offset-500') && Number(query.text('offset')) < 0)
    throw new RangeError('OFFSET must not be negative');
  const offset = query.whole('offset', [0, Infinity], 0);
  const count = query.whole('count', [1, has('count-1001-accepted') ? 1001 : 1000], 10);
  const isDown = query.oneOf('sort_dir', ['ASC', 'DESC']) === 'DESC' && !has('sort-dir-ignored');
  const field = query.oneOf('sort_field', Object.keys(orders));
  const valueOf = field === undefined ? undefined : orders[field];
  let sorted = varies('newest-first') ? records.toReversed() : records;
  if (valueOf !== undefined) {
    const isNull = { valueOf: (one: T) => Number(valueOf(one) === null), sign: 1 };
    sorted = sortBy(records, [isNull, { valueOf, sign: isDown ? -1 : 1 }]);
  }
  const start = has('offset-counts-pages') ? offset * count : offset;
  const items = sorted.slice(start, start + count).map(show);
  const total_items = has('total-of-page') ? items.length : records.length;
  const self = link(call, 'self', 'GET', call.incoming.path);
  return answer(call, { ...more, [name]: items, total_items, _links: [self] }, true);
}

/** An answer of which `fields` and `exclude_fields` choose parts, if the request is a GET. */
export function answer(call: Call, json: Json, isPage = false): Answer {
  const { has } = call.service;
  const query = new Query(call);
  const [wanted, unwanted] = [query.text('fields'), query.text('exclude_fields')];
  const isRead = ['GET', 'HEAD'].includes(call.incoming.method);
  if (!isRead || (wanted === undefined && unwanted === undefined)) return { status: 200, json };
  if (wanted !== undefined && unwanted !== undefined)
    invalid('exclude_fields', 'There must not be fields as well.');
  const paths = (wanted ?? unwanted ?? '').split(',').map((path) => path.trim().split('.'));
  if (wanted === undefined) {
    const known = has('exclude-dotted-ignored') ? paths.filter(({ length }) => length < 2) : paths;
    return { status: 200, json: choose(json, known, false) };
  }
  const cut = has('fields-parent-whole') ? (isPage ? 2 : 1) : Infinity;
  const names = paths.map((path) => path.slice(0, cut));
  return { status: 200, json: choose(json, names, true) };
}

/** The value with nothing but these paths, or with all but them. */
function choose(value: unknown, paths: readonly string[][], isWanted: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => choose(each, paths, isWanted));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const own = paths.filter(([head]) => head === name).map(([, ...rest]) => rest);
      const isWhole = own.some(({ length }) => length === 0);
      const isLeaf = typeof part !== 'object' || part === null;
      if (own.length === 0 || isWhole || isLeaf) return isWhole === isWanted ? [[name, part]] : [];
      return [[name, choose(part, own, isWanted)]];
    }),
  );
}

export const link = ({ incoming }: Call, rel: string, method: string, path: string): Json => ({
  rel,
  href: `${originOf(incoming.headers)}${path}`,
  method,
});

export function writeTime(time: number, { service }: Call): string {
  const [shift, zone] = service.varies('times-of-oslo') ? [7_200_000, '+02:00'] : [0, '+00:00'];
  return new Date(time + shift).toISOString().slice(0, 19) + zone;
}

export const writeTimeOrNull = (time: number | null, call: Call): string | null =>
  time === null ? null : writeTime(time, call);

const none = (): never => fail(404, 'The requested resource could not be found.');

/** The list of the path; refuses with 404 what is not of the account. */
export function findList(call: Call, isOfAll = false): List {
  const list = call.service.lists.get(call.incoming.params['list_id'] ?? '');
  return list !== undefined && (isOfAll || list.account === call.account) ? list : none();
}

export function findMember(call: Call): Member {
  const { has } = call.service;
  const list = findList(call);
  const hash = call.incoming.params['subscriber_hash'] ?? '';
  const former = has('old-hash-answers') ? list.former.get(hash) : undefined;
  return list.members.get(hash) ?? former ?? none();
}

export function findCampaign(call: Call, isOfAll = false): Campaign {
  const campaign = call.service.campaigns.get(call.incoming.params['campaign_id'] ?? '');
  const isFound = campaign !== undefined && (isOfAll || campaign.account === call.account);
  return isFound ? campaign : none();
}

/** The record of the number in the path. */
export function findNumbered<T>(call: Call, name: string, records: ReadonlyMap<number, T>): T {
  const text = call.incoming.params[name] ?? '';
  return (/^[1-9]\d*$/.test(text) ? records.get(Number(text)) : undefined) ?? none();
}
