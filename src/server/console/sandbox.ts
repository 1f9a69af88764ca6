import { headerValue, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { wantsHtml } from './pages.ts';

/** Media types whose documents can run scripts; without a type, browsers guess one. */
const active = /html|xml|^$/i;
/** The destinations of requests for documents (Fetch, section 2.2.5). */
const documents = /^(?:document|embed|frame|iframe|object)$/i;
/** Scripts and forms work, and the page has an origin of its own (HTML, section 7.1.5). */
const rules = 'sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads';

/**
 * Keeps a page of the contract apart from the console, which has the same origin: its scripts could
 * send what the console sends. Only for browsers that open it; other clients get what they asked
 * for.
 */
export function keepApart<Answer extends HttpResponse>(
  answer: Answer,
  { headers }: Pick<HttpRequest, 'headers'>,
): Answer {
  if (answer.body.length === 0) return answer;
  if (!active.test(headerValue(answer.headers, 'Content-Type') ?? '')) return answer;
  const isOpened =
    wantsHtml(headers) || documents.test(headerValue(headers, 'Sec-Fetch-Dest') ?? '');
  return isOpened
    ? { ...answer, headers: [...answer.headers, ['Content-Security-Policy', rules]] }
    : answer;
}
