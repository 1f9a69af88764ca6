import { countWords } from './step.ts';
import type { TransportFault } from './exchange.ts';

/** The target is unreachable, or no longer reachable. */
export interface Unreachable {
  readonly code: 'unreachable';
  readonly baseUrl: string;
  /** The fault of the last request; absent if it is unknown. */
  readonly fault?: { readonly kind: TransportFault; readonly message: string };
  /** Whether the target responded to any request of the run. */
  readonly answeredBefore: boolean;
}

/** The service responded before, and no longer does since this request was in flight. */
export interface ServiceStopped {
  readonly code: 'service-stopped';
  readonly baseUrl: string;
  readonly method: string;
  readonly path: string;
  /** How many other requests were in flight, any of which may be the cause; absent without any. */
  readonly others?: number;
  /** Whether it responded again later, like a service that was restarted. */
  readonly cameBack: boolean;
}

/** The server requests a longer pause than vouch makes, or too many pauses. */
export interface RateLimited {
  readonly code: 'rate-limited';
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly longestWaitMs: number;
  /** The requested pause, if it is longer than that. */
  readonly waitMs?: number;
}

/** Every path gets 404, a redirect, or a web page. */
export interface WrongBaseUrl {
  readonly code: 'wrong-base-url';
  readonly baseUrl: string;
  /** `mixed`: 404 and redirects. */
  readonly answers: 'not-found' | 'redirects' | 'mixed' | 'pages' | 'pages-and-mixed';
}

/**
 * Why a run ended before its plan did: a code and its fields. All texts about it are written from
 * them.
 */
export type Stop =
  | { readonly code: 'interrupted' }
  | Unreachable
  | ServiceStopped
  | WrongBaseUrl
  | { readonly code: 'shut-out' }
  | { readonly code: 'requests-spent'; readonly limit: number }
  | { readonly code: 'time-spent'; readonly limitMs: number }
  /** Like `time-spent`, with the most informative requests sent first. */
  | { readonly code: 'budget-spent'; readonly limitMs: number }
  | RateLimited;

/** The stop in one sentence. */
export function describeStop(stop: Stop): string {
  switch (stop.code) {
    case 'interrupted':
      return 'The run was interrupted before it was done.';
    case 'unreachable':
      return describeUnreachable(stop);
    case 'service-stopped':
      return `The service at ${originOf(stop)} stopped answering ${whenStopped(stop)}.`;
    case 'wrong-base-url':
      return `Every path below ${stop.baseUrl} is answered with ${answersOf(stop)}.`;
    case 'shut-out':
      return 'The target let no request in.';
    case 'requests-spent':
      return (
        `The budget of ${countWords(stop.limit, 'request')} was spent before the ` +
        'plan was done.'
      );
    case 'time-spent':
      return `The time of ${seconds(stop.limitMs)} s was spent before the plan was done.`;
    case 'budget-spent':
      return `The budget of ${seconds(stop.limitMs)} s was spent before the plan was done.`;
    case 'rate-limited':
      return describeRateLimit(stop);
  }
}

/** The stop as a clause that follows "stopped after 12 requests, because". */
export function stopClause(stop: Stop): string {
  switch (stop.code) {
    case 'interrupted':
      return 'it was interrupted';
    case 'unreachable':
      return `the target ${stop.answeredBefore ? 'no longer answers' : 'cannot be reached'}`;
    case 'service-stopped':
      return `the service stopped answering ${whenStopped(stop)}`;
    case 'wrong-base-url':
      return `every path answers ${answersOf(stop)} (base URL)`;
    case 'shut-out':
      return 'the target lets no request in';
    case 'requests-spent':
      return `the limit of ${countWords(stop.limit, 'request')} is reached`;
    case 'time-spent':
      return `the limit of ${seconds(stop.limitMs)} s is reached`;
    case 'budget-spent':
      return `the budget of ${seconds(stop.limitMs)} s is spent`;
    case 'rate-limited':
      return `the server limits the rate of requests (${String(stop.status)})`;
  }
}

/** The same stop with `hide` applied to all external texts. */
export function redactStop(stop: Stop, hide: (text: string) => string): Stop {
  if (!('baseUrl' in stop)) return stop;
  const baseUrl = hide(stop.baseUrl);
  if (stop.code !== 'unreachable' || stop.fault === undefined) return { ...stop, baseUrl };
  return { ...stop, baseUrl, fault: { ...stop.fault, message: hide(stop.fault.message) } };
}

function describeUnreachable({ baseUrl, fault, answeredBefore }: Unreachable): string {
  const { origin, host, hostname } = new URL(baseUrl);
  const still = answeredBefore ? ' any more' : '';
  switch (fault?.kind) {
    case 'dns.failed':
      return `The name ${hostname} is not known: no address could be found for it.`;
    case 'tls.failed':
      return (
        `No secure connection to ${host} could be made: ${fault.message}` +
        // What came was no TLS at all, as from a server that speaks plain HTTP.
        (fault.message.includes('WRONG_VERSION_NUMBER')
          ? ` Does it speak http? Try http://${host}.`
          : '')
      );
    case 'proxy.failed':
      return `The proxy leads to no connection with ${host}: ${fault.message}`;
    case 'timeout':
      return `${origin} does not answer${still}: ${fault.message}`;
    case 'connection.refused':
      return `Nothing answers at ${origin}${still}: ${fault.message}`;
    default:
      return `${origin} gives no HTTP answer${still}: ${fault?.message ?? 'nothing came'}`;
  }
}

function describeRateLimit({ status, method, path, longestWaitMs, waitMs }: RateLimited): string {
  const where = `(${String(status)} on ${method} ${path})`;
  if (waitMs === undefined) {
    return `The server repeatedly requested a later retry ${where}.`;
  }
  const asked = `The server requested a wait of ${String(Math.ceil(waitMs / 1000))} s ${where}`;
  return `${asked}; vouch waits no longer than ${seconds(longestWaitMs)} s at a time.`;
}

/** What every path answers: `404`, `a web page`. */
export function answersOf({ answers }: WrongBaseUrl): string {
  return {
    'not-found': '404',
    redirects: 'a redirect',
    mixed: '404 or a redirect',
    pages: 'a web page',
    'pages-and-mixed': 'a web page, 404 or a redirect',
  }[answers];
}

function requestOf({ method, path }: ServiceStopped): string {
  return `${method} ${path}`;
}

function originOf({ baseUrl }: ServiceStopped): string {
  return new URL(baseUrl).origin;
}

function seconds(ms: number): string {
  return String(ms / 1000);
}

function whenStopped(stop: ServiceStopped): string {
  const { others = 0 } = stop;
  return others === 0
    ? `after ${requestOf(stop)}`
    : `while ${requestOf(stop)} and ${countWords(others, 'other request')} were in flight`;
}
