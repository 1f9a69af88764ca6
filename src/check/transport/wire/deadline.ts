/**
 * A time limit that can be set again for each request. What came while vouch itself was busy lies
 * ready: it is read before the limit counts.
 */
export class Deadline {
  readonly #limitMs: number;
  readonly #passed: () => void;
  /** None where the time passed and nobody has asked for more since. */
  #timer: NodeJS.Timeout | undefined;
  #begun = performance.now();

  constructor(limitMs: number, passed: () => void) {
    this.#limitMs = limitMs;
    this.#passed = passed;
    this.#timer = this.#wait(limitMs);
  }

  /**
   * The whole time is left again, from `now` on. A timer that runs is left as it is: when it fires,
   * it waits for what is left then.
   */
  restart(now: number): void {
    this.#begun = now;
    this.#timer ??= this.#wait(this.#limitMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Unreferenced: an idle connection holds no process open, and a busy one has a socket that does.
   */
  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#onTimer(), milliseconds).unref();
  }

  #onTimer(): void {
    const begun = this.#begun;
    const left = this.#limitMs - (performance.now() - begun);
    this.#timer = left > 1 ? this.#wait(left) : undefined;
    if (this.#timer === undefined) setImmediate(() => this.#begun === begun && this.#passed());
  }
}
