/** A stretch of memory that entries are written into, one behind the other. */
export interface Page {
  readonly bytes: Buffer;
  /** Up to where it is written. */
  used: number;
}

const largestPage = 256 * 1024;
const pagesAtLeast = 8;

/**
 * The memory of a journal: pages in the order of their use, and pages that are free again. Nothing
 * is taken before it is needed.
 */
export class JournalPages {
  readonly #size: number;
  readonly #total: number;
  readonly #free: Page[] = [];
  #used: Page[] = [];

  /** `total` is how many bytes the pages in use may have together; a single one may have more. */
  constructor(total: number) {
    this.#size = Math.max(1, Math.min(largestPage, Math.floor(total / pagesAtLeast)));
    this.#total = total;
  }

  /**
   * The page that so many bytes are to be written to; undefined where all are full. What is larger
   * than a page gets a page of its own.
   */
  roomFor(size: number): Page | undefined {
    const last = this.#used.at(-1);
    if (last !== undefined && last.used + size <= last.bytes.length) return last;
    const held = this.#used.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (last !== undefined && held + Math.max(this.#size, size) > this.#total) return undefined;
    const page = this.#take(size);
    this.#used.push(page);
    return page;
  }

  /**
   * Frees every page before the one on which the oldest entry stands; all of them, where there is
   * no entry.
   */
  release(oldest: Page | undefined): void {
    if (this.#used[0] === oldest) return;
    const kept = oldest === undefined ? this.#used.length : this.#used.indexOf(oldest);
    for (const page of this.#used.slice(0, kept)) this.#giveBack(page);
    this.#used = this.#used.slice(kept);
  }

  #take(size: number): Page {
    const free = this.#free.at(-1);
    if (free === undefined || free.bytes.length < size)
      return { bytes: Buffer.allocUnsafeSlow(Math.max(this.#size, size)), used: 0 };
    this.#free.pop();
    free.used = 0;
    return free;
  }

  /** A page of a size of its own is not worth keeping. */
  #giveBack(page: Page): void {
    if (page.bytes.length === this.#size) this.#free.push(page);
  }
}
