import type { Answer } from '../../mock/mock.ts';
import type { NetworkFault } from '../../mock/scenarios/scenario.ts';

/** A delay and a network fault for all responses of the mock. */
export interface Disturbing {
  /** Added to the delay of each response, in milliseconds. */
  readonly delayMs: number;
  /** What happens on the wire; undefined for no fault. */
  readonly fault: NetworkFault | undefined;
  /** The share of responses that get it: above 0, and 1 for all. */
  readonly share: number;
}

const off: Disturbing = { delayMs: 0, fault: undefined, share: 1 };

/**
 * A switch for all requests at once: a delay, a network fault, or both. The mock still does what
 * the requests ask for.
 */
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
   * The response, changed if it is its turn: of ten responses at a share of 0.3 the fourth, the
   * seventh and the tenth are.
   */
  disturb(answer: Answer): Answer {
    const { delayMs, fault, share } = this.#setting;
    this.#owed += share;
    // Sums of tenths and thirds are a rounding error below 1.
    if (this.#owed < 1 - 1e-9) return answer;
    this.#owed -= 1;
    return {
      ...answer,
      delayMs: answer.delayMs + delayMs,
      ...(fault === undefined ? {} : { fault }),
    };
  }
}
