import type { MaybePromise } from '../store/store.ts';

/**
 * Lets work on one thing wait for earlier work on it, so that reading and writing back are not torn
 * apart.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();
  /** Work on everything that is under way, or waits to begin. */
  #alone: Promise<unknown> | undefined;

  /**
   * Does the work after all earlier work under this key is over, whether that succeeded or not; at
   * once where there is none. Work that is over at once has nobody wait for it.
   */
  take<Result>(key: string, work: () => MaybePromise<Result>): MaybePromise<Result> {
    // Nearly always nothing is under way, and to look a new text up is to hash it.
    const before = this.#last.size === 0 ? this.#alone : (this.#last.get(key) ?? this.#alone);
    const turn = before === undefined ? work() : before.then(work, work);
    if (!(turn instanceof Promise)) return turn;
    this.#last.set(key, turn);
    const leave = (): void => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** Does work on everything: after all earlier work is over, and before all later work begins. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = Promise.allSettled([...this.#last.values(), this.#alone]).then(work);
    // What comes now has to wait for this, and with it for whatever is there under its key.
    this.#last.clear();
    this.#alone = turn;
    try {
      return await turn;
    } finally {
      if (this.#alone === turn) this.#alone = undefined;
    }
  }
}
