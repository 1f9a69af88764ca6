import type { IncomingMessage } from 'node:http';
import type { HeaderList } from '../http/message.ts';

/** The parts of a request before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** The request target on the wire, in any form. */
  readonly target: string;
  /** The HTTP version: `1.1`. */
  readonly version: string;
  /** In wire order, with duplicates, and with names in their original case. */
  readonly headers: HeaderList;
}

/**
 * The head of a request as plain data. In a mounted application, the target is the part after the
 * mount path.
 */
export function readHead(request: IncomingMessage): RequestHead {
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    version: request.httpVersion,
    headers: pairHeaders(request.rawHeaders),
  };
}

function pairHeaders(flat: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    pairs.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return pairs;
}
