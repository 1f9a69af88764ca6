import { originOf, schemeOf } from '../../http/host.ts';
import type { HttpRequest } from '../../http/message.ts';

/** The whole URL of a request; on `localhost` if it names no host. */
export function requestUrl(request: HttpRequest): string {
  return /^https?:\/\//i.test(request.target)
    ? request.target
    : `${originOf(request) ?? `${schemeOf(request)}://localhost`}${request.target}`;
}
