import type { Answer } from '../../mock/mock.ts';
import type { NetworkFault } from '../../mock/scenarios/scenario.ts';

/** A delay and a network fault for all responses of the mock. */
export interface Disturbing {
  /** Added to the delay of each response, in milliseconds. */
  readonly delayMs: number;
  /** What happens on the wire; undefined for no fault. */
  readonly fault: NetworkFault | undefined;
  /** The share of responses with the fault: above 0; 1 for all. */
  readonly share: number;
}

const off: Disturbing = { delayMs: 0, fault: undefined, share: 1 };

/** A delay, a network fault, or both, for all requests. The mock still executes the requests. */
export class Disturbance {
  #setting: Disturbing = off;
  #owed = 0;

  get setting(): Disturbing {
    return this.#setting;
  }

  /** Whether a delay or a fault is set. */
  get isOn(): boolean {
    return this.#setting !== off;
  }

  set(setting: Disturbing): void {
    this.#setting = setting;
    this.#owed = 0;
  }

  clear(): void {
    this.set(off);
  }

  /**
   * Applies the fault to the response if it is due: at a share of 0.3, to the fourth, seventh and
   * tenth of ten responses.
   */
  disturb(answer: Answer): Answer {
    const { delayMs, fault, share } = this.#setting;
    this.#owed += share;
    // Sums of tenths and thirds are slightly below 1 by rounding.
    if (this.#owed < 1 - 1e-9) return answer;
    this.#owed -= 1;
    return {
      ...answer,
      delayMs: answer.delayMs + delayMs,
      ...(fault === undefined ? {} : { fault }),
    };
  }
}
