import { hash } from '../check/model/case.ts';
import type { DifferenceKind, RunInfo, TargetDifference } from '../check/model/event.ts';
import type { Exchange } from '../check/model/exchange.ts';
import { binaryText } from '../http/media-type.ts';
import { headerValue } from '../http/message.ts';
import { remember } from '../remember.ts';
import { countOf, formatDuration } from '../text/counts.ts';
import { cleanLine, cutText } from '../text/safe-text.ts';
import { bodyFragment, type BodyMatter } from './body-text.ts';
import { shownText } from './shown-text.ts';

/** The URL of a request: the origin of the base URL, and the target as sent. */
export function urlOf({ baseUrl, request }: Exchange): string {
  return `${originOf(baseUrl)}${request.target}`;
}

/** The request as one line: `GET http://127.0.0.1:4010/v1/items?limit=1`. */
function requestLine(exchange: Exchange): string {
  return cleanLine(shownText(`${exchange.request.method} ${urlOf(exchange)}`));
}

/** The result as one line: status, media type, size and time; or the fault. */
function responseLine({ response, fault, durationMs, resent }: Exchange): string {
  const twice = resent === undefined ? '' : ' · sent twice: the idle connection was closed';
  const time = `${formatDuration(durationMs)}${twice}`;
  const broken =
    fault === undefined
      ? []
      : [`no complete response: ${fault.kind} (${cleanLine(cutText(fault.message, 200))})`];
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
 * Request, response and a part of its body, prefixed with bars so that no line of it looks like one
 * of vouch: the part with `matter`, otherwise the beginning.
 */
export function exchangeLines(exchange: Exchange, matter?: BodyMatter): string[] {
  const body = bodyFragment(exchange.response?.body ?? new Uint8Array(), matter).map(
    (line) => `| ${line}`,
  );
  return [requestLine(exchange), responseLine(exchange), ...body];
}

/** The request's target is the whole path as sent, including that of the base URL. */
function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}

/**
 * Where equal exchanges are in a report: the first of them, by content. Equal exchanges need no
 * more entries.
 */
export class ExchangeNumbers {
  readonly #byKey = new Map<string, number[]>();

  add(exchange: Exchange, number: number): void {
    const key = exchangeKey(exchange);
    const known = remember(this.#byKey, key, () => []);
    if (known.length < maxAlike) known.push(number);
  }

  of(exchange: Exchange): readonly number[] {
    return this.#byKey.get(exchangeKey(exchange)) ?? [];
  }
}

const maxAlike = 20;

/** The key of an exchange: equal if request and response are equal. */
function exchangeKey({ request, response, fault }: Exchange): string {
  const sent =
    `${request.method} ` +
    `${request.target}\n${JSON.stringify(request.headers)}\n${binaryText(request.body)}`;
  const came =
    response === undefined
      ? (fault?.kind ?? '')
      : `${String(response.status)}\n${JSON.stringify(response.headers)}\n` +
        binaryText(response.body);
  return hash(`${sent}\n${came}`);
}

const kindWords: Readonly<Record<DifferenceKind, string>> = {
  answer: 'whether it responds',
  status: 'status',
  'media-type': 'media type',
  header: 'header',
  shape: 'shape',
  value: 'values',
  gap: 'gap',
};

/** The heading over the differences of a run: `Differences from URL (here | there)`. */
export function differenceTitle(run: RunInfo | undefined): string {
  return `Differences from ${run?.against ?? 'the second deployment'} (here | there)`;
}

/**
 * The kind of a difference between two deployments, and its place in the response: `shape at
 * /items/0/price`.
 */
export function differencePlace({ kind, at }: Pick<TargetDifference, 'kind' | 'at'>): string {
  const name = kindWords[kind];
  return at === '' ? name : kind === 'header' ? `${name} ${at}` : `${name} at ${at}`;
}
