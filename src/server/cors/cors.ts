import { usage } from '../../errors.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../../http/message.ts';
import { emptyBody, headerValue } from '../../http/message.ts';
import { hostOf, isLoopbackHost } from '../../http/host.ts';
import { problemResponse } from '../../http/problem.ts';
import type { Mock } from '../../mock/mock.ts';

/** The parts of a request that CORS uses. */
export type CrossRequest = Pick<HttpRequest, 'method' | 'target' | 'headers'>;

const maxAgeSeconds = 600;

/**
 * Response headers that pages may always read (Fetch, section 2.2.2), and those that they may never
 * read.
 */
const needNoLeave: ReadonlySet<string> = new Set(
  (
    'cache-control content-language content-length content-type expires last-modified ' +
    'pragma set-cookie vary'
  ).split(' '),
);
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The response to a preflight (Fetch, section 3.2.2), which no operation sees; undefined for any
 * other request. Allows the methods of the contract at the path, and every requested header. At an
 * unknown path, allows the requested method, so that the page can read the 404.
 */
export function answerPreflight(
  { method, target, headers }: CrossRequest,
  policy: CorsPolicy,
  mock: Pick<Mock, 'view' | 'tokens'>,
): HttpResponse | undefined {
  if (
    method !== 'OPTIONS' ||
    headerValue(headers, 'Origin') === undefined ||
    headerValue(headers, 'Access-Control-Request-Method') === undefined
  )
    return undefined;
  const origin = headerValue(headers, 'Origin') ?? '';
  if (!allowsOrigin(policy, origin)) return refusePreflight(origin);
  const known =
    mock.view(target)?.allow ??
    (mock.tokens?.isTokenTarget(target) === true ? 'GET, HEAD, POST, OPTIONS' : undefined);
  const allow = known ?? askedMethod(headers);
  if (allow === undefined) return undefined;
  const own = known === undefined ? [] : [['Allow', known] as const];
  return {
    status: 204,
    headers: [...own, ...grantPreflight(headers, origin, allow)],
    body: emptyBody,
  };
}

function askedMethod(headers: HeaderList): string | undefined {
  const method = headerValue(headers, 'Access-Control-Request-Method') ?? '';
  return token.test(method) ? method : undefined;
}

const varyOfPreflight = [
  'Vary',
  'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
] as const;

/** A browser does not send the request after this, and tells its page nothing; the log does. */
function refusePreflight(origin: string): HttpResponse {
  const shown = origin.slice(0, 80);
  return problemResponse(403, `Refused: origin ${shown}; --cors ${shown} allows it.`, {
    headers: [varyOfPreflight],
  });
}

function grantPreflight(headers: HeaderList, origin: string, allow: string): HeaderList {
  const asked = (headerValue(headers, 'Access-Control-Request-Headers') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => token.test(name));
  // A public page that calls a server on this machine (Private Network Access, section 3.1).
  const nearby = headerValue(headers, 'Access-Control-Request-Private-Network') === 'true';
  return [
    ...leaveFor(origin),
    ['Access-Control-Allow-Methods', allow],
    ...(asked.length === 0 ? [] : [['Access-Control-Allow-Headers', asked.join(', ')] as const]),
    ['Access-Control-Max-Age', String(maxAgeSeconds)],
    ...(nearby ? [['Access-Control-Allow-Private-Network', 'true'] as const] : []),
    varyOfPreflight,
  ];
}

/**
 * Adds the headers that allow a page to read a response (Fetch, section 3.2.3), including errors:
 * the origin of the page instead of `*`, and every exposed header by name, because requests with
 * credentials require both.
 */
export function allowReading<Answer extends HttpResponse>(
  answer: Answer,
  { headers }: Pick<CrossRequest, 'headers'>,
  policy: CorsPolicy,
): Answer {
  const origin = headerValue(headers, 'Origin');
  const isAllowed = origin !== undefined && allowsOrigin(policy, origin);
  if (!isAllowed || isDecided(answer.headers, origin))
    return { ...answer, headers: withVary(answer.headers) };
  // What a contract shows of another page is not what the policy says.
  const vary = withVary(answer.headers.filter(([name]) => !/^access-control-allow-/i.test(name)));
  const exposed = [
    ...new Set(
      answer.headers.map(([name]) => name).filter((name) => !needNoLeave.has(name.toLowerCase())),
    ),
  ];
  const expose =
    exposed.length === 0 ? [] : [['Access-Control-Expose-Headers', exposed.join(', ')] as const];
  return { ...answer, headers: [...vary, ...leaveFor(origin), ...expose] };
}

/** Whether a page may read a response already: the contract declares so, or it is a preflight's. */
function isDecided(headers: HeaderList, origin: string): boolean {
  const allowed = headerValue(headers, 'Access-Control-Allow-Origin');
  return allowed === '*' || allowed === origin;
}

function leaveFor(origin: string): HeaderList {
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
  ];
}

/** Caches must separate responses to different origins (RFC 9110, section 12.5.5). */
function withVary(headers: HeaderList): HeaderList {
  const present = headerValue(headers, 'Vary');
  if (present === undefined) return [...headers, ['Vary', 'Origin']];
  if (/(^|,)\s*(origin|\*)\s*(,|$)/i.test(present)) return headers;
  return headers.map(
    ([name, value]) => [name, name.toLowerCase() === 'vary' ? `${value}, Origin` : value] as const,
  );
}

/** The origins whose pages may read responses; `loopback` is those of this machine. */
export type CorsPolicy =
  | { readonly kind: 'any' | 'loopback' }
  | { readonly kind: 'listed'; readonly origins: ReadonlySet<string> };

/**
 * The option of the user: `true` or `*` for every origin, a list of origins, or every origin of
 * this machine, on any port.
 */
export type CorsChoice = boolean | 'loopback' | readonly string[];

/** Reads the option; undefined if CORS is off. Throws `usage` for an invalid origin. */
export function readCorsPolicy(choice: CorsChoice | undefined): CorsPolicy | undefined {
  if (choice === undefined || choice === false) return undefined;
  if (choice === 'loopback') return { kind: 'loopback' };
  if (choice === true || choice.length === 0 || choice.includes('*')) return { kind: 'any' };
  return { kind: 'listed', origins: new Set(choice.map(checkOrigin)) };
}

/**
 * Checks an origin: scheme, host and port in lower case, without a path (Fetch, section 3.2, and
 * RFC 6454, section 6.2), or `null`.
 */
function checkOrigin(text: string): string {
  const origin = text.toLowerCase();
  if (origin === 'null') return origin;
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
  if (parsed !== undefined && `${parsed.protocol}//${parsed.host}` === origin) return origin;
  throw usage(`${text.slice(0, 80)} is no origin.`, {
    hint:
      'Write scheme, host and port, and no path: --cors http://localhost:3000. ' +
      'For every origin write --cors alone, behind the document.',
  });
}

/** Whether pages of this origin may read responses. */
function allowsOrigin(policy: CorsPolicy, origin: string): boolean {
  if (policy.kind === 'listed') return policy.origins.has(origin.toLowerCase());
  return policy.kind === 'any' || isLoopbackOrigin(origin);
}

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url !== undefined && url.origin === origin.toLowerCase() && isLoopbackHost(hostOf(url));
}
