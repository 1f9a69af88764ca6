import { VouchError, type ErrorCode } from '../../errors.ts';
import {
  headerValue,
  withHeader,
  type HttpRequest,
  type HttpResponse,
} from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { findPage } from '../console/pages.ts';
import { refuseStranger, refuseUnknown } from './control-access.ts';
import type { ControlParts, ControlRoute } from './control-parts.ts';
import { done, type ControlReply } from './control-response.ts';
import { findRoutes, readQuery } from './control-target.ts';
import { hintRoute } from './hint-route.ts';
import { controlRoutes } from './routes/index.ts';

/** Answers a request under `/__vouch`. */
export type Control = (request: HttpRequest) => Promise<ControlReply>;

/** The control API: for this machine only, with the token of this start, and without CORS. */
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
  if (here.length === 0) return refusePath(request);
  const routed = here.find(
    ({ route }) => route.method === (request.method === 'HEAD' ? 'GET' : request.method),
  );
  if (routed === undefined)
    return refuseMethod(
      here.map(({ route }) => route),
      request.method,
    );
  const unknown = routed.route.open ? undefined : refuseUnknown(request.headers, parts.token);
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

function refusePath(request: HttpRequest): HttpResponse {
  return problemResponse(
    404,
    'The control API has no ' +
      `${request.target.split('?', 1)[0]?.slice(0, 80) ?? ''}. ` +
      `${hintRoute(request, controlRoutes)}`,
  );
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

/**
 * What was asked wrongly is the client's fault; a store that cannot be reached is nobody's here.
 */
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
