import { emptyBody, type HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { type JsonObject, stringifyJson } from '../../json/value.ts';
import type { Follow } from '../send-stream.ts';
import { suggestWord } from '../../nearest-word.ts';

/** A response of the control API; with `follow`, the body is streamed. */
export interface ControlReply extends HttpResponse {
  readonly follow?: Follow;
}

export function json(value: JsonObject, status = 200): HttpResponse {
  return {
    status,
    headers: [['Content-Type', 'application/json']],
    body: new TextEncoder().encode(stringifyJson(value)),
  };
}

/** A 204 response. */
export function done(): HttpResponse {
  return { status: 204, headers: [], body: emptyBody };
}

/** A 404 response for an unknown name, with the nearest known name. */
export function unknownName(what: string, name: string, known: readonly string[]): HttpResponse {
  return problemResponse(
    404,
    `There is no ${what} ${name.slice(0, 80)}. ${suggestWord(name, known)}`,
  );
}
