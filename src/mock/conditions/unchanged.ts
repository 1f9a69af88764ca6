import { headerValue, headerValues, type HttpResponse } from '../../http/message.ts';
import type { Reply } from '../answer/reply.ts';
import type { ValidRequest } from '../behaviour.ts';
import { listsTag } from './entity-tag.ts';

/**
 * The reply that stands for an answer which the client has already (RFC 9110, section 13.1.2);
 * undefined where it has not, or where the contract documents no 304.
 */
export function unchanged(
  { plan, request: { method, headers } }: ValidRequest,
  answer: HttpResponse,
): Reply | undefined {
  if (
    answer.status !== 200 ||
    (method !== 'GET' && method !== 'HEAD') ||
    plan.answerPlan(304).response?.status !== '304'
  )
    return undefined;
  const [tag, known] = [
    headerValue(answer.headers, 'etag'),
    headerValues(headers, 'if-none-match'),
  ];
  if (tag === undefined || known.length === 0 || !listsTag(known, tag)) return undefined;
  return { kind: 'reply', status: 304, body: undefined, headers: [['ETag', tag]] };
}
