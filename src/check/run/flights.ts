import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasSpoken } from '../evidence/has-spoken.ts';
import type { Exchange } from '../model/exchange.ts';
import type { SendPolitely } from '../transport/polite-send.ts';

/** An exchange whose connection was closed without an answer, and when it began and ended. */
interface CutOff {
  readonly exchange: Exchange;
  readonly began: number;
  readonly ended: number;
}

/** Whether the connection was closed under a request that was sent, and no answer came. */
export function isCutOff({ fault, resent }: Exchange): boolean {
  if (fault?.kind === 'connection.reset' || fault?.kind === 'connection.truncated') return true;
  // A request that is sent again on a new connection meets the refusal of a service that is gone.
  return fault?.kind === 'connection.refused' && resent !== undefined;
}

/**
 * Follows the requests in flight, to tell after which of them a service was gone. A request that
 * was cut off is forgotten
 * as soon as one is answered that was sent later.
 */
export class Flights {
  readonly #open = new Set<Promise<unknown>>();
  #cutOff: CutOff[] = [];
  #time = 0;

  /** The same way to send, followed. */
  follow(send: SendPolitely): SendPolitely {
    return async (baseUrl, request, signals) => {
      const began = this.#tick();
      const flight = send(baseUrl, request, signals);
      this.#open.add(flight);
      try {
        const exchanges = await flight;
        this.#land(exchanges.at(-1) ?? exchanges[0], began);
        return exchanges;
      } finally {
        this.#open.delete(flight);
      }
    };
  }

  /**
   * The exchanges that were cut off and followed by no answer, in the order in which they were
   * sent.
   */
  get cutOff(): readonly Exchange[] {
    return this.#cutOff
      .toSorted((left, right) => left.began - right.began)
      .map(({ exchange }) => exchange);
  }

  /** Resolves when every request in flight has ended, and whoever waits for it was told. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#open]);
    await nextTurn();
  }

  #land(exchange: Exchange, began: number): void {
    const ended = this.#tick();
    if (isCutOff(exchange)) this.#cutOff.push({ exchange, began, ended });
    else if (hasSpoken(exchange))
      this.#cutOff = this.#cutOff.filter((other) => other.ended > began);
  }

  #tick(): number {
    this.#time += 1;
    return this.#time;
  }
}
