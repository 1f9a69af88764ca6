/** A time limit that can be set again for each request. What came while vouch itself was busy lies ready: it is read before the limit counts. */
export class Deadline {
  readonly #limitMs: number;
  readonly #passed: () => void;
  #timer: NodeJS.Timeout;
  #begun = performance.now();

  constructor(limitMs: number, passed: () => void) {
    this.#limitMs = limitMs;
    this.#passed = passed;
    this.#timer = this.#wait(limitMs);
  }

  /** The whole time is left again. */
  restart(): void {
    this.#begun = performance.now();
    this.#timer.refresh();
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** Unreferenced: an idle connection holds no process open, and a busy one has a socket that does. */
  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#onTimer(), milliseconds).unref();
  }

  #onTimer(): void {
    const begun = this.#begun;
    // Node fires a timer that another one's callback has just refreshed: the time of the earlier request is not that of this one.
    const left = this.#limitMs - (performance.now() - begun);
    if (left > 1) this.#timer = this.#wait(left);
    else setImmediate(() => this.#begun === begun && this.#passed());
  }
}
