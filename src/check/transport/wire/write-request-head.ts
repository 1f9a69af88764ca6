import type { HttpRequest } from '../../../http/message.ts';
import { UnsendableRequest } from '../unsendable-request.ts';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const badValue = /[^\t\x20-\x7e\x80-\xff]/;
const target = /^[\x21-\x7e\x80-\xff]+$/;
/** What speaks of the connection is the transport's to say (RFC 9110, section 7.6.1). */
const own = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer']);
/** A request of these methods has a body even if it is empty (RFC 9110, section 8.6). */
const carrying = new Set(['POST', 'PUT', 'PATCH']);

/** Where requests go: `host` as the Host field names it; `prefix` stands before a target that is sent to a proxy. */
export interface Destination {
  readonly host: string;
  readonly prefix: string;
  /** Fields for the proxy alone, each with its CRLF. */
  readonly proxyFields: string;
}

/** The request line and the header fields as they go out, the empty line too: a character is a byte. Throws an UnsendableRequest. */
export function writeRequestHead({ method, target: path, headers, body }: HttpRequest, { host, prefix, proxyFields }: Destination): string {
  if (!token.test(method)) throw new UnsendableRequest(`the method ${JSON.stringify(method)} is no token`);
  if (!target.test(path)) throw new UnsendableRequest(`the target ${JSON.stringify(path)} holds a character that no request line can carry`);
  let text = `${method} ${prefix}${path} HTTP/1.1\r\n`;
  let fields = '';
  let named = false;
  for (const [name, value] of headers) {
    const special = name.length < 18 ? specialField(name.toLowerCase(), value, body.length) : undefined;
    if (special === 'skip') continue;
    named ||= special === 'host';
    if (!token.test(name)) throw new UnsendableRequest(`${JSON.stringify(name)} is no name of a header field`);
    if (badValue.test(value)) throw new UnsendableRequest(`the header ${name} holds a character that no header can carry`);
    fields += `${name}: ${value}\r\n`;
  }
  if (!named) text += `Host: ${host}\r\n`;
  if (body.length > 0 || carrying.has(method)) fields += `Content-Length: ${String(body.length)}\r\n`;
  return `${text}${fields}${proxyFields}\r\n`;
}

/** What is said by the transport itself is left out where it is the same, and refused where it is not. */
function specialField(name: string, value: string, length: number): 'skip' | 'host' | undefined {
  if (name === 'host') return 'host';
  if (name === 'content-length') {
    if (value.trim() !== String(length)) throw new UnsendableRequest(`Content-Length is ${value}, and the body has ${String(length)} bytes`);
    return 'skip';
  }
  if (own.has(name)) throw new UnsendableRequest(`the header ${name} belongs to the connection, and cannot be chosen`);
  return undefined;
}
