import { parseExactly } from '../exact-json.ts';
import type { Rule } from '../serving/fields.ts';
import { originOf, type Json } from '../serving/requests.ts';
import { mediaType, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import {
  addVersion,
  currentOf,
  type Contents,
  type Current,
  type Entry,
  type Kind,
  type Method,
  type Practice,
  type Service,
} from './store.ts';

/** A request with a known token, and the practice that it is for. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly practice: Practice;
}

const fhirJson = 'application/fhir+json';
const headersOf = (more: Readonly<Record<string, string>> = {}) => ({
  'Content-Type': fhirJson,
  ...more,
});

/** Status, code and the German text of each kind of errors. */
const kinds = {
  token: [401, 'login', 'Der Zugang fehlt oder ist ungültig.'],
  missing: [404, 'not-found', 'Die Ressource gibt es nicht.'],
  gone: [410, 'deleted', 'Die Ressource ist gelöscht.'],
  structure: [400, 'structure', 'Die Anfrage ist fehlerhaft.'],
  value: [400, 'value', 'Ein Wert ist ungültig.'],
  type: [415, 'not-supported', 'Dieser Medientyp wird nicht angenommen.'],
  version: [412, 'conflict', 'Die Ressource hat eine andere Version.'],
  several: [412, 'multiple-matches', 'Es gibt mehrere Treffer.'],
  taken: [409, 'duplicate', 'Der Wert ist vergeben.'],
  conflict: [409, 'conflict', 'Andere Ressourcen verhindern das.'],
  rule: [422, 'business-rule', 'Eine Regel der Praxis verhindert das.'],
} as const;

export function fail(
  { has, varies }: Service,
  kind: keyof typeof kinds,
  diagnostics: string,
  expression?: string,
): never {
  const [status, code, german] = kinds[kind];
  const isGerman = varies('texts-in-german');
  const issue = {
    severity: 'error',
    ...(has('outcome-without-code') ? {} : { code }),
    ...(isGerman ? { details: { text: german } } : {}),
    diagnostics: isGerman ? german : diagnostics,
    ...(expression === undefined ? {} : { expression: [expression] }),
  };
  const more = status === 401 ? { 'WWW-Authenticate': 'Bearer realm="praxis"' } : {};
  const json = { resourceType: 'OperationOutcome', issue: [issue] };
  throw new Refused({ status, headers: headersOf(more), json });
}

const jsonTypes = [fhirJson, 'application/json'];

/** The JSON value of the body. */
export function bodyOf({ incoming, service }: Call, types: readonly string[] = jsonTypes): unknown {
  if (!types.includes(mediaType(incoming)))
    fail(service, 'type', `The body must be ${types.join(' or ')}.`);
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    return fail(service, 'structure', 'The body is not JSON.');
  }
}

/** Refuses what is against the rule of a kind. */
export function check(
  { service }: Call,
  kind: string,
  [rule, value]: readonly [Rule, unknown],
): void {
  const fault = rule(value, kind);
  if (fault !== undefined) fail(service, 'structure', fault, fault.split(' ')[0]);
}

export const placed = ({ incoming }: Call, name: string): string => incoming.params[name] ?? '';

export const baseOf = ({ incoming }: Call): string => `${originOf(incoming.headers)}/fhir`;

export const instant = (at: number): string => new Date(at).toISOString();

/** A resource as answers have it. */
export function show<T extends object>(
  { service }: Call,
  kind: Kind,
  { id, number, at, content }: Omit<Current<T>, 'created'>,
): Json {
  const meta = { versionId: String(number), lastUpdated: instant(at) };
  const json: Json = { resourceType: kind, id, meta, ...content };
  if (kind !== 'Patient' || !service.has('birth-date-with-time')) return json;
  return { ...json, birthDate: `${String(json['birthDate'])}T00:00:00Z` };
}

export const etagOf = (number: number): string => `W/"${String(number)}"`;

/** The answer to a read or a write: the resource, with its version in the headers. */
export function answerOf<T extends object>(
  call: Call,
  kind: Kind,
  current: Omit<Current<T>, 'created'>,
  { status = 200, etag = current.number }: { status?: number; etag?: number } = {},
): Answer {
  const version = kind === 'Patient' ? `/_history/${String(current.number)}` : '';
  const place = `${baseOf(call)}/${kind}/${current.id}${version}`;
  return {
    status,
    headers: headersOf({
      ETag: etagOf(etag),
      'Last-Modified': new Date(current.at).toUTCString(),
      ...(status === 201 ? { Location: place } : {}),
    }),
    json: show(call, kind, current),
  };
}

export const bundle = (json: Json): Answer => ({
  status: 200,
  headers: headersOf(),
  json: { resourceType: 'Bundle', ...json },
});

/** The entry of the address, which may be deleted. */
export function entryOf<K extends Kind>(call: Call, kind: K): Entry<Contents[K]> {
  const { practice, service } = call;
  const id = placed(call, 'id');
  const others = [service.linden, service.hafen].filter((other) => other !== practice);
  const isOpen = kind === 'Observation' && service.has('observation-of-other-shown');
  const entry: Entry<Contents[K]> | undefined =
    practice[kind].get(id) ?? (isOpen ? others[0]?.[kind].get(id) : undefined);
  return entry ?? fail(service, 'missing', `There is no ${kind} ${id}.`);
}

/** The resource of the address, which must be there. */
export function currentAt<K extends Kind>(call: Call, kind: K): Current<Contents[K]> {
  const current = currentOf(entryOf(call, kind));
  if (current !== undefined) return current;
  const isMissing = kind === 'Patient' && call.service.has('deleted-read-404');
  return fail(call.service, isMissing ? 'missing' : 'gone', `The ${kind} is deleted.`);
}

/** Whether a header with ETags has that of this version. */
function hasEtag(header: string, number: number): boolean {
  const given = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return given.includes('*') || given.includes(`"${String(number)}"`);
}

/** Reads a resource of a kind. */
export const reads =
  (kind: Kind) =>
  (call: Call): Answer => {
    const current = currentAt<Kind>(call, kind);
    const known = call.incoming.headers['if-none-match'];
    const isKnown = known !== undefined && hasEtag(known, current.number);
    if (!isKnown || call.service.has('not-modified-ignored')) return answerOf(call, kind, current);
    const { headers = {} } = answerOf(call, kind, current);
    return { status: 304, headers: { ETag: headers['ETag'] ?? '' } };
  };

/** Refuses an If-Match of another version. */
export function checkVersion(
  { incoming, service }: Call,
  number: number | undefined,
  isBlind = false,
): void {
  const given = incoming.headers['if-match'];
  if (given === undefined || isBlind) return;
  if (number === undefined || !hasEtag(given, number))
    fail(service, 'version', 'The ETag is that of another version.');
}

/** Stores the content as the next version. */
export function store<K extends Kind>(
  { practice, service }: Call,
  place: readonly [K, string],
  [method, content]: readonly [Method, Contents[K] | undefined],
): Omit<Current<Contents[K] | undefined>, 'created'> {
  const version = addVersion(practice, place, { at: service.now(), method, content });
  return { ...version, id: place[1] };
}

/** Stores the content and answers with it; content that is as before makes no version. */
export function save<K extends Kind>(
  call: Call,
  [kind, id]: readonly [K, string],
  { method, content, before }: Saved<K>,
): Answer {
  const isNew = before === undefined;
  if (!isNew && canonical(before.content) === canonical(content))
    return answerOf(call, kind, before);
  const { number, at } = store(call, [kind, id], [method, content]);
  const etag = call.service.has('etag-behind') && !isNew ? before.number : number;
  return answerOf(call, kind, { id, number, at, content }, { status: isNew ? 201 : 200, etag });
}

interface Saved<K extends Kind> {
  readonly method: Method;
  readonly content: Contents[K];
  readonly before?: Current<Contents[K]> | undefined;
}

/** JSON of a value in which the order of members does not count. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** The answer to a deletion; `remove` is called if the resource is there. */
export function deletes<K extends Kind>(
  call: Call,
  kind: K,
  remove: (current: Current<Contents[K]>) => void,
): Answer {
  const current = currentOf(entryOf(call, kind));
  if (current !== undefined) {
    remove(current);
    store(call, [kind, current.id], ['DELETE', undefined]);
  }
  return { status: 204 };
}
