import { headerValue, type HttpResponse } from './message.ts';

/** Whether a status is 2xx (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether a status is 3xx (RFC 9110, section 15.4). */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Whether a status is 4xx (RFC 9110, section 15.5). */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/**
 * Whether a response asks the client to retry later: 429 (RFC 6585, section 4), or 503 with
 * `Retry-After`.
 */
export function asksToWait({ status, headers }: HttpResponse): boolean {
  return status === 429 || (status === 503 && headerValue(headers, 'retry-after') !== undefined);
}
