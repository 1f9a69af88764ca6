import type { Exchange } from '../../check/model/exchange.ts';
import type { HeaderList } from '../../http/message.ts';
import { writeBody } from '../body-text.ts';
import { urlOf } from '../exchange-text.ts';

/** What a result shows of its exchange (SARIF 2.1.0, sections 3.46 and 3.47). */
export interface SarifExchange {
  readonly webRequest: {
    readonly protocol: string;
    readonly version: string;
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: SarifBody;
  };
  readonly webResponse: {
    readonly protocol?: string;
    readonly version?: string;
    readonly statusCode?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: SarifBody;
    readonly noResponseReceived: boolean;
  };
}

type SarifBody = { readonly text: string } | { readonly binary: string };

/** Enough of a body to see what it is: a log has to stay below 10 MB. */
const mostBytes = 4096;

/**
 * The exchange of a finding; `target` is the whole URL, because the log knows of no other place for
 * it.
 */
export function sarifExchange(exchange: Exchange): SarifExchange {
  const { request, response } = exchange;
  return {
    webRequest: {
      protocol: 'http',
      version: '1.1',
      method: request.method,
      target: urlOf(exchange),
      headers: headersOf(request.headers),
      ...bodyOf(request.body),
    },
    webResponse:
      response === undefined
        ? { noResponseReceived: true }
        : {
            protocol: 'http',
            version: '1.1',
            statusCode: response.status,
            headers: headersOf(response.headers),
            ...bodyOf(response.body),
            noResponseReceived: false,
          },
  };
}

/**
 * SARIF has one value for a name; several of one name are joined as HTTP allows (RFC 9110, section
 * 5.3).
 */
function headersOf(headers: HeaderList): Record<string, string> {
  const byName = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    [...byName].map(([name, fields]) => [name, fields.map(([, value]) => value).join(', ')]),
  );
}

function bodyOf(body: Uint8Array): { readonly body?: SarifBody } {
  if (body.length === 0) return {};
  const whole = writeBody(body);
  if (whole.encoding === 'base64')
    return { body: { binary: Buffer.from(body.subarray(0, mostBytes)).toString('base64') } };
  return { body: { text: whole.text.slice(0, mostBytes).toWellFormed() } };
}
