import type { Exchange } from '../check/finding.ts';
import { headerValue } from '../http/message.ts';
import { bodyFragment } from './body-text.ts';
import { countOf, formatDuration } from '../text/counts.ts';
import { cleanLine, cutText } from '../text/safe-text.ts';

/** The request as one line: `GET http://127.0.0.1:4010/v1/items?limit=1`. */
function requestLine({ baseUrl, request }: Exchange): string {
  return cleanLine(`${request.method} ${originOf(baseUrl)}${request.target}`);
}

/** What came of it as one line: status, media type, size and time; or the fault that kept an answer from coming whole. */
function responseLine({ response, fault, durationMs }: Exchange): string {
  const time = formatDuration(durationMs);
  const broken = fault === undefined ? [] : [`no whole answer: ${fault.kind} (${cleanLine(cutText(fault.message, 200))})`];
  if (response === undefined) return [...broken, time].join(' · ');
  const type = headerValue(response.headers, 'content-type');
  const encoding = headerValue(response.headers, 'content-encoding');
  const words = [String(response.status), ...(type === undefined ? [] : [type]), ...(encoding === undefined ? [] : [encoding])];
  return [...words.map((word) => cleanLine(cutText(word, 100))), countOf(response.body.length, 'byte'), time, ...broken].join(' · ');
}

/** Request, answer and the beginning of its body, which stands behind bars so that no line of it is taken for one of vouch's own. */
export function exchangeLines(exchange: Exchange): string[] {
  const body = bodyFragment(exchange.response?.body ?? new Uint8Array()).map((line) => `| ${line}`);
  return [requestLine(exchange), responseLine(exchange), ...body];
}

/** The request's target is the whole path on the wire, that of the base URL included. */
function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}
