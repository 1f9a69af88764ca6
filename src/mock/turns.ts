/** Lets work on one thing wait for earlier work on it, so that reading and writing back are not torn apart. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work after all earlier work under this key is over, whether that succeeded or not. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
