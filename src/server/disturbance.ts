import type { HttpResponse } from '../http/message.ts';
import type { Answer, ChosenError } from '../mock/mock.ts';
import type { NetworkFault } from '../mock/scenarios/scenario.ts';

/** A delay, a speed, an error and a network fault for the responses of the mock. */
export interface Disturbing {
  /** Added to the delay of each response, in milliseconds. */
  readonly delayMs: number;
  /** The speed at which bodies arrive; undefined for full speed. */
  readonly bytesPerSecond?: number | undefined;
  /** The status of the error that replaces each response; undefined for none. */
  readonly status?: number | undefined;
  /** What happens on the wire; undefined for no fault. */
  readonly fault: NetworkFault | undefined;
  /** The share of responses that are disturbed: above 0; 1 for all. */
  readonly share: number;
  /** The operation whose responses are disturbed; undefined for all. */
  readonly operation?: string | undefined;
}

const off: Disturbing = { delayMs: 0, fault: undefined, share: 1 };

/** Disturbs the responses to all requests. The mock still executes the requests. */
export class Disturbance {
  #setting: Disturbing = off;
  #owed = 0;

  get setting(): Disturbing {
    return this.#setting;
  }

  /** Whether anything is set. */
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
   * Disturbs the response if it is due: at a share of 0.3, the fourth, seventh and tenth of ten
   * responses. `write` writes its error.
   */
  disturb(answer: Answer, write: (error: ChosenError) => HttpResponse): Answer {
    const { delayMs, status, fault, share, operation } = this.#setting;
    if (operation !== undefined && answer.operation !== operation) return answer;
    this.#owed += share;
    // Sums of tenths and thirds are slightly below 1 by rounding.
    if (this.#owed < 1 - 1e-9) return answer;
    this.#owed -= 1;
    const onWire = fault ?? slowness(this.#setting);
    return {
      ...answer,
      ...(status === undefined ? {} : write(errorOf(status))),
      delayMs: answer.delayMs + delayMs,
      ...(onWire === undefined ? {} : { fault: onWire }),
    };
  }
}

const pieceMs = 100;

function slowness({ bytesPerSecond }: Disturbing): NetworkFault | undefined {
  if (bytesPerSecond === undefined) return undefined;
  const bytes = Math.max(1, Math.round((bytesPerSecond * pieceMs) / 1000));
  return { kind: 'dribble', bytes, everyMs: pieceMs };
}

function errorOf(status: number): ChosenError {
  const why = 'because this fault is set. The request was carried out.';
  return { status, message: `The mock answers ${String(status)}, ${why}` };
}
