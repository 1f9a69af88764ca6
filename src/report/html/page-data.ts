import type { Exchange } from '../../check/model/exchange.ts';
import { type BodyText, writeBody } from '../body-text.ts';
import { exchangeOf, type JsonExchange } from '../json.ts';
import type { EventOf } from '../run-record.ts';

/**
 * A body of which the page may hold the beginning alone; `cut` says how many bytes are left out.
 */
type PageBody = BodyText & { readonly cut?: number };

/** An exchange as the page reads it. */
export interface PageExchange extends Omit<JsonExchange, 'request' | 'response'> {
  readonly request: Omit<JsonExchange['request'], 'body'> & { readonly body: PageBody };
  readonly response?: Omit<NonNullable<JsonExchange['response']>, 'body'> & {
    readonly body: PageBody;
  };
}

/** The exchange with bodies of at most `mostBytes` each. */
export function pageExchange(exchange: Exchange, mostBytes: number): PageExchange {
  const { request, response, ...rest } = exchangeOf(exchange);
  return {
    ...rest,
    request: { ...request, body: cutBody(exchange.request.body, mostBytes) },
    ...(response === undefined || exchange.response === undefined
      ? {}
      : { response: { ...response, body: cutBody(exchange.response.body, mostBytes) } }),
  };
}

function cutBody(bytes: Uint8Array, mostBytes: number): PageBody {
  if (bytes.length <= mostBytes) return writeBody(bytes);
  // A character that is cut in two would make bytes of the whole text.
  const end =
    Array.from({ length: 4 }, (_, back) => mostBytes - back).find(
      (at) => ((bytes[at] ?? 0) & 0xc0) !== 0x80,
    ) ?? mostBytes;
  return { ...writeBody(bytes.subarray(0, end)), cut: bytes.length - end };
}

/** An exchange as one row of a table, as short as it can be. */
export type PageRow = readonly [
  number: number,
  operation: string,
  phase: string,
  title: string,
  method: string,
  target: string,
  outcome: number | string,
  ms: number,
  elapsedMs?: number,
];

const longestTarget = 300;

/** The row of an exchange, by its number. */
export function pageRow(
  number: number,
  {
    case: { operation, phase, title },
    exchange: { request, response, fault, durationMs },
    elapsedMs,
  }: EventOf<'exchange-recorded'>,
): PageRow {
  const row = [
    number,
    operation,
    phase,
    title.slice(0, longestTarget),
    request.method,
    request.target.slice(0, longestTarget),
    response?.status ?? fault?.kind ?? 'no answer',
    Math.round(durationMs * 10) / 10,
  ] as const;
  return elapsedMs === undefined ? row : [...row, Math.round(elapsedMs)];
}
