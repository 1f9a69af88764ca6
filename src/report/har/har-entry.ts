import { decodeContent } from '../../check/evidence/answer/decode-content.ts';
import type { Exchange } from '../../check/model/exchange.ts';
import {
  type HeaderList,
  headerValue,
  type HttpRequest,
  type HttpResponse,
} from '../../http/message.ts';
import { defined } from '../../json/defined.ts';
import { writeBody } from '../body-text.ts';
import { urlOf } from '../exchange-text.ts';
import type { EventOf } from '../run-record.ts';

/**
 * One exchange as an entry of an HTTP Archive 1.2. What HAR has no word for stands in members that
 * begin with `_`, as it asks.
 */
export function harEntry(
  { case: tried, exchange }: EventOf<'exchange-recorded'>,
  endedAt: number,
): object {
  const { request, response, fault, durationMs } = exchange;
  return {
    startedDateTime: new Date(endedAt - durationMs).toISOString(),
    time: durationMs,
    request: harRequest(request, urlOf(exchange)),
    response: response === undefined ? noResponse(exchange) : harResponse(response),
    cache: {},
    // Only the whole is measured; HAR wants it in three parts that add up.
    timings: { send: 0, wait: durationMs, receive: 0 },
    _vouch: {
      case: tried.id,
      title: tried.title,
      phase: tried.phase,
      operation: tried.operation,
      ...defined({ fault }),
    },
  };
}

function harRequest({ method, headers, body, target }: HttpRequest, url: string): object {
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    queryString: query(target),
    ...(body.length === 0 ? {} : { postData: postData(headers, body) }),
    headersSize: -1,
    bodySize: body.length,
  };
}

/** HAR has no base64 for what was sent; `_encoding` says so in the way in which `content` does. */
function postData(headers: HeaderList, body: Uint8Array): object {
  const { encoding, text } = writeBody(body);
  return {
    mimeType: headerValue(headers, 'content-type') ?? '',
    text,
    ...(encoding === 'base64' ? { _encoding: encoding } : {}),
  };
}

function harResponse(response: HttpResponse): object {
  const { status, headers, body } = response;
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    content: content(response),
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: body.length,
  };
}

/**
 * A body is shown without its content coding, as HAR asks; one that cannot be decoded is shown as
 * it came.
 */
function content(response: HttpResponse): object {
  const { headers, body } = response;
  const mimeType = headerValue(headers, 'content-type') ?? '';
  const coded = body.length > 0 && headerValue(headers, 'content-encoding') !== undefined;
  const decoded = coded ? decodeContent(response) : undefined;
  const bytes = decoded?.ok === true ? decoded.bytes : body;
  const { encoding, text } = writeBody(bytes);
  return {
    size: bytes.length,
    ...(decoded?.ok === true ? { compression: bytes.length - body.length } : {}),
    mimeType,
    text,
    ...(encoding === 'base64' ? { encoding } : {}),
    ...(decoded?.ok === false
      ? { comment: 'as it came: its content coding cannot be undone' }
      : {}),
  };
}

/** Browsers' tools write a request without an answer as status 0. */
function noResponse({ fault }: Exchange): object {
  return {
    ...{ status: 0, statusText: '', httpVersion: '', cookies: [], headers: [] },
    content: { size: 0, mimeType: 'x-unknown' },
    ...{ redirectURL: '', headersSize: -1, bodySize: -1 },
    ...(fault === undefined ? {} : { _error: `${fault.kind}: ${fault.message}` }),
  };
}

function pairs(headers: HeaderList): { readonly name: string; readonly value: string }[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** The query as it stood on the wire; a part that is no percent-encoding stays as it is. */
function query(target: string): { readonly name: string; readonly value: string }[] {
  const at = target.indexOf('?');
  if (at === -1 || at === target.length - 1) return [];
  return target
    .slice(at + 1)
    .split('&')
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      return { name: decode(name), value: decode(value.join('=')) };
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
