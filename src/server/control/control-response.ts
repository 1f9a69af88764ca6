import { emptyBody, type HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Follow } from '../send-stream.ts';
import { suggestWord } from '../../nearest-word.ts';

/** What the control API answers; with `follow` the body is told as it happens. */
export interface ControlReply extends HttpResponse {
  readonly follow?: Follow;
}

/** An answer with a JSON body. */
export function json(value: JsonObject, status = 200): HttpResponse {
  return {
    status,
    headers: [['Content-Type', 'application/json']],
    body: new TextEncoder().encode(stringifyJson(value)),
  };
}

/** 204: it is done, and there is nothing to say. */
export function done(): HttpResponse {
  return { status: 204, headers: [], body: emptyBody };
}

/** 404 for a name that nothing has, with the nearest that something has. */
export function unknownName(what: string, name: string, known: readonly string[]): HttpResponse {
  return problemResponse(
    404,
    `There is no ${what} ${name.slice(0, 80)}. ${suggestWord(name, known)}`,
  );
}
