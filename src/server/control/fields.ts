import { suggestWord, usage } from '../../errors.ts';
import { parseJson } from '../../json/parse-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import { readSession } from '../../mock/request/request-context.ts';
import { MemberReader } from '../../mock/scenarios/parse/read-members.ts';
import { emptyBody, type HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import type { Follow } from '../send-stream.ts';

/**
 * Reads the members of a JSON object from a client one by one. Every method throws `usage` for an
 * invalid value.
 */
export class Fields extends MemberReader {
  constructor(object: JsonObject, known: readonly string[]) {
    for (const name of Object.keys(object)) {
      if (!known.includes(name))
        throw usage(`The body has the member ${name}, which means nothing here.`, {
          hint: suggestWord(name, known),
        });
    }
    super(object);
  }

  /** A whole number from 0. */
  count(name: string): number | undefined {
    return this.read(
      name,
      'a whole number from 0',
      (value): value is number =>
        typeof value === 'number' && Number.isInteger(value) && value >= 0,
    );
  }

  session(): string | undefined {
    const name = this.text('session');
    return name === undefined ? undefined : checkSession(name);
  }

  override refuse(_name: string, message: string): never {
    throw usage(message);
  }
}

/**
 * Reads a body that must be a JSON object with only these members; an empty body is an empty object
 * if it is optional.
 */
export function readFields(body: Uint8Array, known: readonly string[], mayBeEmpty = false): Fields {
  if (mayBeEmpty && body.length === 0) return new Fields({}, known);
  const value = readJson(body);
  if (!isJsonObject(value))
    throw usage('The body must be a JSON object.', { hint: `It may have: ${known.join(', ')}.` });
  return new Fields(value, known);
}

/** Reads a JSON body. Throws `usage`. */
export function readJson(body: Uint8Array): JsonValue {
  const reading = parseJson(body);
  if (reading.ok) return reading.value;
  throw usage(`The body is not valid JSON: ${reading.problem.message}.`);
}

/** Whether a parameter of the query is given, which can only be `true`. Throws `usage` otherwise. */
export function readTrue(query: Readonly<Record<string, string>>, name: string): boolean {
  const written = query[name];
  if (written === undefined || written === 'true') return written === 'true';
  throw usage(`${name} must be true.`);
}

/** Checks the name of a session. Throws `usage` if it is invalid. */
export function checkSession(name: string): string {
  const session = readSession([['Vouch-Session', name]]);
  if (typeof session === 'string') return session;
  throw usage('A session is named by 1 to 64 letters, digits, dots, underscores and hyphens.');
}

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
