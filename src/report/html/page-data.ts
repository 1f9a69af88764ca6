import type { RunInfo } from '../../check/model/event.ts';
import type { Exchange } from '../../check/model/exchange.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { remember } from '../../remember.ts';
import { type BodyText, writeBody } from '../body-text.ts';
import type { JsonExchange, JsonFinding, JsonGap, JsonReport } from '../json.ts';
import { exchangeOf } from '../json.ts';
import type { EarlierRun } from '../reporter.ts';
import type { EventOf } from '../run-record.ts';

/** The last block of data in the page: everything except the exchanges. */
export interface PageData extends Pick<JsonReport, 'skipped' | 'crashed'> {
  /** Missing if the run never started. */
  readonly run?: RunInfo | undefined;
  readonly summary: RunSummary;
  /** The verdict in a word or two, and its reason. */
  readonly headline: string;
  readonly reason: string;
  /** What keeps operations from being reached, and what may open the most of them. */
  readonly shut: readonly string[];
  /** The ids of operations that got requests and no judged response. */
  readonly untested: readonly string[];
  /** The most severe first. */
  readonly findings: readonly PageFinding[];
  readonly gaps: readonly (Omit<JsonGap, 'overlayAction'> & Answered)[];
  readonly differences: readonly PageDifference[];
  readonly differencesTitle: string;
  readonly left: readonly Pick<JsonReport['left'][number], 'operation' | 'record' | 'reason'>[];
  /** The rule of each check that has a finding, by the id of the check. */
  readonly rules: Readonly<Record<string, string>>;
  /** The runs before this one, oldest first. */
  readonly earlier: readonly EarlierRun[];
  /** The number of exchanges, and how many of them have no row in this page. */
  readonly exchanges: number;
  readonly leftOut: number;
  /** How many exchanges a block of data holds. */
  readonly step: number;
}

type PageDifference = JsonReport['differences'][number] & {
  /** Where in the response: the header, or the place in the body. */
  readonly place: string;
};

/** An Overlay with the one action that answers a finding or a gap. */
interface Answered {
  readonly overlay?: string | undefined;
}

type Shown = Omit<JsonFinding, 'exchange' | 'replay' | 'alsoSeenAs' | 'overlayAction'>;

/** A finding as the page reads it. */
export interface PageFinding extends Shown, Answered {
  /** The part of the body that the finding concerns. */
  readonly matter?: PageMatter | undefined;
  /** Whether `vouch replay` can send its requests again. */
  readonly replay: boolean;
  readonly alsoSeenAs: readonly Pick<JsonFinding, 'check' | 'operation' | 'message'>[];
  readonly exchange?: PageExchange | undefined;
  /** The request next to it that the server accepts. */
  readonly control?: PageExchange | undefined;
  /** The numbers of the exchanges that show it. */
  readonly entries?: readonly number[] | undefined;
}

/** Text to mark in a body: every match of the pattern, or the only one. */
export interface PageMatter {
  readonly pattern: string;
  readonly each: boolean;
}

/** A body of which the page may have only the beginning; `cut` is the number of bytes left out. */
export type PageBody = BodyText & { readonly cut?: number };

/** An exchange as the page reads it. */
export interface PageExchange extends Omit<JsonExchange, 'request' | 'response'> {
  readonly request: Omit<JsonExchange['request'], 'body'> & { readonly body: PageBody };
  readonly response?: Omit<NonNullable<JsonExchange['response']>, 'body'> & {
    readonly body: PageBody;
  };
}

/** Headers and body of a message, as positions in a list of texts. */
interface PackedParts {
  readonly headers: readonly (readonly [name: number, value: number])[];
  readonly body: Omit<PageBody, 'text'> & { readonly text: number };
}

type Packed<Whole> = Omit<Whole, keyof PackedParts> & PackedParts;

/** Exchanges of which each text is there once: services repeat headers and bodies. */
export interface PackedExchanges {
  readonly texts: readonly string[];
  readonly exchanges: readonly (Omit<PageExchange, 'request' | 'response'> & {
    readonly request: Packed<PageExchange['request']>;
    readonly response?: Packed<NonNullable<PageExchange['response']>>;
  })[];
}

type Message = Pick<PageExchange['request'], keyof PackedParts>;

/** Exchanges as a block of the page has them. */
export function packExchanges(exchanges: readonly PageExchange[]): PackedExchanges {
  const places = new Map<string, number>();
  const placeOf = (text: string): number => {
    return remember(places, text, () => places.size);
  };
  const partsOf = ({ headers, body }: Message): PackedParts => ({
    headers: headers.map(([name, value]) => [placeOf(name), placeOf(value)] as const),
    body: { ...body, text: placeOf(body.text) },
  });
  const packed = exchanges.map(({ request, response, ...rest }) => ({
    ...rest,
    request: { ...request, ...partsOf(request) },
    ...(response === undefined ? {} : { response: { ...response, ...partsOf(response) } }),
  }));
  return { texts: [...places.keys()], exchanges: packed };
}

/** The exchange with bodies of at most `maxBytes` each. */
export function pageExchange(exchange: Exchange, maxBytes: number): PageExchange {
  const { request, response, ...rest } = exchangeOf(exchange);
  return {
    ...rest,
    request: { ...request, body: cutBody(exchange.request.body, maxBytes) },
    ...(response === undefined || exchange.response === undefined
      ? {}
      : { response: { ...response, body: cutBody(exchange.response.body, maxBytes) } }),
  };
}

function cutBody(bytes: Uint8Array, maxBytes: number): PageBody {
  if (bytes.length <= maxBytes) return writeBody(bytes);
  // A character that is cut in two would turn the text into base64.
  const end =
    Array.from({ length: 4 }, (_, back) => maxBytes - back).find(
      (at) => ((bytes[at] ?? 0) & 0xc0) !== 0x80,
    ) ?? maxBytes;
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
