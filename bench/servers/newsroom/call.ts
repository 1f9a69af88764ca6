import { parseExactly } from '../exact-json.ts';
import type { Rule } from '../serving/fields.ts';
import {
  hasKey,
  namesIn,
  originOf,
  pointerOf,
  readQuery,
  type Json,
  type QueryRule,
} from '../serving/requests.ts';
import type { Answer, Handler, ServiceRequest } from '../serving/serve.ts';
import { fail, find, key, media, type Resource, type Service, type Type } from './store.ts';

/** A request whose key, media types, parameters and body are valid. */
export interface Call {
  readonly service: Service;
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  /** The path and its parameters. */
  readonly url: string;
  /** What stands before the paths of links. */
  readonly origin: string;
  /** The member `data` of the body. */
  readonly data: unknown;
}

/** What a request to an operation has. */
export interface Form {
  readonly query?: Readonly<Record<string, QueryRule>>;
  readonly body?: Rule;
  /** The type of the resource in the body. */
  readonly type?: Type;
}

/** Whether a media type is that of JSON:API without other parameters than profile. */
function isPlain(type: string): boolean {
  const [name, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  return name === media && parameters.every((one) => /^(q|profile)=/.test(one));
}

function checkMedia(service: Service, { headers, bytes }: ServiceRequest, form: Form): void {
  const { has } = service;
  const accepted = (headers.accept ?? '').split(',').filter((one) => one.includes(media));
  if (accepted.length > 0 && !accepted.some(isPlain) && !has('accept-not-checked'))
    fail(service, 406, 'The media type has no such parameters.', { header: 'Accept' });
  if (form.body === undefined) return;
  const type = headers['content-type'] ?? '';
  const isLoose =
    (has('any-media-type-accepted') && type.includes('json')) ||
    (has('media-parameters-accepted') && type.startsWith(media));
  if (bytes.length > 0 && !isPlain(type) && !isLoose)
    fail(service, 415, `The body must be ${media}.`, { header: 'Content-Type' });
}

function readBody(service: Service, { bytes }: ServiceRequest, { body, type }: Form): unknown {
  const { has } = service;
  if (body === undefined) return undefined;
  let read: unknown;
  try {
    read = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return fail(service, 400, 'The body is not valid JSON.');
  }
  const data = (read as Json | null)?.['data'];
  const sent = (data as Json | null | undefined)?.['type'];
  const isOther = type !== undefined && typeof sent === 'string' && sent !== type;
  if (isOther && !has('wrong-type-accepted'))
    fail(service, has('wrong-type-is-422') ? 422 : 409, `The type is not ${type}.`, {
      pointer: '/data/type',
    });
  const fault = body(read, 'body');
  if (fault !== undefined) fail(service, 422, fault, { pointer: pointerOf(fault) });
  return data;
}

function queryOf(service: Service, { query }: ServiceRequest, form: Form) {
  const { has } = service;
  return readQuery(query, form.query ?? {}, (name, isKnown) => {
    const value = query.get(name) ?? '';
    const isLoose =
      (has('unknown-include-accepted') && name === 'include') ||
      (has('unknown-field-accepted') && name.startsWith('fields[')) ||
      (has('unknown-sort-accepted') && name === 'sort') ||
      (has('unknown-filter-accepted') && name.startsWith('filter[') && !isKnown) ||
      (has('page-zero-accepted') && name === 'page[number]' && value === '0') ||
      (has('large-size-lowered') && name === 'page[size]' && Number(value) > 50);
    if (!isLoose) fail(service, 400, `${name} is invalid.`, { parameter: name });
  });
}

/** A handler of one operation. */
export function operation(
  service: Service,
  operate: (call: Call) => Answer,
  form: Form = {},
): Handler {
  const { has, varies } = service;
  return (incoming) => {
    if (!hasKey(incoming.headers, key) && !has('no-key-needed'))
      fail(service, 401, 'A key is required.', { header: 'Authorization' });
    checkMedia(service, incoming, form);
    const { json, headers, ...answer } = operate({
      service,
      id: incoming.params['id'] ?? '',
      query: queryOf(service, incoming, form),
      url: `${incoming.path}?${incoming.query.toString()}`.replace(/\?$/, ''),
      origin: varies('links-absolute') ? originOf(incoming.headers) : '',
      data: readBody(service, incoming, form),
    });
    if (json === undefined) return answer;
    const type = has('plain-json') ? 'application/json' : media;
    return {
      ...answer,
      headers: { 'Content-Type': type, ...headers },
      json: { jsonapi: { version: '1.1' }, ...(json as Json) },
    };
  };
}

const fieldsOf = ({ query }: Call, type: Type): readonly string[] | undefined => {
  const given = query[`fields[${type}]`];
  return given === undefined ? undefined : namesIn(given);
};

const singular: Readonly<Record<string, Type>> = {
  article: 'articles',
  author: 'people',
  editor: 'people',
  tags: 'tags',
  comments: 'comments',
};

export const typeOf = (relationship: string): Type => singular[relationship] ?? 'articles';

export function linkage(relationship: string, to: string | null | readonly string[]): unknown {
  const type = typeOf(relationship);
  if (to === null) return null;
  return typeof to === 'string' ? { type, id: to } : to.map((id) => ({ type, id }));
}

export const linkOf = ({ type, id }: Resource, { origin }: Call): string =>
  `${origin}/${type}/${id}`;

/** A resource object; `comments` are linked by data where they are given. */
export function show(
  call: Call,
  resource: Resource,
  { comments, isIncluded = false }: { comments?: readonly string[]; isIncluded?: boolean } = {},
): Json {
  const { has, varies } = call.service;
  const { type, id, attributes, to } = resource;
  const isFree = has('fields-ignored') || (isIncluded && has('fields-of-included-ignored'));
  const fields = isFree ? undefined : fieldsOf(call, type);
  const hasLinks = !varies('resources-unlinked');
  const self = linkOf(resource, call);
  const shown = (name: string): boolean => fields?.includes(name) !== false;
  const isRelated = (name: string): boolean =>
    fields === undefined ||
    has('fields-keep-relationships') ||
    (shown(name) && !has('fields-drop-relationships'));
  const linksOf = (name: string): Json => ({
    ...(name === 'tags' || name === 'editor' ? { self: `${self}/relationships/${name}` } : {}),
    ...(name === 'comments' || name === 'editor' ? { related: `${self}/${name}` } : {}),
  });
  const related = Object.entries(comments === undefined ? to : { ...to, comments })
    .filter(([name]) => isRelated(name))
    .map(([name, ids]) => {
      const links = type === 'articles' && hasLinks ? linksOf(name) : {};
      const data = linkage(name, ids);
      return [name, Object.keys(links).length > 0 ? { links, data } : { data }] as const;
    });
  const isUnlinked = type === 'articles' && comments === undefined && isRelated('comments');
  const bare = isUnlinked && hasLinks ? { comments: { links: linksOf('comments') } } : {};
  const relationships = { ...Object.fromEntries(related), ...bare };
  return {
    type,
    id,
    attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => shown(name))),
    ...(Object.keys(relationships).length > 0 ? { relationships } : {}),
    ...(hasLinks && (type === 'articles' || type === 'comments') ? { links: { self } } : {}),
  };
}

/** The page of the resources that the query asks for, with its links. */
export function pageOf<T>(call: Call, found: readonly T[]): { page: readonly T[]; rest: Json } {
  const { service, query, url, origin } = call;
  const { has, varies } = service;
  const number = Math.max(1, Number(query['page[number]'] ?? 1));
  const size = has('size-ignored') ? 10 : Math.min(50, Number(query['page[size]'] ?? 10));
  const pages = Math.max(1, Math.ceil(found.length / size));
  const shift = number === 1 ? 0 : has('pages-overlap') ? -1 : has('pages-skip') ? 1 : 0;
  const start = has('page-ignored') ? 0 : (number - 1) * size + shift;
  const page = found.slice(start, start + size);
  const [path = '', text] = url.split('?');
  const to = (place: number, forgets = false): string => {
    const asked = new URLSearchParams(text);
    asked.set('page[number]', String(place));
    asked.set('page[size]', String(size));
    const kept = [...asked].filter(([name]) => !(forgets && name.startsWith('filter[')));
    return `${origin}${path}?${new URLSearchParams(kept).toString()}`;
  };
  const absent = varies('page-links-absent') ? {} : { prev: null, next: null };
  const hasNext = number < pages || (has('next-on-last-page') && number === pages);
  const links = {
    self: origin + url,
    first: to(1),
    last: to(has('last-is-first') ? 1 : pages),
    ...absent,
    ...(number > 1 ? { prev: to(Math.min(number - 1, pages)) } : {}),
    ...(hasNext ? { next: to(number + 1, has('next-forgets-filter')) } : {}),
  };
  return { page, rest: { links, meta: { total: found.length } } };
}

/** The resource at the path; refuses with 404. */
export function findAt({ service, id }: Call, type: Type): Resource {
  const found = find(service, type, id);
  return found ?? fail(service, 404, `There is no such resource in ${type}.`);
}
