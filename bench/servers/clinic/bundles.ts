import { compare, isWholeIn, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { baseOf, bundle, fail, show, type Call } from './call.ts';
import { elementsOf, mandatory } from './rules.ts';
import type { Parameters } from './search.ts';
import {
  allOf,
  findOne,
  type Contents,
  type Current,
  type Entry,
  type Kind,
  type Practice,
} from './store.ts';

/** How resources of a kind are searched. */
export interface Search<K extends Kind> {
  readonly kind: K;
  readonly parameters: Parameters<Contents[K]>;
  /** What `_sort` may name besides `_lastUpdated`. */
  readonly sorts: Readonly<Record<string, (record: Current<Contents[K]>) => string | number>>;
  readonly standard: string;
  readonly includes?: Readonly<Record<string, Include<K>>>;
}

interface Include<K extends Kind> {
  readonly kind: Kind;
  idsOf(content: Contents[K]): readonly string[];
}

const resultNames = ['_sort', '_include', '_elements', '_summary', '_count', '_cursor'];

/** The resources that meet all parameters of a query; refuses parameters that are not valid. */
export function matchesOf<K extends Kind>(
  call: Call,
  { kind, parameters }: Search<K>,
  query: URLSearchParams,
): Current<Contents[K]>[] {
  const { has } = call.service;
  let found = candidates(call, kind);
  const last = new Map(query);
  for (const [name, value] of query) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) {
      if (resultNames.includes(name) || has('unknown-parameter-ignored')) continue;
      return fail(call.service, 'value', `There is no parameter ${name}.`);
    }
    const all = value.split(',');
    if (!all.every((each) => parameter.isValid(each)))
      fail(call.service, 'value', `The value of ${name} is not valid.`);
    if (has('repeated-date-last-counts') && last.get(name) !== value) continue;
    const given = name === 'status' && has('status-first-of-list') ? all.slice(0, 1) : all;
    found = found.filter((record) =>
      given.some((each) => parameter.matches(record, each, call.service)),
    );
  }
  if (kind !== 'Patient' || !has('inactive-hidden') || query.has('active')) return found;
  return found.filter(({ content }) => 'active' in content && content.active);
}

function candidates<K extends Kind>(call: Call, kind: K): Current<Contents[K]>[] {
  const { practice, service } = call;
  if (kind === 'Slot' && service.has('search-across-practices'))
    return [...allOf(service.linden, kind), ...allOf(service.hafen, kind)];
  const there = allOf(practice, kind);
  if (kind !== 'Patient' || !service.has('deleted-still-found')) return there;
  return [...there, ...deletedOf(practice, kind)];
}

/** The deleted resources, as they were before. */
function deletedOf<K extends Kind>(practice: Practice, kind: K): Current<Contents[K]>[] {
  const table: Map<string, Entry<Contents[K]>> = practice[kind];
  return [...table.values()].flatMap(({ id, versions }) => {
    const [former, last] = versions.slice(-2);
    if (former?.content === undefined || last === undefined || last.content !== undefined)
      return [];
    return [{ id, number: last.number, at: last.at, created: former.at, content: former.content }];
  });
}

/** The one value of a parameter of the result. */
function single(call: Call, name: string, isValid: (value: string) => boolean): string | undefined {
  const [value, ...more] = call.incoming.query.getAll(name);
  if (more.length > 0 || (value !== undefined && !isValid(value)))
    fail(call.service, 'value', `The value of ${name} is not valid.`);
  return value;
}

function sorted<K extends Kind>(
  call: Call,
  search: Search<K>,
  records: readonly Current<Contents[K]>[],
): Current<Contents[K]>[] {
  const { has } = call.service;
  const keys: Search<K>['sorts'] = { ...search.sorts, _lastUpdated: ({ at }) => at };
  const isKnown = (key: string): boolean => Object.hasOwn(keys, key.replace(/^-/, ''));
  const isValid = (value: string): boolean => value.split(',').every(isKnown);
  const all = (single(call, '_sort', isValid) ?? search.standard).split(',');
  const given = has('second-key-ignored') ? all.slice(0, 1) : all;
  return records.toSorted((a, b) => {
    for (const key of given) {
      const valueOf = keys[key.replace(/^-/, '')];
      const order = valueOf === undefined ? 0 : compare(valueOf(a), valueOf(b));
      if (order !== 0) return key.startsWith('-') && !isUpward(call, key) ? -order : order;
    }
    return b.at - a.at;
  });
}

/** Whether a minus is not looked at; those of the standard orders always are. */
const isUpward = ({ incoming, service }: Call, key: string): boolean =>
  service.has('descending-ignored') && (incoming.query.get('_sort') ?? '').includes(key);

const cursorOf = (offset: number): string =>
  Buffer.from(`o${String(offset)}`).toString('base64url');

const offsetIn = (cursor: string): number => {
  const [, digits] = /^o(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return Number(digits ?? Number.NaN);
};

/** Answers a search with one page of its matches. */
export function searches<K extends Kind>(search: Search<K>): (call: Call) => Answer {
  return (call) => {
    const { incoming, service } = call;
    const { has } = service;
    const matches = sorted(call, search, matchesOf(call, search, incoming.query));
    const count = Number(single(call, '_count', isWholeIn(1, 100)) ?? 20);
    const cursor = single(call, '_cursor', (value) => !Number.isNaN(offsetIn(value)));
    const isCount = single(call, '_summary', (value) => value === 'count') !== undefined;
    const cut = elementsIn(call, search.kind);
    const included = includesIn(call, search);
    const offset = cursor === undefined ? 0 : offsetIn(cursor);
    const start = has('page-repeats-last') ? Math.max(0, offset - 1) : offset;
    const page = matches.slice(start, start + count);
    const others = included(page);
    const links = linksOf(call, { offset: start, count, length: matches.length });
    const total = totalOf(call, [matches.length, page.length, others.length]);
    const common = { type: 'searchset', total, link: links };
    if (isCount) return bundle({ ...common, link: links.slice(0, 1) });
    const entry = [
      ...page.map((record) => entryOf(call, 'match', cut(search.kind, record))),
      ...others.map(([kind, record]) => entryOf(call, 'include', cut(kind, record))),
    ];
    return bundle({ ...common, entry });
  };
}

function totalOf({ service }: Call, [all, page, others]: readonly [number, number, number]) {
  if (service.has('total-of-page')) return page;
  return service.has('includes-in-total') ? all + others : all;
}

const entryOf = (call: Call, mode: string, resource: Json): Json => ({
  fullUrl: `${baseOf(call)}/${String(resource['resourceType'])}/${String(resource['id'])}`,
  resource,
  search: { mode },
});

interface Place {
  readonly offset: number;
  readonly count: number;
  readonly length: number;
}

function linksOf({ incoming, service }: Call, { offset, count, length }: Place): object[] {
  const { has, varies } = service;
  const base = `http://${incoming.headers.host ?? 'localhost'}${incoming.path}`;
  const link = (relation: string, query: URLSearchParams): object => ({
    relation,
    url: query.size === 0 ? base : `${base}?${query.toString()}`,
  });
  const at = (relation: string, place: number): object => {
    const query = has('next-drops-filters')
      ? new URLSearchParams({ _count: String(count) })
      : new URLSearchParams(incoming.query);
    query.set('_cursor', cursorOf(place));
    return link(relation, query);
  };
  const end = offset + count;
  const isMore = end < length || (has('next-on-last-page') && end === length);
  const isMany = varies('more-links');
  return [
    link('self', incoming.query),
    ...(isMore ? [at('next', end)] : []),
    ...(isMany ? [at('first', 0)] : []),
    ...(isMany && offset > 0 ? [at('previous', Math.max(0, offset - count))] : []),
  ];
}

const subsetted = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
};

/** Shows a resource with the elements that the query names. */
function elementsIn(call: Call, kind: Kind) {
  const isValid = (value: string): boolean =>
    value.split(',').every((name) => elementsOf(kind).includes(name));
  const names = single(call, '_elements', isValid)?.split(',');
  return (of: Kind, record: Current<Contents[Kind]>): Json => {
    const shown = show(call, of, record);
    if (names === undefined) return shown;
    const always = call.service.has('elements-drop-mandatory') ? [] : mandatory(of);
    const kept = new Set(['resourceType', 'id', 'meta', ...always, ...names]);
    const some = Object.fromEntries(Object.entries(shown).filter(([name]) => kept.has(name)));
    const meta = shown['meta'] as Json;
    return { ...some, meta: { ...meta, tag: [subsetted] } };
  };
}

type Included = readonly [Kind, Current<Contents[Kind]>];

/** The resources that those of a page refer to, as the query tells. */
function includesIn<K extends Kind>(call: Call, { includes = {} }: Search<K>) {
  const { practice, service, incoming } = call;
  const given = [...new Set(incoming.query.getAll('_include'))];
  if (!given.every((name) => Object.hasOwn(includes, name)))
    fail(service, 'value', 'The value of _include is not valid.');
  return (page: readonly Current<Contents[K]>[]): readonly Included[] => {
    const found = given.flatMap((name) => {
      const include = includes[name];
      if (include === undefined) return [];
      const { kind, idsOf } = include;
      return page.flatMap(({ content }) => idsOf(content).map((id) => [kind, id] as const));
    });
    const seen = new Set<string>();
    return found.flatMap(([kind, id]) => {
      const record = findOne<Kind>(practice, kind, id);
      const isSeen = seen.has(`${kind}/${id}`) && !service.has('include-repeats');
      seen.add(`${kind}/${id}`);
      return record === undefined || isSeen ? [] : [[kind, record] as const];
    });
  };
}
