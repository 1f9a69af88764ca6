import type { IncomingMessage } from 'node:http';
import type { HeaderList } from '../http/message.ts';

/** What is known of a request before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** The request target as it stands on the wire, in whatever form. */
  readonly target: string;
  /** The HTTP version: `1.1`. */
  readonly version: string;
  /** In the order of the wire, duplicates kept, names in the case they came in. */
  readonly headers: HeaderList;
}

/**
 * Clients send the same words over and over: the last head is read once, and to whom it is the same
 * again it need not be judged again.
 */
let last: RequestHead = { method: '', target: '', version: '', headers: [] };

/**
 * The head of a request as plain data; the same object for the next request, where that has the
 * very same words. In a mounted application the target is what stands after the mount path.
 */
export function readHead(request: IncomingMessage): RequestHead {
  if (!isSame(last, request))
    last = {
      method: request.method ?? '',
      target: request.url ?? '',
      version: request.httpVersion,
      headers: pairHeaders(request.rawHeaders),
    };
  return last;
}

function isSame(
  { method, target, version, headers }: RequestHead,
  { method: sentMethod, url, httpVersion, rawHeaders: flat }: IncomingMessage,
): boolean {
  if (
    target !== url ||
    method !== sentMethod ||
    version !== httpVersion ||
    headers.length * 2 !== flat.length
  )
    return false;
  for (let at = 0; at < headers.length; at += 1) {
    const field = headers[at];
    if (field === undefined || field[1] !== flat[2 * at + 1] || field[0] !== flat[2 * at])
      return false;
  }
  return true;
}

function pairHeaders(flat: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    pairs.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return pairs;
}
