import { emptyBody, headerValue, type HttpResponse, withHeader } from '../../http/message.ts';

/**
 * HEAD has the headers of GET, including the length, and no body (RFC 9110, section 9.3.2). The
 * length is left out where it is not known: an operation that is HEAD itself writes no body.
 */
export function forMethod<Answer extends HttpResponse>(method: string, answer: Answer): Answer {
  if (method !== 'HEAD') return answer;
  const hasLength =
    headerValue(answer.headers, 'content-length') !== undefined ||
    answer.body.length === 0 ||
    answer.status === 204 ||
    answer.status === 304;
  return {
    ...answer,
    headers: hasLength
      ? answer.headers
      : withHeader(answer.headers, 'Content-Length', String(answer.body.length)),
    body: emptyBody,
  };
}
