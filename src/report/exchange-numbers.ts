import { hash } from '../check/model/case.ts';
import type { Exchange } from '../check/model/exchange.ts';

/**
 * Where alike exchanges stand in a report: the first of them, by what they are. Thousands that are
 * alike show no more than these.
 */
export class ExchangeNumbers {
  readonly #byKey = new Map<string, number[]>();

  add(exchange: Exchange, number: number): void {
    const key = exchangeKey(exchange);
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [number]);
    else if (known.length < mostAlike) known.push(number);
  }

  of(exchange: Exchange): readonly number[] {
    return this.#byKey.get(exchangeKey(exchange)) ?? [];
  }
}

const mostAlike = 20;

/**
 * Tells exchanges apart by what was sent and what came; those that are alike in both have one key.
 */
function exchangeKey({ request, response, fault }: Exchange): string {
  const sent = `${request.method} ${request.target}\n${JSON.stringify(request.headers)}\n${latin1(request.body)}`;
  const came =
    response === undefined
      ? (fault?.kind ?? '')
      : `${String(response.status)}\n${JSON.stringify(response.headers)}\n${latin1(response.body)}`;
  return hash(`${sent}\n${came}`);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
