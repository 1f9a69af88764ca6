import { parseExactly } from '../exact-json.ts';
import { fields, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { mediaType, Refused, type ServiceRequest } from '../serving/serve.ts';
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

/** Records whose order the document leaves open. */
export const anyOrder = <T>({ varies }: Service, records: Iterable<T>): T[] =>
  varies('unordered-reversed') ? [...records].toReversed() : [...records];

export const writeTime = (time: number): string => new Date(time).toISOString();
