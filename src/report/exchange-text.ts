import type { Exchange } from '../check/model/exchange.ts';
import { headerValue } from '../http/message.ts';
import { countOf, formatDuration } from '../text/counts.ts';
import { cleanLine, cutText } from '../text/safe-text.ts';
import type { BodyMatter } from './body-matter.ts';
import { bodyFragment } from './body-text.ts';

/**
 * The whole address that was asked: the origin of the base URL, and the target as it stood on the
 * wire.
 */
export function urlOf({ baseUrl, request }: Exchange): string {
  return `${originOf(baseUrl)}${request.target}`;
}

/** The request as one line: `GET http://127.0.0.1:4010/v1/items?limit=1`. */
function requestLine(exchange: Exchange): string {
  return cleanLine(`${exchange.request.method} ${urlOf(exchange)}`);
}

/**
 * What came of it as one line: status, media type, size and time; or the fault that kept an answer
 * from coming whole.
 */
function responseLine({ response, fault, durationMs, resent }: Exchange): string {
  const time = `${formatDuration(durationMs)}${resent === undefined ? '' : ' · sent twice, for an idle connection was closed'}`;
  const broken =
    fault === undefined
      ? []
      : [`no whole answer: ${fault.kind} (${cleanLine(cutText(fault.message, 200))})`];
  if (response === undefined) return [...broken, time].join(' · ');
  const type = headerValue(response.headers, 'content-type');
  const encoding = headerValue(response.headers, 'content-encoding');
  const words = [
    String(response.status),
    ...(type === undefined ? [] : [type]),
    ...(encoding === undefined ? [] : [encoding]),
  ];
  return [
    ...words.map((word) => cleanLine(cutText(word, 100))),
    countOf(response.body.length, 'byte'),
    time,
    ...broken,
  ].join(' · ');
}

/**
 * Request, answer and a part of its body, which stands behind bars so that no line of it is taken
 * for one of vouch's own: the part in which `matter` stands, else the beginning.
 */
export function exchangeLines(exchange: Exchange, matter?: BodyMatter): string[] {
  const body = bodyFragment(exchange.response?.body ?? new Uint8Array(), matter).map(
    (line) => `| ${line}`,
  );
  return [requestLine(exchange), responseLine(exchange), ...body];
}

/** The request's target is the whole path on the wire, that of the base URL included. */
function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}
