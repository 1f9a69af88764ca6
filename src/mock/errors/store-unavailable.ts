import type { VouchError } from '../../errors.ts';
import type { HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';

const retrySeconds = '1';

/**
 * The answer where the store is out of reach (RFC 9110, section 15.6.4): no fault of the request,
 * and it may be sent again.
 */
export function storeUnavailable({ message }: VouchError): HttpResponse {
  return problemResponse(503, message, {
    headers: [['Retry-After', retrySeconds]],
    members: { code: 'store_unavailable' },
  });
}
