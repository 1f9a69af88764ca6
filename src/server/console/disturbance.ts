import type { Answer } from '../../mock/mock.ts';
import type { NetworkFault } from '../../mock/scenarios/network-fault.ts';

/** What befalls answers of the mock, whatever they are. */
export interface Disturbing {
  /** Added to the delay of each answer, in milliseconds. */
  readonly delayMs: number;
  /** What happens on the wire; undefined for nothing. */
  readonly fault: NetworkFault | undefined;
  /** The share of answers that it befalls: above 0, and 1 for all. */
  readonly share: number;
}

const calm: Disturbing = { delayMs: 0, fault: undefined, share: 1 };

/**
 * A switch for all requests at once: a delay, a network fault, or both. What the requests ask for
 * is done all the same.
 */
export class Disturbance {
  #setting: Disturbing = calm;
  #owed = 0;

  get setting(): Disturbing {
    return this.#setting;
  }

  /** Whether anything is to be done at all. */
  get isOn(): boolean {
    return this.#setting !== calm;
  }

  set(setting: Disturbing): void {
    this.#setting = setting;
    this.#owed = 0;
  }

  clear(): void {
    this.set(calm);
  }

  /**
   * The answer, disturbed where it is its turn: of ten answers at a share of 0.3 these are the
   * fourth, the seventh and the tenth.
   */
  disturb(answer: Answer): Answer {
    const { delayMs, fault, share } = this.#setting;
    this.#owed += share;
    // What tenths and thirds add up to falls short of a whole by a hair.
    if (this.#owed < 1 - 1e-9) return answer;
    this.#owed -= 1;
    return {
      ...answer,
      delayMs: answer.delayMs + delayMs,
      ...(fault === undefined ? {} : { fault }),
    };
  }
}
