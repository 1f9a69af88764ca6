import { createHash } from 'node:crypto';
import { isDateTime } from '../serving/fields.ts';
import { mediaType, readJson, refuse, type Answer, type ServiceRequest } from '../serving/serve.ts';
import { keys, type Service } from './office.ts';

/** A request whose key was accepted. */
export interface Admitted {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly user: string;
  /** Where links start: empty, or the origin of the service. */
  readonly base: string;
}

/** The user of the key; refuses with 401 without a known one. */
export function admit(incoming: ServiceRequest, service: Service): Admitted {
  const { has, varies } = service;
  const key = String(incoming.headers['x-api-key'] ?? '');
  const user = Object.entries(keys).find(
    ([, one]) => one === key || (has('key-prefix-accepted') && key !== '' && one.startsWith(key)),
  )?.[0];
  const isOpen =
    has('no-key-needed') ||
    (key !== '' && has('any-key-accepted')) ||
    (incoming.path.endsWith('/calendar') && has('calendar-without-key'));
  if (user === undefined && !isOpen) return refuse(401, 'A known key is required.');
  const base = varies('absolute-links') ? `http://${incoming.headers.host ?? 'localhost'}` : '';
  return { incoming, service, user: user ?? 'ines', base };
}

/** The body as JSON, with what goes wrong in reading it. */
export function bodyOf(
  { incoming, service: { has } }: Admitted,
  types?: readonly string[],
): unknown {
  if (incoming.bytes.length === 0 && has('empty-body-500'))
    throw new TypeError("Cannot destructure property 'roomId' of undefined");
  const plain = has('media-type-ignored') && mediaType(incoming) === 'application/json';
  const body = readJson(incoming, plain ? ['application/json'] : types);
  if (body === null && has('null-body-500'))
    throw new TypeError("Cannot read properties of null (reading 'name')");
  return body;
}

/** Refuses with 422 if there is a fault. */
export function insist(fault: string | undefined): void {
  if (fault !== undefined) refuse(422, fault);
}

/** The ETag of a record as it is shown; it changes with all that is shown. */
export function etagOf(view: object, { has, varies }: Service): string {
  if (has('etag-constant')) return '"1"';
  const hash = createHash('sha256').update(JSON.stringify(view)).digest('hex');
  return `"${hash.slice(0, varies('etags-are-long') ? 64 : 12)}"`;
}

const tags = (header: string | undefined): string[] =>
  (header ?? '').split(',').map((tag) => tag.trim());

/** Refuses with 412 if the view has another ETag than If-Match says. */
export function requireMatch({ incoming, service }: Admitted, view: object | undefined): void {
  const header = incoming.headers['if-match'];
  if (header === undefined) return;
  const given = tags(header);
  const fits = view !== undefined && (given.includes('*') || given.includes(etagOf(view, service)));
  if (!fits) refuse(412, 'The record has another ETag.');
}

export function respond({ service }: Admitted, view: object, status = 200): Answer {
  return { status, headers: { ETag: etagOf(view, service) }, json: view };
}

/** A read: 304 if the client has this version. */
export function respondUnlessKnown(admitted: Admitted, view: object): Answer {
  const { incoming, service } = admitted;
  const answer = respond(admitted, view);
  const given = tags(incoming.headers['if-none-match']).map((tag) => tag.replace(/^W\//, ''));
  const isKnown = given.includes('*') || given.includes(etagOf(view, service));
  if (!isKnown || service.has('if-none-match-ignored')) return answer;
  return { status: 304, headers: answer.headers ?? {} };
}

/** The value of a parameter that is given at most once and passes the test. */
export function parameter(
  { query }: ServiceRequest,
  name: string,
  passes: (value: string) => boolean = () => true,
): string | undefined {
  const [value, ...more] = query.getAll(name);
  if (more.length > 0) return refuse(400, `${name} is given more than once.`);
  return value === undefined || passes(value) ? value : refuse(400, `${name} is invalid.`);
}

export function wholeParameter(
  incoming: ServiceRequest,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const value = parameter(
    incoming,
    name,
    (text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max,
  );
  return value === undefined ? undefined : Number(value);
}

export function momentParameter(incoming: ServiceRequest, name: string): string | undefined {
  return parameter(incoming, name, isDateTime);
}

export function includesDeleted(incoming: ServiceRequest): boolean {
  return parameter(incoming, 'includeDeleted', (text) => /^(true|false)$/.test(text)) === 'true';
}

/** One page of the records, with its links. */
export function pageOf<T>(
  { incoming, service, base }: Admitted,
  records: readonly T[],
  show: (record: T) => object,
): Answer {
  const { has, varies } = service;
  const page = wholeParameter(incoming, 'page', {
    min: has('page-zero-accepted') ? 0 : 1,
    max: 1e6,
  });
  const given = wholeParameter(incoming, 'pageSize', {
    min: 1,
    max: has('page-size-lowered') ? 1e6 : 50,
  });
  if (has('huge-page-500') && (page ?? 1) > 10_000) throw new RangeError('bigint out of range');
  const pageSize = has('page-size-ignored') ? 20 : Math.min(given ?? 20, 50);
  const lastPage = Math.max(1, Math.ceil(records.length / pageSize));
  let at = Math.max(1, page ?? 1);
  if (has('beyond-last-repeats')) at = Math.min(at, lastPage);
  const from = has('page-ignored') ? 0 : (at - 1) * pageSize;
  const start = from > 0 && has('pages-overlap') ? from - 1 : from;
  const items = records.slice(start, start + pageSize).map(show);
  const total = has('total-of-page') ? items.length : records.length;
  const link = (number: number, rel: string): string => {
    const query = new URLSearchParams(has('link-forgets-filter') ? [] : incoming.query);
    query.set('page', String(number));
    query.set('pageSize', String(pageSize));
    const extra = varies('more-links') ? '; title="a page"' : '';
    return `<${base}${incoming.path}?${query.toString()}>${extra}; rel="${rel}"`;
  };
  const links = [
    ...(at < lastPage || has('link-next-on-last') ? [link(at + 1, 'next')] : []),
    ...(at > 1 ? [link(Math.min(at - 1, lastPage), 'prev')] : []),
    ...(varies('more-links') ? [link(1, 'first'), link(lastPage, 'last')] : []),
  ];
  return {
    status: 200,
    headers: links.length === 0 || has('link-missing') ? {} : { Link: links.join(', ') },
    json: { items, page: Math.max(1, page ?? 1), pageSize, total },
  };
}
