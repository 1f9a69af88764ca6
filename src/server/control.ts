import { emptyBody, withHeader, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonObject } from '../json/value.ts';
import type { Mock } from '../mock/mock.ts';
import { refuseStranger, refuseUnknown } from './control-access.ts';
import type { ExchangeRecord, Journal } from './journal.ts';

/** What the control API shows and moves. */
export interface ControlParts {
  readonly mock: Pick<Mock, 'reset'>;
  readonly journal: Journal;
  readonly token: string;
  /** The address that the server is bound to. */
  readonly host: string;
  readonly version: string | undefined;
  readonly scenario: string | undefined;
}

/** Answers a request under `/__vouch`. */
export type Control = (request: HttpRequest) => Promise<HttpResponse>;

interface ControlRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Needs no token. */
  readonly open?: true;
  answer(parts: ControlParts, request: HttpRequest): Promise<HttpResponse>;
}

const prefix = '/__vouch';

/** Every route of the control API. None that is a GET changes anything. */
const routes: readonly ControlRoute[] = [
  { method: 'GET', path: `${prefix}/health`, open: true, answer: async () => json({ status: 'ok' }) },
  { method: 'GET', path: `${prefix}/state`, answer: async (parts) => json(describeState(parts)) },
  { method: 'GET', path: `${prefix}/journal`, answer: async ({ journal }, { target }) => json(readJournal(journal, target)) },
  { method: 'POST', path: `${prefix}/reset`, answer: resetAll },
];

/** Whether a request target belongs to the control API, and never reaches the mock. */
export function isControlTarget(target: string): boolean {
  const path = pathOf(target);
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** The control API: for this machine only, with the token of this start, and without CORS. */
export function makeControl(parts: ControlParts): Control {
  return async (request) => {
    const answer = await answerControl(parts, request);
    return { ...answer, headers: withHeader(answer.headers, 'Cache-Control', 'no-store') };
  };
}

async function answerControl(parts: ControlParts, request: HttpRequest): Promise<HttpResponse> {
  const stranger = refuseStranger(request.headers, parts.host);
  if (stranger !== undefined) return stranger;
  const here = routes.filter(({ path }) => path === pathOf(request.target));
  if (here.length === 0) return problemResponse(404, `The control API has ${routes.map(({ path }) => path).join(', ')}.`);
  const route = here.find(({ method }) => method === (request.method === 'HEAD' ? 'GET' : request.method));
  if (route === undefined) return refuseMethod(here, request.method);
  const unknown = route.open ? undefined : refuseUnknown(request.headers, parts.token);
  return unknown ?? route.answer(parts, request);
}

function refuseMethod(here: readonly ControlRoute[], method: string): HttpResponse {
  const known = here.flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  const allow: [string, string] = ['Allow', [...known, 'OPTIONS'].join(', ')];
  if (method === 'OPTIONS') return { status: 204, headers: [allow], body: emptyBody };
  return problemResponse(405, `This takes ${known.join(', ')}, not ${method}.`, { headers: [allow] });
}

function describeState({ version, scenario, journal }: ControlParts): JsonObject {
  return { version: version ?? null, scenario: scenario ?? null, exchanges: journal.list().length + journal.forgotten() };
}

function readJournal(journal: Journal, target: string): JsonObject {
  const query = new URLSearchParams(target.slice(pathOf(target).length));
  const exchanges = journal.list(query.get('operation') ?? undefined);
  return { count: exchanges.length, forgotten: journal.forgotten(), exchanges: exchanges.map(describeExchange) };
}

function describeExchange({ method, target, status, operation, durationMs }: ExchangeRecord): JsonObject {
  return { method, target, status, operation: operation ?? null, durationMs };
}

async function resetAll({ mock, journal }: ControlParts, { body }: HttpRequest): Promise<HttpResponse> {
  // A body that asks for less than everything would be answered by losing everything.
  if (!/^\s*(\{\s*\})?\s*$/.test(Buffer.from(body).toString('latin1'))) {
    return problemResponse(400, 'A reset is of everything: send no body, or {}.');
  }
  await mock.reset();
  journal.clear();
  return { status: 204, headers: [], body: emptyBody };
}

function json(value: JsonObject): HttpResponse {
  const body = new TextEncoder().encode(stringifyJson(value));
  return { status: 200, headers: [['Content-Type', 'application/json']], body };
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
