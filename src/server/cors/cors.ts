import { VouchError } from '../../errors.ts';
import { emptyBody, type HeaderList, headerValue, type HttpResponse } from '../../http/message.ts';
import type { Mock } from '../../mock/mock.ts';

/** A request as CORS looks at it. */
export interface CrossRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
}

const maxAgeSeconds = 600;

/**
 * Response headers that a page may always read (Fetch, section 2.2.2), and those that it never may.
 */
const needNoLeave: ReadonlySet<string> = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
  'set-cookie',
  'vary',
]);
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The answer to a preflight (Fetch, section 3.2.2), which no operation sees; undefined where the request is none. What it allows is
 * what the contract has at the path, and every header that is asked for; at a path that nobody has, the method that is asked for:
 * nothing happens there, and a page that may ask can read why.
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
  const known =
    mock.view(target)?.allow ??
    (mock.tokens?.isTokenTarget(target) === true ? 'GET, HEAD, POST, OPTIONS' : undefined);
  const allow = known ?? askedMethod(headers);
  if (allow === undefined) return undefined;
  const own = known === undefined ? [] : [['Allow', known] as const];
  return {
    status: 204,
    headers: [...own, ...grantPreflight(headers, policy, allow)],
    body: emptyBody,
  };
}

function askedMethod(headers: HeaderList): string | undefined {
  const method = headerValue(headers, 'Access-Control-Request-Method') ?? '';
  return token.test(method) ? method : undefined;
}

/** A page of an origin that is not allowed gets no leave, and so its request is never sent. */
function grantPreflight(headers: HeaderList, policy: CorsPolicy, allow: string): HeaderList {
  const vary = [
    'Vary',
    'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  ] as const;
  const origin = headerValue(headers, 'Origin') ?? '';
  if (!allowsOrigin(policy, origin)) return [vary];
  const asked = (headerValue(headers, 'Access-Control-Request-Headers') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => token.test(name));
  // A server on this machine that a page of the wide web calls (Private Network Access, section 3.1).
  const nearby = headerValue(headers, 'Access-Control-Request-Private-Network') === 'true';
  return [
    ...leaveFor(origin),
    ['Access-Control-Allow-Methods', allow],
    ...(asked.length === 0 ? [] : [['Access-Control-Allow-Headers', asked.join(', ')] as const]),
    ['Access-Control-Max-Age', String(maxAgeSeconds)],
    ...(nearby ? [['Access-Control-Allow-Private-Network', 'true'] as const] : []),
    vary,
  ];
}

/**
 * An answer with what lets a page read it (Fetch, section 3.2.3): the page's own origin and never `*`, because that would shut out
 * requests with credentials; and by name every header that needs leave, for the same reason. Refusals are no exception.
 */
export function allowReading<Answer extends HttpResponse>(
  answer: Answer,
  { headers }: Pick<CrossRequest, 'headers'>,
  policy: CorsPolicy,
): Answer {
  const origin = headerValue(headers, 'Origin');
  const vary = withVary(answer.headers);
  if (origin === undefined || !allowsOrigin(policy, origin) || isDecided(answer.headers))
    return { ...answer, headers: vary };
  const exposed = [
    ...new Set(
      answer.headers.map(([name]) => name).filter((name) => !needNoLeave.has(name.toLowerCase())),
    ),
  ];
  const expose =
    exposed.length === 0 ? [] : [['Access-Control-Expose-Headers', exposed.join(', ')] as const];
  return { ...answer, headers: [...vary, ...leaveFor(origin), ...expose] };
}

/** A contract may have these headers itself, and a preflight has them already. */
function isDecided(headers: HeaderList): boolean {
  return headerValue(headers, 'Access-Control-Allow-Origin') !== undefined;
}

function leaveFor(origin: string): HeaderList {
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
  ];
}

/** Caches must tell answers to different origins apart (RFC 9110, section 12.5.5). */
function withVary(headers: HeaderList): HeaderList {
  const present = headerValue(headers, 'Vary');
  if (present === undefined) return [...headers, ['Vary', 'Origin']];
  if (/(^|,)\s*(origin|\*)\s*(,|$)/i.test(present)) return headers;
  return headers.map(
    ([name, value]) => [name, name.toLowerCase() === 'vary' ? `${value}, Origin` : value] as const,
  );
}

/** Pages of which origins may read answers. */
export type CorsPolicy =
  { readonly kind: 'any' } | { readonly kind: 'listed'; readonly origins: ReadonlySet<string> };

/** What a user asks for: `true` or `*` for every origin, else the origins one by one. */
export type CorsChoice = boolean | readonly string[];

/**
 * Reads what a user asks for; undefined where CORS is off. Throws `usage` for what is no origin as
 * browsers send it.
 */
export function readCorsPolicy(choice: CorsChoice | undefined): CorsPolicy | undefined {
  if (choice === undefined || choice === false) return undefined;
  if (choice === true || choice.length === 0 || choice.includes('*')) return { kind: 'any' };
  return { kind: 'listed', origins: new Set(choice.map(checkOrigin)) };
}

/**
 * Scheme, host and port in lower case, without a path (Fetch, section 3.2, and RFC 6454, section
 * 6.2); `null` is one too.
 */
function checkOrigin(text: string): string {
  const origin = text.toLowerCase();
  if (origin === 'null') return origin;
  const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
  if (parsed !== undefined && `${parsed.protocol}//${parsed.host}` === origin) return origin;
  throw new VouchError('usage', `${text.slice(0, 80)} is no origin.`, {
    hint:
      'Write scheme, host and port, and no path: --cors http://localhost:3000. ' +
      'For every origin write --cors alone, behind the document.',
  });
}

/** Whether a page of this origin may read answers. */
function allowsOrigin(policy: CorsPolicy, origin: string): boolean {
  return policy.kind === 'any' || policy.origins.has(origin.toLowerCase());
}
