import type {
  Contract,
  Operation,
  Parameter,
  Resource,
  ResourceAction,
} from '../../contract/model.ts';
import { isSuccess } from '../../http/message.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
import type { Case } from './case.ts';
import type { Exchange } from './exchange.ts';

/**
 * The values of a request: by parameter, and the body if it is JSON, or a form or XML that
 * decodes to the same value.
 */
export interface Sent {
  readonly arguments: ReadonlyMap<Parameter, JsonValue>;
  readonly body?: JsonValue;
  /**
   * The name of the run's credential for the operation, which shows no secret; absent if it has
   * none.
   */
  readonly credential?: string;
}

/** A case that was sent, and its result. */
export interface Step {
  readonly case: Case;
  readonly sent: Sent;
  readonly exchange: Exchange;
  readonly answer: Answer;
  /** The identifier of the record that it made, where a list showed it and the answer does not. */
  readonly found?: JsonValue;
}

/** Whether a step was answered with a success. */
export function hasSuccess({ exchange }: Pick<Step, 'exchange'>): boolean {
  return isSuccess(exchange.response?.status ?? 0);
}

/**
 * The body of a response, parsed as its header states. `mediaType` is missing if the header has
 * none.
 */
export type Answer =
  | { readonly kind: 'empty'; readonly mediaType?: string }
  /**
   * A value: JSON, or an XML document that its schema describes without a doubt. `repeats`: a name
   * that occurs twice in one object, and its place; the last value counts, as in most clients.
   */
  | {
      readonly kind: 'json';
      readonly mediaType: string;
      readonly value: JsonValue;
      readonly repeats?: string;
    }
  /** `isCut`: only the beginning of a stream. */
  | {
      readonly kind: 'bytes';
      readonly mediaType?: string;
      readonly bytes: Uint8Array;
      readonly isCut?: boolean;
    }
  /**
   * `content`: its content coding or its charset prevents parsing. `isBomb`: a decompression bomb.
   */
  | {
      readonly kind: 'unreadable';
      readonly mediaType?: string;
      readonly reason: string;
      readonly content?: ContentFault | 'charset.unknown';
      readonly isBomb?: true;
    };

/** Why content codings cannot be decoded. */
export type ContentFault =
  'encoding.unknown' | 'encoding.mismatch' | 'encoding.chain' | 'body.too-large';

/** The role of an operation in a resource. */
export interface Role {
  readonly resource: Resource;
  readonly action: ResourceAction;
}

/** The resource of an operation and its action there, or undefined if it belongs to none. */
export function roleOf({ inference }: Contract, operation: Operation): Role | undefined {
  const placement = inference.placementOf(operation);
  if (placement?.kind !== 'resource') return undefined;
  // A PUT that replaces a whole collection belongs to the resource, but acts on no single record.
  return placement.resource.operations[placement.action] === operation ? placement : undefined;
}

/**
 * The safe methods that a run sends (RFC 9110, section 9.2.1; QUERY: draft-ietf-httpbis-safe-
 * method-w-body, section 2). TRACE is none of them.
 */
export const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'QUERY'];

/** Whether a method is safe, and so changes nothing. */
export function isSafe({ method }: Pick<Operation, 'method'>): boolean {
  return safeMethods.includes(method);
}

/** Whether the body of a request says what is asked: in a GET it means nothing (section 9.3.1). */
export function readsBody({ method }: Pick<Operation, 'method'>): boolean {
  return method === 'QUERY' || !isSafe({ method });
}

/** 2^53: no service counts beyond it. */
const highest = 9_007_199_254_740_992n;

/**
 * Whether a made-up identifier is one that no record can have: a UUID, a long random text, or an
 * integer beyond every counter. A change may be sent for it without reading the record first.
 */
export function isUnguessable(value: JsonValue): boolean {
  if (typeof value === 'bigint') return value > highest || value < -highest;
  if (typeof value !== 'string') return false;
  return (
    /^missing-\d{6}$/.test(value) ||
    /vouch-[0-9a-f]{6}/.test(value) ||
    /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-|[0-9a-f]{16}/i.test(value)
  );
}

/** Words that services use for all records, or for one that always exists. */
const wildcards = new RegExp(
  '^(all|_all|any|every|everything|me|self|current|latest|last|first|default|root|index|none|' +
    'null)$',
  'i',
);

/**
 * Whether an invalid text in place of an identifier names no record, even if it is read leniently.
 * `05`, `1.5` and `-3` may be read as the number of an existing record; `abc` may not.
 */
export function namesNothing(text: string, { schema }: Parameter): boolean {
  if (wildcards.test(text) || !/^[\w.-]{3,}$/.test(text) || /^\.+$/.test(text)) return false;
  const { types } = schema.flatten();
  const isNumeric = types.some((type) => type === 'integer' || type === 'number');
  return isNumeric ? !/\d/.test(text) || /^-?\d{16,}$/.test(text) : true;
}

/** Why a request was not sent, as a code. */
export type WithheldCode =
  | 'run-over'
  | 'requests-spent'
  | 'time-spent'
  | 'server-gone'
  | 'credential-refused'
  | 'no-answers'
  | 'unknown-record'
  /** It would change a record that the run did not create, or use the name of one. */
  | 'not-own-record'
  | 'unsendable';

/** A request that was not sent: why, as a code and as a clause. */
export interface Withheld {
  readonly code: WithheldCode;
  readonly reason: string;
}

/** A request as the object of a sentence: `a plain request`, `a request in which limit is 101`. */
export function requestPhrase({ title }: Case): string {
  // `a record is created` says what happens; `a plain read` names the request itself.
  const isNoun = /^an? /.test(title) && !/^an? [\w-]+ (?:is|was|gets)\b/.test(title);
  return isNoun ? title : `a request in which ${title}`;
}

/** A request with its operation: `GET /pets (a request in which limit is 101)`. */
export function nameRequest(testCase: Case): string {
  const { operation, request } = testCase;
  const method = request.method ?? operation.method;
  return `${method} ${operation.path} (${requestPhrase(testCase)})`;
}

/** The status of a response as it was sent: `200 and an error in the body` of a call that failed. */
export function statusWords({ response }: Pick<Exchange, 'response'>): string {
  const { status, sentStatus } = response ?? {};
  return sentStatus === undefined
    ? String(status)
    : `${String(sentStatus)} and an error in the body`;
}

const longest = 80;

/** A value in a sentence: JSON, cut to 80 characters. */
export function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = stringifyJson(value);
  return text.length > longest
    ? `${text.slice(0, longest)}… (${String(text.length)} characters)`
    : text;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

/** The number of a page, counted from 1: `first`, `second`, `6th`. */
export function ordinal(number: number): string {
  return ordinals[number - 1] ?? `${String(number)}th`;
}

/** `1 record`, `2 records`. */
export function countWords(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A clause as the beginning of a sentence. */
export function capitalise(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** How many different values are named; the others are counted together. */
const maxCounted = 4;

/**
 * How often each of some values occurs among `total`, the most frequent first: `"sold" in 2 of 20
 * records, "pending" in 1`.
 */
export function countEach(values: readonly JsonValue[], total: string): string {
  const groups = [...Map.groupBy(values, showValue)]
    .map(([shown, alike]) => ({ shown, count: alike.length }))
    .toSorted((left, right) => right.count - left.count);
  const others = groups.slice(maxCounted);
  const [first, ...rest] = [
    ...groups.slice(0, maxCounted),
    ...(others.length === 0
      ? []
      : [{ shown: 'others', count: others.reduce((sum, { count }) => sum + count, 0) }]),
  ].map(({ shown, count }) => `${shown} in ${String(count)}`);
  return [`${first ?? 'nothing'} of ${total}`, ...rest].join(', ');
}

/**
 * The operation that creates records of a resource: its create, a request with a name that the
 * client chooses, or a POST without a body on the collection.
 */
export function creatorOf(
  { operations }: Contract,
  { operations: own, namedCreate, collectionPath, kind }: Resource,
): Operation | undefined {
  if (kind === 'singleton') return undefined;
  return (
    own.create ??
    namedCreate ??
    operations.find(
      ({ method, path, requestBody }) =>
        method === 'POST' && path === collectionPath && requestBody === undefined,
    )
  );
}

/**
 * The operation of a resource for an action, or that of another path to the same set of records
 * (`/things/{thingId}` for `/owners/{ownerId}/things`).
 */
export function operationFor(
  { resources }: Contract,
  resource: Resource,
  action: ResourceAction,
): Operation | undefined {
  const { operations, kind, parents, collection } = resource;
  const own = operations[action];
  if (own !== undefined || kind === 'singleton' || operations.create === undefined) return own;
  const segments = new Set(parents.map(({ segment }) => segment));
  return resources
    .filter(
      (other) =>
        other.collection === collection &&
        other !== resource &&
        other.parents.every(({ segment }) => segments.has(segment)),
    )
    .map((view) => view.operations[action])
    .find((operation) => operation !== undefined);
}
