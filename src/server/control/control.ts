import { type ErrorCode, nearestWord, VouchError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { headerValue, withHeader } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { findPage } from '../console/pages.ts';
import { findRoutes, readQuery, refuseStranger, refuseUnknown } from './control-access.ts';
import type { ControlParts, ControlRoute } from './control-parts.ts';
import { controlPrefix } from './control-prefix.ts';
import { type ControlReply, done } from './fields.ts';
import { controlRoutes } from './routes/index.ts';

/** Answers a request under `/__vouch`. */
export type Control = (request: HttpRequest) => Promise<ControlReply>;

/** The control API: only on this machine, with the token of this start, and without CORS. */
export function makeControl(parts: ControlParts): Control {
  return async (request) => {
    const answer = await answerControl(parts, request);
    return headerValue(answer.headers, 'Cache-Control') === undefined
      ? { ...answer, headers: withHeader(answer.headers, 'Cache-Control', 'no-store') }
      : answer;
  };
}

async function answerControl(parts: ControlParts, request: HttpRequest): Promise<ControlReply> {
  const stranger = refuseStranger(request.headers, parts.host);
  if (stranger !== undefined) return stranger;
  const page = await findPage(request, parts);
  if (page !== undefined) return page;
  const here = findRoutes(request.target, controlRoutes);
  if (here.length === 0)
    return problemResponse(
      404,
      'The control API has no ' +
        `${request.target.split('?', 1)[0]?.slice(0, 80) ?? ''}. ` +
        hintRoute(request, controlRoutes),
    );
  const routed = here.find(
    ({ route }) => route.method === (request.method === 'HEAD' ? 'GET' : request.method),
  );
  if (routed === undefined)
    return refuseMethod(
      here.map(({ route }) => route),
      request.method,
    );
  const unknown =
    routed.route.open || parts.login.admits(request)
      ? undefined
      : refuseUnknown(request.headers, parts.token);
  if (unknown !== undefined) return unknown;
  try {
    return await routed.route.answer({
      parts,
      request,
      path: routed.path,
      query: readQuery(request.target, routed.route),
    });
  } catch (error) {
    return refuseAsked(error);
  }
}

function refuseMethod(here: readonly ControlRoute[], method: string): HttpResponse {
  const known = here.flatMap((route) =>
    route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
  );
  const allow: [string, string] = ['Allow', [...known, 'OPTIONS'].join(', ')];
  if (method === 'OPTIONS') return { ...done(), headers: [allow] };
  return problemResponse(405, `This takes ${known.join(', ')}, not ${method}.`, {
    headers: [allow],
  });
}

/** Usage errors become 400, and an unreachable store 503. */
function refuseAsked(error: unknown): HttpResponse {
  if (!(error instanceof VouchError) || error.code === 'internal') throw error;
  const detail = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  return problemResponse(statuses.get(error.code) ?? 400, detail);
}

const statuses: ReadonlyMap<ErrorCode, number> = new Map([
  ['store-full', 409],
  ['store-out-of-bytes', 507],
  ['record-too-large', 413],
  ['store-unavailable', 503],
  ['store-unusable', 503],
]);

/** Suggests a route for an unknown path, with the command that requests it. */
function hintRoute(
  { method, target, headers }: Pick<HttpRequest, 'method' | 'target' | 'headers'>,
  routes: readonly ControlRoute[],
): string {
  const origin = `http://${headerValue(headers, 'Host') ?? 'localhost'}`;
  const given = target.split('?', 1)[0] ?? '';
  const words = given.slice(controlPrefix.length);
  const filled = routes.map((route) => ({ route, path: fill(route.path, words) }));
  const meant =
    nearestWord(
      words,
      filled.map(({ path }) => path),
    ) ?? pathWith(words, routes);
  const here = filled.filter(({ route, path }) => path === meant || route.path === meant);
  const found = here.find(({ route }) => route.method === method) ?? here[0];
  if (found === undefined)
    return `See all that it has: curl ${origin}${controlPrefix}/openapi.json`;
  const path = `${controlPrefix}${found.path}`;
  return `Did you mean ${found.route.method} ${path}? ${curlOf(found.route, `${origin}${path}`)}`;
}

/** The shortest path whose last segment matches or nearly matches. */
function pathWith(words: string, routes: readonly ControlRoute[]): string | undefined {
  const last = words.split('/').at(-1) ?? '';
  const literal = (path: string): string[] =>
    path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const meant =
    last === ''
      ? undefined
      : nearestWord(
          last,
          routes.flatMap(({ path }) => literal(path)),
        );
  const paths = routes
    .map(({ path }) => path)
    .filter((path) => meant !== undefined && literal(path).includes(meant));
  return paths.sort((left, right) => left.length - right.length)[0];
}

/** A path template filled with segments of the request. */
function fill(template: string, given: string): string {
  const words = given.split('/');
  return template
    .split('/')
    .map((segment, index) =>
      segment.startsWith('{') && isPlain(words[index]) ? words[index] : segment,
    )
    .join('/');
}

function isPlain(word: string | undefined): word is string {
  return word !== undefined && /^[\w.~-]+$/.test(word);
}

function curlOf({ method, open, body, bodyOptional }: ControlRoute, url: string): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(open === true ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined || bodyOptional === true ? [] : ["-d '{…}'"]),
    url,
  ];
  return parts.join(' ');
}
