import { mediaType, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Service } from './store.ts';

export interface Fault {
  readonly field: string;
  readonly text: string;
}

/** A request with its session. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly login: string;
}

const german: Readonly<Record<number, string>> = {
  400: 'ungültig',
  401: 'nicht angemeldet',
  404: 'nicht gefunden',
  409: 'geht gerade nicht',
  415: 'falsche Form',
};

function refuse({ has, varies }: Service, status: number, faults: readonly Fault[]): never {
  let errors: readonly object[] = faults;
  if (varies('texts-in-german'))
    errors = faults.map(({ field }) => ({ field, text: german[status] ?? 'Fehler' }));
  if (varies('first-error-only')) errors = errors.slice(0, 1).map((one) => ({ ...one, code: 17 }));
  if (has('errors-without-field')) errors = faults.map(({ text }) => ({ text }));
  throw new Refused({ status, json: { result: 'error', errors } });
}

export const fail = (service: Service, status: number, text: string, field = ''): never =>
  refuse(service, status, [{ field, text }]);

export const ok = (members: object = {}): Answer => ({
  status: 200,
  json: { result: 'ok', ...members },
});

type Given = ReadonlyMap<string, string | readonly string[]>;

/** Fields of a form: the last one of a name counts, those whose names end in [] are lists. */
function parse(text: string, decode: (part: string) => string): Given {
  const given = new Map<string, string | string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=').map(decode);
    const value = rest.join('=');
    const [, list] = /^([^[]+)\[[^\]]*\]$/.exec(name) ?? [];
    if (list === undefined) given.set(name, value);
    else given.set(list, [...[given.get(list) ?? []].flat(), value]);
  }
  return given;
}

const unescape = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));

function unescapeAgain(part: string): string {
  try {
    return unescape(unescape(part));
  } catch {
    return unescape(part);
  }
}

/** Reads fields one by one, notes what is wrong with them, and refuses all at the end. */
export class Reader {
  readonly #given: Given;
  readonly #faults: Fault[] = [];
  readonly #service: Service;

  constructor(service: Service, given: Given) {
    this.#service = service;
    this.#given = given;
  }

  /** The form in the body; refuses other media types, and what is badly escaped. */
  static ofBody({ incoming, service }: Call): Reader {
    const { bytes } = incoming;
    if (bytes.length > 0 && mediaType(incoming) !== 'application/x-www-form-urlencoded')
      fail(service, 415, 'The body must be form encoded.');
    const { has } = service;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return new Reader(service, parse(text, has('decoded-twice') ? unescapeAgain : unescape));
    } catch {
      return fail(service, 400, 'The body is badly encoded.');
    }
  }

  static ofQuery({ incoming, service }: Call): Reader {
    return new Reader(service, new Map(incoming.query));
  }

  fault(field: string, text: string): undefined {
    this.#faults.push({ field, text });
  }

  /** Refuses with 400 if anything was wrong. */
  end(): void {
    if (this.#faults.length > 0) refuse(this.#service, 400, this.#faults);
  }

  has(name: string): boolean {
    return this.#given.has(name);
  }

  raw(name: string): string | undefined {
    const value = this.#given.get(name);
    if (typeof value !== 'object') return value;
    if (this.#service.has('list-as-text-500')) throw new TypeError('Array to string conversion');
    return this.fault(name, `${name} must be one value.`);
  }

  /** A text; one that is required is not left out and not empty. */
  text(name: string, max: number, isRequired = false, min = 1): string | undefined {
    const value = this.raw(name);
    const { has } = this.#service;
    if (value === undefined)
      return isRequired && !this.has(name) ? this.fault(name, `${name} is required.`) : undefined;
    const { length } = [...value];
    if (length < min || length > max)
      return this.fault(name, `${name} must have ${String(min)} to ${String(max)} characters.`);
    if (!has('html-escaped')) return value;
    return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  }

  number(name: string, min: number, max: number, isRequired = false): number | undefined {
    const value = this.raw(name);
    if (value === undefined)
      return isRequired && !this.has(name) ? this.fault(name, `${name} is required.`) : undefined;
    const isFine = /^(0|-?[1-9]\d*)$/.test(value);
    if (isFine && Number(value) >= min && Number(value) <= max) return Number(value);
    return this.fault(name, `${name} must be a number from ${String(min)} to ${String(max)}.`);
  }

  id(name: string, isRequired = false): number | undefined {
    return this.number(name, -Infinity, Infinity, isRequired);
  }

  flag(name: string): boolean | undefined {
    const value = this.oneOf(name, ['0', '1']);
    return value === undefined ? undefined : value === '1';
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const found = values.find((one) => one === value);
    return found ?? this.fault(name, `${name} must be ${values.join(' or ')}.`);
  }

  date(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const moment = Date.parse(`${value}T00:00:00Z`);
    const isDate = /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(moment);
    if (isDate && new Date(moment).toISOString().startsWith(value)) return value;
    return this.fault(name, `${name} must be a date.`);
  }

  /** Tags; an empty one stands for none. */
  tags(): string[] | undefined {
    const given = this.#given.get('tags');
    if (given === undefined) return undefined;
    const tags = [given].flat().filter((tag) => tag !== '');
    const isFine = tags.every((tag) => /^[a-z0-9-]{1,20}$/.test(tag));
    const isList = typeof given !== 'string' || given === '';
    if (isList && isFine && tags.length <= 5 && new Set(tags).size === tags.length)
      return this.#service.has('last-tag-only') ? tags.slice(-1) : tags;
    this.fault('tags[]', 'tags[] must be up to 5 different tags.');
    return undefined;
  }
}

/** The record of the id in the path; refuses with 404 without it. */
export function find<T>({ incoming, service }: Call, records: ReadonlyMap<number, T>): T {
  const given = incoming.params['id'] ?? '';
  const id = service.has('id-cast') ? /^\d*/.exec(given)?.[0] : given;
  const record = /^[1-9]\d*$/.test(id ?? '') ? records.get(Number(id)) : undefined;
  return record ?? fail(service, 404, 'There is no such record.');
}

/** A page of the records, in their order. */
export function pageOf<T>(
  call: Call,
  { name, records, show, all }: Listed<T>,
  reader = Reader.ofQuery(call),
): Answer {
  const { has } = call.service;
  const start = reader.number('start', 0, Infinity) ?? 0;
  const count = reader.number('count', 1, has('count-101-accepted') ? 101 : 100) ?? 20;
  reader.end();
  const from = has('start-ignored') ? 0 : has('start-counts-pages') ? start * count : start;
  const found = records();
  const items = found.slice(from, from + count).map(show);
  const total = has('total-unfiltered') && all !== undefined ? all : found.length;
  const totals = has('total-missing') && name === 'tickets' ? {} : { total: String(total) };
  return ok({ ...totals, start: reader.raw('start') ?? '0', count: String(count), [name]: items });
}

interface Listed<T> {
  readonly name: string;
  /** Called when the parameters are known to be right. */
  readonly records: () => readonly T[];
  readonly show: (record: T) => object;
  /** How many records there are without filters. */
  readonly all?: number;
}

/** By id, or in a variant by name. */
export function inOrder<T>(
  { service }: Call,
  records: readonly T[],
  nameOf: (one: T) => string,
): T[] {
  return service.varies('lists-by-name')
    ? records.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    : [...records];
}

export const writeTime = (time: number): string =>
  new Date(time).toISOString().slice(0, 19).replace('T', ' ');

export const writeFlag = (flag: boolean): string => (flag ? '1' : '0');
