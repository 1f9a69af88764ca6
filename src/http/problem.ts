import { type JsonObject, stringifyJson } from '../json/value.ts';
import type { HeaderList, HttpResponse } from './message.ts';

/** Optional parts of problem details besides status, title and detail. */
export interface ProblemExtra {
  /** Header fields besides `Content-Type`, such as `Allow`. */
  readonly headers?: HeaderList;
  /**
   * Extension members (RFC 9457, section 3.2). They never replace `type`, `title`, `status` and
   * `detail`.
   */
  readonly members?: JsonObject;
}

/**
 * A response of vouch itself: problem details (RFC 9457) of type `about:blank`, whose title is the
 * name of the status.
 */
export function problemResponse(
  status: number,
  detail: string,
  extra: ProblemExtra = {},
): HttpResponse {
  const own = { type: 'about:blank', title: statusTitle(status), status, detail };
  return {
    status,
    headers: [['Content-Type', 'application/problem+json'], ...(extra.headers ?? [])],
    body: new TextEncoder().encode(stringifyJson({ ...own, ...extra.members, ...own })),
  };
}

/**
 * The name of a status (HTTP Status Code Registry of IANA); for an unregistered one, the name of
 * its class.
 */
export function statusTitle(status: number): string {
  return titles.get(status) ?? classTitles[Math.trunc(status / 100)] ?? 'Unknown Status';
}

const classTitles: readonly (string | undefined)[] = [
  undefined,
  'Informational',
  'Successful',
  'Redirection',
  'Client Error',
  'Server Error',
];

const titles: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [203, 'Non-Authoritative Information'],
  [204, 'No Content'],
  [205, 'Reset Content'],
  [206, 'Partial Content'],
  [300, 'Multiple Choices'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [303, 'See Other'],
  [304, 'Not Modified'],
  [307, 'Temporary Redirect'],
  [308, 'Permanent Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [407, 'Proxy Authentication Required'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [411, 'Length Required'],
  [412, 'Precondition Failed'],
  [413, 'Content Too Large'],
  [414, 'URI Too Long'],
  [415, 'Unsupported Media Type'],
  [416, 'Range Not Satisfiable'],
  [417, 'Expectation Failed'],
  [421, 'Misdirected Request'],
  [422, 'Unprocessable Content'],
  [423, 'Locked'],
  [424, 'Failed Dependency'],
  [425, 'Too Early'],
  [426, 'Upgrade Required'],
  [428, 'Precondition Required'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [451, 'Unavailable For Legal Reasons'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
  [505, 'HTTP Version Not Supported'],
  [507, 'Insufficient Storage'],
  [511, 'Network Authentication Required'],
]);
