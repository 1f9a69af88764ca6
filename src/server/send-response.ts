import type { ServerResponse } from 'node:http';
import { headerValue, type HeaderList, type HttpResponse } from '../http/message.ts';
import { safeHeaders } from './safe-headers.ts';

/** Fields that speak of this connection or of framing (RFC 9110, section 7.6.1): the server's business, never the mock's. */
const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Sends an answer whole: header fields in order with duplicates kept, and always with a length where there may be a body. */
export function sendResponse(response: ServerResponse, message: HttpResponse): void {
  response.writeHead(message.status, flatten(wireHeaders(response.req.method, message)));
  response.end(wireBody(response.req.method, message));
}

/** Sends an answer whole and announces that the connection closes, but leaves it to the caller to end the response. */
export function sendLastResponse(response: ServerResponse, message: HttpResponse): void {
  const headers: HeaderList = [...wireHeaders(response.req.method, message), ['Connection', 'close']];
  response.writeHead(message.status, flatten(headers));
  const body = wireBody(response.req.method, message);
  if (body === undefined) response.flushHeaders();
  else response.write(body);
}

/** Whether Node can send a status as the end of an exchange: an informational one never is (RFC 9110, section 15.2). */
export function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 999;
}

function wireHeaders(method: string | undefined, message: HttpResponse): HeaderList {
  const headers = safeHeaders(message.headers).filter(([name]) => !connectionFields.has(name.toLowerCase()));
  const length = contentLength(method, message);
  return length === undefined ? headers : [...headers, ['Content-Length', length]];
}

/** RFC 9110, section 8.6: none with 204, nor with 304 here; for HEAD it is the length that GET would have sent. */
function contentLength(method: string | undefined, { status, headers, body }: HttpResponse): string | undefined {
  if (status === 204 || status === 304) return undefined;
  if (status === 205) return '0';
  const announced = headerValue(headers, 'Content-Length') ?? '';
  if (method === 'HEAD' && body.length === 0 && /^[0-9]{1,15}$/.test(announced)) return announced;
  return String(body.length);
}

function wireBody(method: string | undefined, { status, body }: HttpResponse): Uint8Array | undefined {
  const bodiless = method === 'HEAD' || status === 204 || status === 205 || status === 304;
  return bodiless || body.length === 0 ? undefined : body;
}

function flatten(headers: HeaderList): string[] {
  return headers.flatMap(([name, value]) => [name, value]);
}
