import { headerValues, type HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { acceptedCodings, readCodings } from './content-coding.ts';
import type { RequestHead } from '../request-head.ts';

/**
 * `chunked` is the only transfer coding, and HTTP/1.1 the only version that has one: a proxy that
 * reads HTTP/1.0 otherwise would see another request (RFC 9112, section 6.1). Node's parser has
 * refused most of what is malformed; before Node 24 not an empty list.
 */
export function knownTransferCoding({ version, headers }: RequestHead): HttpResponse | undefined {
  const codings = headerValues(headers, 'Transfer-Encoding').flatMap((value) => value.split(','));
  if (codings.length === 0) return undefined;
  if (version !== '1.1') return problemResponse(400, `HTTP/${version} has no Transfer-Encoding.`);
  if (codings.every((coding) => coding.trim() === ''))
    return problemResponse(400, 'The header Transfer-Encoding is empty.');
  if (codings.every((coding) => coding.trim().toLowerCase() === 'chunked')) return undefined;
  return problemResponse(501, 'The only transfer coding that is understood is chunked.');
}

/** One content coding that is understood, or none (RFC 9110, sections 12.5.3 and 15.5.16). */
export function knownCoding({ headers }: RequestHead): HttpResponse | undefined {
  if (readCodings(headers) !== undefined) return undefined;
  return problemResponse(
    415,
    `The Content-Encoding is not understood. Send one of ${acceptedCodings}, or none.`,
    {
      headers: [['Accept-Encoding', acceptedCodings]],
    },
  );
}

/** `100-continue` is the only expectation there is (RFC 9110, section 10.1.1). */
export function knownExpectation({ headers }: RequestHead): HttpResponse | undefined {
  const expectations = headerValues(headers, 'Expect');
  if (expectations.every((value) => value.trim().toLowerCase() === '100-continue'))
    return undefined;
  return problemResponse(417, 'The only expectation that can be met is 100-continue.');
}
