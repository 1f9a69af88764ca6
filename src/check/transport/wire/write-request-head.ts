import type { HeaderList, HttpRequest } from '../../../http/message.ts';
import { UnsendableRequest } from '../unsendable-request.ts';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const badValue = /[^\t\x20-\x7e\x80-\xff]/;
const target = /^[\x21-\x7e\x80-\xff]+$/;
/** What speaks of the connection is the transport's to say (RFC 9110, section 7.6.1). */
const own = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);
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
export function writeRequestHead(
  { method, target: path, headers, body }: HttpRequest,
  { host, prefix, proxyFields }: Destination,
): string {
  if (!token.test(method))
    throw new UnsendableRequest(`the method ${JSON.stringify(method)} is no token`);
  if (!target.test(path))
    throw new UnsendableRequest(
      `the target ${JSON.stringify(path)} holds a character that no request line can carry`,
    );
  const { text, namesHost, lengths } = fieldsOf(headers);
  for (const length of lengths)
    if (length.trim() !== String(body.length))
      throw new UnsendableRequest(
        `Content-Length is ${length}, and the body has ${String(body.length)} bytes`,
      );
  const length =
    body.length > 0 || carrying.has(method) ? `Content-Length: ${String(body.length)}\r\n` : '';
  return `${method} ${prefix}${path} HTTP/1.1\r\n${namesHost ? '' : `Host: ${host}\r\n`}${text}${length}${proxyFields}\r\n`;
}

/** The fields of a header list as they go out. */
interface WrittenFields {
  readonly text: string;
  readonly namesHost: boolean;
  /** What the list says of the body's length: the transport says it itself. */
  readonly lengths: readonly string[];
}

/** Most requests of an operation have one list between them. */
function fieldsOf(headers: HeaderList): WrittenFields {
  const before = known.get(headers);
  if (before !== undefined) return before;
  const written = writeFields(headers);
  known.set(headers, written);
  return written;
}

const known = new WeakMap<HeaderList, WrittenFields>();

function writeFields(headers: HeaderList): WrittenFields {
  let text = '';
  let namesHost = false;
  const lengths: string[] = [];
  for (const [name, value] of headers) {
    const special = name.toLowerCase();
    if (own.has(special))
      throw new UnsendableRequest(
        `the header ${special} belongs to the connection, and cannot be chosen`,
      );
    namesHost ||= special === 'host';
    if (!token.test(name))
      throw new UnsendableRequest(`${JSON.stringify(name)} is no name of a header field`);
    if (badValue.test(value))
      throw new UnsendableRequest(`the header ${name} holds a character that no header can carry`);
    if (special === 'content-length') lengths.push(value);
    else text += `${name}: ${value}\r\n`;
  }
  return { text, namesHost, lengths };
}
