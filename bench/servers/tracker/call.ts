import { parseExactly } from '../exact-json.ts';
import { fields, isDateTime, type Rule } from '../serving/fields.ts';
import { originOf, type Json } from '../serving/requests.ts';
import { mediaType, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Issue, Project, Service, User } from './store.ts';

/** A request of a user. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly user: User;
}

/** A request about a project that the user is a member of. */
export interface InProject extends Call {
  readonly project: Project;
  readonly level: number;
}

/** A request about an issue that the user can see. */
export interface OnIssue extends InProject {
  readonly issue: Issue;
}

const refuse = ({ varies }: Service, status: number, json: object): never => {
  throw new Refused({ status, json: varies('errors-in-other-words') ? { ...json, status } : json });
};

/** Refuses with a message. */
export function fail(service: Service, status: number, text: string): never {
  const message = service.varies('errors-in-other-words') ? `No: ${String(status)}.` : text;
  return refuse(service, status, { message });
}

export const missing = (service: Service, what: string): never =>
  fail(service, 404, `404 ${what}Not Found`);

/** Refuses with 400 for a parameter that is missing or has the wrong form. */
export function bad(service: Service, text: string): never {
  const error = service.varies('errors-in-other-words') ? 'a parameter is wrong' : text;
  return refuse(service, 400, { error });
}

/** Refuses with 400 for a value that does not fit the records. */
export function unfit(service: Service, field: string, text: string): never {
  if (service.varies('errors-in-other-words')) return refuse(service, 400, { message: 'Wrong' });
  return refuse(service, 400, { message: { [field]: [text] } });
}

/** Refuses with 403 below a level. */
export function need({ service, level }: InProject, least: number): void {
  if (level < least) fail(service, 403, '403 Forbidden');
}

/** The fields of the body. */
export function readBody(
  { incoming, service }: Call,
  rules: Readonly<Record<string, Rule>>,
  required: readonly string[] = [],
): Json {
  const { bytes } = incoming;
  if (bytes.length > 0 && mediaType(incoming) !== 'application/json') {
    const type = incoming.headers['content-type'] ?? '';
    refuse(service, 415, { error: `The provided content-type '${type}' is not supported.` });
  }
  let body: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    body = parseExactly(bytes.length === 0 ? '{}' : text);
  } catch {
    return bad(service, 'message body does not match declared format');
  }
  const fault = fields(rules, required)(body, 'body');
  if (fault !== undefined) bad(service, fault.replace(/^body\.?/, ''));
  return body as Json;
}

/** A number in the path; refuses with 400 what is none. */
export function numberIn({ incoming, service }: Call, name: string): number {
  const text = incoming.params[name] ?? '';
  return /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : bad(service, `${name} is invalid`);
}

/** Reads the parameters of a query; refuses with 400 at the first one that is wrong. */
export class Query {
  readonly #service: Service;
  readonly #query: URLSearchParams;

  constructor({ incoming, service }: Call) {
    this.#service = service;
    this.#query = incoming.query;
  }

  #bad(name: string): never {
    return bad(this.#service, `${name} does not have a valid value`);
  }

  text(name: string, min = 0): string | undefined {
    const value = this.#query.getAll(name).at(-1);
    return value !== undefined && value.length < min ? this.#bad(name) : value;
  }

  /** Texts with commas between them. */
  texts(name: string): string[] | undefined {
    const texts = this.text(name)?.split(',');
    return texts?.includes('') === true ? this.#bad(name) : texts;
  }

  #whole(name: string, text: string, max: number): number {
    const isFine = /^[1-9]\d*$/.test(text) && Number(text) <= max;
    return isFine ? Number(text) : this.#bad(name);
  }

  number(name: string, max = 2_147_483_647): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#whole(name, text, max);
  }

  /** The numbers of a parameter that may be repeated. */
  numbers(name: string): number[] {
    return this.#query.getAll(name).map((text) => this.#whole(name, text, 2_147_483_647));
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return values.find((value) => value === text) ?? this.#bad(name);
  }

  flag(name: string): boolean | undefined {
    const text = this.oneOf(name, ['true', 'false']);
    return text === undefined ? undefined : text === 'true';
  }

  moment(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return isDateTime(text) ? Date.parse(text) : this.#bad(name);
  }
}

/** A page of the records, with the headers that lead to the others. */
export function pageOf<T>(
  call: Call,
  records: readonly T[],
  show: (record: T) => object,
  { hidden = 0, query = new Query(call) } = {},
): Answer {
  const { incoming, service } = call;
  const { has } = service;
  const page = query.number('page') ?? 1;
  const perPage = query.number('per_page', 100) ?? 20;
  const from = (page - 1) * perPage - (page > 1 && has('second-page-repeats-one') ? 1 : 0);
  const items = records.slice(from, from + perPage);
  const pages = Math.max(1, Math.ceil(records.length / perPage));
  const total = has('total-of-page') ? items.length : records.length + hidden;
  const next = page < pages ? page + 1 : undefined;
  const address = (at: number): string => {
    const params = new URLSearchParams(has('link-loses-filters') ? [] : incoming.query);
    params.set('page', String(at));
    params.set('per_page', String(perPage));
    return `<${originOf(incoming.headers)}${incoming.path}?${params.toString()}>`;
  };
  const links = { prev: page > 1 ? page - 1 : undefined, next, first: 1, last: pages };
  return {
    status: 200,
    json: items.map(show),
    headers: {
      'X-Total': String(total),
      'X-Total-Pages': String(pages),
      'X-Page': String(page),
      'X-Per-Page': String(perPage),
      'X-Next-Page': String(next ?? (has('next-page-on-last') ? page + 1 : '')),
      'X-Prev-Page': String(links.prev ?? ''),
      Link: Object.entries(links)
        .flatMap(([rel, at]) => (at === undefined ? [] : [`${address(at)}; rel="${rel}"`]))
        .join(', '),
    },
  };
}

/** Records whose order the document leaves open. */
export const anyOrder = <T>({ varies }: Service, records: Iterable<T>): T[] =>
  varies('unordered-reversed') ? [...records].toReversed() : [...records];

export const writeTime = (time: number): string => new Date(time).toISOString();
