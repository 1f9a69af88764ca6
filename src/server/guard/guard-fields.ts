import { headerValues, type HeaderList, type HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { parseAuthority } from './authority.ts';
import { headerBlockLimit, headerCountLimit } from '../limits.ts';
import type { RequestHead } from '../request-head.ts';

/** Neither too many header fields nor too many bytes of them (RFC 6585, section 5). */
export function boundedHeaders({ headers }: RequestHead): HttpResponse | undefined {
  if (headers.length > headerCountLimit) {
    return problemResponse(431, `The request has more than ${headerCountLimit} header fields.`);
  }
  if (blockSize(headers) <= headerBlockLimit) return undefined;
  return problemResponse(
    431,
    `The header fields have more than ${headerBlockLimit} bytes together.`,
  );
}

function blockSize(headers: HeaderList): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

/** One `Host` that names a host; HTTP/1.0 may leave it out (RFC 9112, section 3.2). */
export function soundHost({ version, headers }: RequestHead): HttpResponse | undefined {
  const hosts = headerValues(headers, 'Host');
  if (hosts.length > 1) return problemResponse(400, 'The request has two Host headers. Send one.');
  const [host] = hosts;
  if (host === undefined)
    return version === '1.0' ? undefined : problemResponse(400, 'The request has no Host header.');
  if (parseAuthority(host) !== undefined) return undefined;
  return problemResponse(400, 'The Host header does not name a host, with or without a port.');
}

const single = ['Authorization', 'Content-Type'] as const;

/** Fields that two readers could take differently if they came twice (RFC 9110, section 5.3). */
export function singleFields({ headers }: RequestHead): HttpResponse | undefined {
  const doubled = single.find((name) => headerValues(headers, name).length > 1);
  return doubled === undefined
    ? undefined
    : problemResponse(400, `The request has two ${doubled} headers. Send one.`);
}
