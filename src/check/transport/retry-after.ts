import { headerValue, type HttpResponse } from '../../http/message.ts';

/**
 * The wait that `Retry-After` asks for, in milliseconds; it is written as seconds or as a date (RFC
 * 9110, section 10.2.3).
 */
export function readRetryAfter(response: HttpResponse, now: Date): number | undefined {
  const text = headerValue(response.headers, 'retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse makes a date of nearly anything; an HTTP date begins with the day's name (RFC 9110,
  // section 5.6.7).
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
