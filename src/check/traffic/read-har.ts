import { valueAt } from '../../json/pointer.ts';
import { usage, type VouchError } from '../../errors.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../../http/message.ts';
import { emptyBody } from '../../http/message.ts';
import { lenientLimits, parseJson } from '../../json/parse-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, memberOf } from '../../json/value.ts';
import type { Exchange } from '../model/exchange.ts';

/**
 * Reads a HAR file (HTTP Archive 1.2), as browsers and proxies write it. Entries without a response
 * (blocked, answered from a cache, not HTTP) are counted and left out. Throws a VouchError if the
 * text is not a HAR.
 */
export function readHar(bytes: Uint8Array, file: string): Traffic {
  const entries = entriesOf(bytes, file);
  const unusable = new Map<string, number>();
  const exchanges = entries.flatMap((entry, index) => {
    const read = readEntry(entry, index);
    if (typeof read !== 'string') return [read];
    unusable.set(read, (unusable.get(read) ?? 0) + 1);
    return [];
  });
  return { file, exchanges, unusable };
}

function entriesOf(bytes: Uint8Array, file: string): readonly JsonValue[] {
  const refuse = (message: string): VouchError =>
    usage(`${file} cannot be read as a HAR file: ${message}.`, {
      hint:
        'Export one from the network panel of a browser ("Save all as HAR with content"), or ' +
        'write one with --reporter har=FILE.',
    });
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const reading = parseJson(bytes.subarray(start), lenientLimits);
  if (!reading.ok) throw refuse(reading.problem.message);
  const entries = valueAt(reading.value, '/log/entries');
  if (!isJsonArray(entries)) throw refuse('it has no list of entries at /log/entries');
  return entries;
}

function textOf(value: JsonValue | undefined, name: string): string | undefined {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : undefined;
}

/** An entry, or why it cannot be judged, as a clause. */
function readEntry(entry: JsonValue, index: number): RecordedTraffic | string {
  const request = memberOf(entry, 'request');
  const response = memberOf(entry, 'response');
  const url = textOf(request, 'url') ?? '';
  const status = Number(memberOf(response, 'status') ?? 0);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 'not over HTTP';
  if (!Number.isInteger(status) || status < 100) return 'without a response';
  if (status === 304 || memberOf(entry, '_fromCache') !== undefined) return 'answered from a cache';
  const asked = readRequest(request, url);
  if (asked === undefined) return 'with a request body that was not recorded';
  const time = Number(memberOf(entry, 'time') ?? 0);
  const answered = readResponse(response, status, asked.method);
  return {
    label: `entry ${String(index + 1)}`,
    exchange: {
      baseUrl: new URL(url).origin,
      request: asked,
      response: answered.response,
      durationMs: time > 0 ? time : 0,
    },
    bodyRecorded: answered.bodyRecorded,
  };
}

/** Undefined if it had a body that the file does not contain. */
function readRequest(request: JsonValue | undefined, url: string): HttpRequest | undefined {
  const body = readPostData(request);
  if (body === undefined) return undefined;
  // The path as it was sent: a URL object would normalise it.
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  return {
    method: (textOf(request, 'method') ?? 'GET').toUpperCase(),
    target: target.startsWith('/') ? target : `/${target}`,
    headers: readHeaders(request),
    body,
  };
}

function readHeaders(message: JsonValue | undefined): HeaderList {
  const headers = memberOf(message, 'headers');
  if (!isJsonArray(headers)) return [];
  // Names such as `:authority` are HTTP/2's pseudo-headers for the request line.
  return headers.flatMap((header): HeaderList => {
    const name = textOf(header, 'name');
    return name === undefined || name.startsWith(':')
      ? []
      : [[name, textOf(header, 'value') ?? '']];
  });
}

function readPostData(request: JsonValue | undefined): Uint8Array | undefined {
  const posted = memberOf(request, 'postData');
  if (!isJsonObject(posted))
    return Number(memberOf(request, 'bodySize') ?? 0) > 0 ? undefined : emptyBody;
  const text = textOf(posted, 'text');
  if (text !== undefined && text !== '') return encodeText(text, textOf(posted, 'encoding'));
  const params = memberOf(posted, 'params');
  return isJsonArray(params) && params.length > 0 ? readParams(posted, params) : emptyBody;
}

/** A form recorded without its text; a multipart form cannot be rebuilt from its parts. */
function readParams(posted: JsonObject, params: readonly JsonValue[]): Uint8Array | undefined {
  if (!/^application\/x-www-form-urlencoded/i.test(textOf(posted, 'mimeType') ?? ''))
    return undefined;
  const pairs = params.map((param): [string, string] => [
    textOf(param, 'name') ?? '',
    textOf(param, 'value') ?? '',
  ]);
  return new TextEncoder().encode(new URLSearchParams(pairs).toString());
}

function encodeText(text: string, encoding: string | undefined): Uint8Array {
  return encoding === 'base64'
    ? new Uint8Array(Buffer.from(text, 'base64'))
    : new TextEncoder().encode(text);
}

/** A recording has the body without its content coding, so the headers about it are removed. */
function readResponse(
  response: JsonValue | undefined,
  status: number,
  method: string,
): { readonly response: HttpResponse; readonly bodyRecorded: boolean } {
  const content = memberOf(response, 'content');
  const text = textOf(content, 'text');
  const headers = readHeaders(response).filter(
    ([name]) =>
      !['content-encoding', 'content-length', 'transfer-encoding'].includes(name.toLowerCase()),
  );
  const size = Math.max(
    Number(memberOf(content, 'size') ?? 0),
    Number(memberOf(response, 'bodySize') ?? 0),
  );
  const bodyRecorded = text !== undefined || size <= 0 || method === 'HEAD' || status === 204;
  return {
    response: {
      status,
      headers,
      body: text === undefined ? emptyBody : encodeText(text, textOf(content, 'encoding')),
    },
    bodyRecorded,
  };
}

/** An exchange that was recorded by another tool, such as an entry of a HAR file. */
export interface RecordedTraffic {
  /** Its place in the recording: `entry 12 (GET /v1/pets)`. */
  readonly label: string;
  /** Its `baseUrl` is only the origin: the contract shows which part of the path is the base. */
  readonly exchange: Exchange;
  /** Whether the body of the response was recorded too. */
  readonly bodyRecorded: boolean;
  /** Whether the request is recorded byte for byte; recordings of browsers lose parts of forms. */
  readonly isExact?: boolean;
}

/** The exchanges of a recording, and how many of its entries cannot be judged, by the reason. */
export interface Traffic {
  /** The name of the file, for messages. */
  readonly file: string;
  readonly exchanges: readonly RecordedTraffic[];
  readonly unusable: ReadonlyMap<string, number>;
}
