import type { Contract, Operation } from '../../contract/model.ts';
import { suggestId, suggestWord, VouchError } from '../../errors.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpResponse, withoutHeader } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import { defined, isJsonObject, type JsonValue, setMember } from '../../json/value.ts';
import type { MaybePromise } from '../../store/store.ts';
import type { Responder } from '../answer/responder.ts';
import { showStatus } from '../answer/show-status.ts';
import type { RecordPlace, Records } from '../control/record-browser.ts';
import type { ValidRequest } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import { playAnswer, withHeaders } from '../scenarios/play-answer.ts';
import type {
  Below,
  HandledAnswer,
  HandledRequest,
  Handler,
  HandlerAnswer,
  HandlerCall,
  SessionRecords,
  Handlers,
} from './handler.ts';

/** What a handler answers with. */
interface Handling {
  readonly request: ValidRequest;
  readonly responder: Responder;
  readonly records: Records;
  /** The mock's own answer. */
  readonly own: () => MaybePromise<HttpResponse>;
}

/**
 * The response of a handler. What breaks the contract is not sent: 501 says what and where. An
 * exception is a 500 with its message and the place in the handler.
 */
export async function runHandler(handler: Handler, handling: Handling): Promise<HttpResponse> {
  const { request, responder, own } = handling;
  const made = new Map<unknown, HttpResponse>();
  const next = async (): Promise<HandledAnswer> => {
    const response = await own();
    const shown = shownAnswer(response);
    made.set(shown, response);
    return shown;
  };
  try {
    const answer = await handler(callOf(handling, next));
    const unchanged = answer === undefined ? await own() : made.get(answer);
    if (unchanged !== undefined) return unchanged;
    // The mock may have refused what the handler now answers.
    responder.refused = undefined;
    return writeAnswer(readAnswer(answer), request, responder);
  } catch (error) {
    return responder.refuse(failureOf(error, request));
  }
}

function callOf({ request, records }: Handling, next: HandlerCall['next']): HandlerCall {
  const { session, now } = request;
  return {
    request: handledRequest(request),
    records: recordsOf(records, session),
    session,
    now: new Date(now),
    seed: request.requestSeed(),
    next,
  };
}

function handledRequest({ plan, request, parameters, body }: ValidRequest): HandledRequest {
  const { id } = plan.operation;
  const sentIn = (place: string): Record<string, JsonValue> =>
    Object.fromEntries(
      [...parameters].flatMap(([key, value]) =>
        key.startsWith(`${place} `) ? [[key.slice(place.length + 1), value] as const] : [],
      ),
    );
  return {
    operation: id,
    method: request.method,
    target: request.target,
    path: sentIn('path'),
    query: sentIn('query'),
    cookies: sentIn('cookie'),
    headers: headersOf(request.headers),
    body,
  };
}

function headersOf(list: HttpResponse['headers']): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of list) {
    const key = name.toLowerCase();
    const before = fields.get(key);
    fields.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(fields);
}

function shownAnswer({ status, headers, body }: HttpResponse): HandledAnswer {
  const type = headerValue(headers, 'content-type') ?? '';
  const reading = isJsonMediaType(type) ? parseJson(body) : undefined;
  const text = body.length === 0 ? undefined : new TextDecoder().decode(body);
  return {
    status,
    headers: headersOf(withoutHeader(headers, 'content-length')),
    body: reading?.ok === true ? reading.value : text,
  };
}

const wayOut = 'Change what the handler answers.';
const known = ['status', 'headers', 'body'];

/** Throws a VouchError ('handler-failed') for what is no answer. */
function readAnswer(answer: unknown): HandlerAnswer {
  if (!isJsonObject(answer))
    throw new VouchError('handler-failed', 'A handler answers { status, headers, body }.');
  const { status, headers } = answer;
  const other = Object.keys(answer).find((name) => !known.includes(name));
  if (other !== undefined)
    throw new VouchError(
      'handler-failed',
      `An answer has no ${other}: it has ${known.join(', ')}, as in { body: { … } }.`,
    );
  const isStatus = Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
  if (status !== undefined && !isStatus)
    throw new VouchError('handler-failed', `${String(status)} is no status from 200 to 599.`);
  if (headers !== undefined && !isJsonObject(headers))
    throw new VouchError('handler-failed', 'The headers of an answer are an object.');
  return answer;
}

function writeAnswer(
  { status, headers, body }: HandlerAnswer,
  request: ValidRequest,
  responder: Responder,
): HttpResponse {
  const fields = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)] as const),
  );
  if (body !== undefined)
    return playAnswer(
      { ...defined({ status }), headers: fields, body: plainJson(body) },
      request,
      responder,
      wayOut,
    );
  const shown = showStatus(
    status ?? request.plan.status,
    request,
    'the handler answers with this status',
  );
  return withHeaders(responder.show(shown, request), fields);
}

/** An exception as a fault: `TypeError: x is not a function (handlers/createPet.ts:12:7)`. */
function failureOf(error: unknown, { plan }: ValidRequest): Fault {
  const isOwn = error instanceof VouchError;
  const said = error instanceof Error ? `${isOwn ? '' : `${error.name}: `}${error.message}` : error;
  const place = error instanceof Error ? placeIn(error.stack ?? '') : undefined;
  const hint = isOwn && error.hint !== undefined ? ` ${error.hint}` : '';
  const message =
    `The handler of ${plan.operation.id} failed: ${String(said).replace(/\.$/, '')}` +
    `${place === undefined ? '' : ` (${place})`}.${hint}`;
  return makeFault('internal', 'handler_failed', message);
}

/** The first place of a stack outside packages and Node: `/app/handlers/createPet.ts:12:7`. */
function placeIn(stack: string): string | undefined {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const places = frames.flatMap(
    (line) => /\(?((?:file:\/\/)?\/?[^\s()]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? [],
  );
  const own = places.find((place) => !/node:|node_modules|\/src\/mock\//.test(place));
  return own?.replace(/^file:\/\//, '').replace(/\?[^:]*/, '');
}

/** The records of one session, for a handler. */
function recordsOf(records: Records, session: string): SessionRecords {
  const placeOf = (resource: string, { parents = [] }: Below = {}): RecordPlace => {
    const kind = records.kinds.find(({ name }) => name === resource);
    if (kind === undefined)
      throw new VouchError('handler-failed', `There are no records ${resource}.`, {
        hint: suggestWord(
          resource,
          records.kinds.map(({ name }) => name),
        ),
      });
    return { session, resource, parents };
  };
  return {
    async list(resource, { offset = 0, limit = Number.MAX_SAFE_INTEGER - 1, ...below } = {}) {
      const page = await records.list(placeOf(resource, below), { offset, limit });
      return (page?.records ?? []).map(({ record }) => record);
    },
    get: async (resource, id, below) => records.get(placeOf(resource, below), String(id)),
    async put(resource, id, given, below) {
      const place = placeOf(resource, below);
      const record = plainJson(given);
      const put = await records.put(place, { id: String(id), record });
      if (put.kind === 'created' || put.kind === 'replaced') return put.stored.record;
      const at = `the record ${String(id)} of ${resource}`;
      const missing = await records.missing(place);
      const [issue] = put.kind === 'broken' ? put.issues : [];
      throw new VouchError(
        'handler-failed',
        missing ??
          (issue === undefined
            ? `There is no room for ${at}.`
            : `The contract does not allow ${at}: at ${issue.at || 'its root'}, ${issue.message}.`),
      );
    },
    remove: async (resource, id, below) => records.remove(placeOf(resource, below), String(id)),
  };
}

/** Deeper values are taken for a circle. */
const deepest = 500;

/**
 * What a program gave as JSON: like JSON.stringify, members that are undefined are left out and
 * `toJSON` is called, so a Date is its text; bigints stay. Throws a VouchError ('handler-failed')
 * for what JSON cannot say, with its place.
 */
function plainJson(value: unknown, at = '', depth = 0): JsonValue {
  const given = isConvertible(value) ? value.toJSON() : value;
  if (given === null || typeof given === 'string' || typeof given === 'boolean') return given;
  if (typeof given === 'bigint' || (typeof given === 'number' && Number.isFinite(given)))
    return given;
  if (typeof given !== 'object') throw noJson(at, `it is ${wordFor(given)}`);
  if (depth > deepest) throw noJson('', 'it contains itself');
  if (Array.isArray(given))
    return given.map((item: unknown, index) =>
      item === undefined ? null : plainJson(item, `${at}/${String(index)}`, depth + 1),
    );
  const made: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(given))
    if (member !== undefined) setMember(made, name, plainJson(member, `${at}/${name}`, depth + 1));
  return made;
}

function isConvertible(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'toJSON' in value &&
    typeof value.toJSON === 'function'
  );
}

function wordFor(given: unknown): string {
  if (given === undefined || typeof given === 'number') return String(given);
  return `a ${typeof given}`;
}

function noJson(at: string, why: string): VouchError {
  const place = at === '' ? 'of the handler' : `at ${at}`;
  return new VouchError('handler-failed', `The value ${place} is no JSON: ${why}.`);
}

/**
 * The handler of each operation, by its id. Throws a VouchError ('handler-invalid') for a name
 * without an operation, for two handlers of one operation, and for what is no function.
 */
export function findHandlers(
  handlers: Handlers,
  { operations }: Pick<Contract, 'operations'>,
): ReadonlyMap<string, Handler> {
  const found = new Map<string, Handler>();
  for (const [name, handler] of Object.entries(handlers)) {
    if (handler === undefined) continue;
    const operation = operations.find((one) => one.id === name || addressOf(one) === name);
    if (operation === undefined)
      throw new VouchError('handler-invalid', `The contract has no operation ${name}.`, {
        hint: suggestId(name, operations),
      });
    if (typeof handler !== 'function')
      throw new VouchError('handler-invalid', `The handler of ${name} is no function.`, {
        hint: 'Write ({ request, next }) => ({ body: … }).',
      });
    if (found.has(operation.id))
      throw new VouchError('handler-invalid', `${operation.id} has two handlers.`, {
        hint: `One is named ${operation.id}, the other ${addressOf(operation)}: remove one.`,
      });
    found.set(operation.id, handler);
  }
  return found;
}

function addressOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}
