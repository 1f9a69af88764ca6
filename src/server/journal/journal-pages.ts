/** A block of memory with consecutive entries. */
export interface JournalPage {
  readonly bytes: Buffer;
  /** The end of the used part. */
  used: number;
}

const largestPage = 256 * 1024;
const pagesAtLeast = 8;

/** The memory of a journal: used pages in order, and free pages. Allocated on demand. */
export class JournalPages {
  readonly #size: number;
  readonly #total: number;
  readonly #free: JournalPage[] = [];
  readonly #used: JournalPage[] = [];

  /** `total` is the maximum size of the used pages together, except for a single larger page. */
  constructor(total: number) {
    this.#size = Math.max(1, Math.min(largestPage, Math.floor(total / pagesAtLeast)));
    this.#total = total;
  }

  /**
   * A page with room for this many bytes; undefined if all are full. Larger data gets its own page.
   */
  roomFor(size: number): JournalPage | undefined {
    const last = this.#used.at(-1);
    if (last !== undefined && last.used + size <= last.bytes.length) return last;
    const held = this.#used.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (last !== undefined && held + Math.max(this.#size, size) > this.#total) return undefined;
    const page = this.#take(size);
    this.#used.push(page);
    return page;
  }

  /** Frees every page before the one of the oldest entry; all of them without an entry. */
  release(oldest: JournalPage | undefined): void {
    if (this.#used[0] === oldest) return;
    const kept = oldest === undefined ? this.#used.length : this.#used.indexOf(oldest);
    // A page of another size is not reused.
    for (const page of this.#used.splice(0, kept))
      if (page.bytes.length === this.#size) this.#free.push(page);
  }

  #take(size: number): JournalPage {
    const free = size <= this.#size ? this.#free.pop() : undefined;
    const bytes = free?.bytes ?? Buffer.allocUnsafeSlow(Math.max(this.#size, size));
    return { bytes, used: 0 };
  }
}
