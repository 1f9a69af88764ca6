import type { Page } from './journal-pages.ts';
import type { JournalEntry } from './journal.ts';

/** An entry as it is kept: its texts and bodies lie on a page, one after the other. */
export interface Kept extends Omit<JournalEntry, 'request' | 'answer'> {
  readonly status: number;
  readonly operation: string | undefined;
  readonly page: Page;
  /** Where on the page the request's head, the answer's fields and each body begin, and where the last one ends. */
  readonly head: number;
  readonly fields: number;
  readonly requestBody: number;
  readonly answerBody: number;
  readonly end: number;
}

const numbersEach = 12;
const othersEach = 5;

/** What of an entry is no number, and is there only at times. */
type Other = string | Kept['refusal'] | Page;

/**
 * The last so many entries, in the order in which they came, in one block that is used again and again: kept as objects, each would be
 * copied by the garbage collector twice, and then die where that takes longest to notice.
 */
export class EntryRing {
  readonly #most: number;
  /** Made with the first entry: most journals of tests never have one. */
  #numbers = new Float64Array(0);
  #others: Other[] = [];
  #first = 0;
  #length = 0;

  /** `most` is how many it holds at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#most;
  }

  /** Adds an entry behind all others; there must be room. */
  push(kept: Kept): void {
    if (this.#numbers.length === 0) this.#makeRoom();
    const place = this.#placeOf(this.#length);
    this.#length += 1;
    const numbers = this.#numbers;
    const number = place * numbersEach;
    numbers[number] = kept.id;
    numbers[number + 1] = kept.at;
    numbers[number + 2] = kept.durationMs;
    numbers[number + 3] = kept.status;
    numbers[number + 4] = kept.callbacks;
    numbers[number + 5] = kept.requestSize;
    numbers[number + 6] = kept.answerSize;
    numbers[number + 7] = kept.head;
    numbers[number + 8] = kept.fields;
    numbers[number + 9] = kept.requestBody;
    numbers[number + 10] = kept.answerBody;
    numbers[number + 11] = kept.end;
    const others = this.#others;
    const other = place * othersEach;
    others[other] = kept.operation;
    others[other + 1] = kept.fault;
    others[other + 2] = kept.scenario;
    others[other + 3] = kept.refusal;
    others[other + 4] = kept.page;
  }

  /** The entry at an index, counted from the oldest; undefined where there is none. */
  at(index: number): Kept | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const place = this.#placeOf(index);
    const number = (offset: number): number => this.#numbers[place * numbersEach + offset] ?? 0;
    // What was written there was of that type.
    const other = <Kind extends Other>(offset: number): Kind => this.#others[place * othersEach + offset] as Kind;
    return {
      id: number(0), at: number(1), durationMs: number(2), status: number(3), callbacks: number(4), requestSize: number(5), answerSize: number(6),
      head: number(7), fields: number(8), requestBody: number(9), answerBody: number(10), end: number(11),
      operation: other<string | undefined>(0), fault: other<string | undefined>(1), scenario: other<string | undefined>(2), refusal: other<Kept['refusal']>(3), page: other<Page>(4),
    };
  }

  /** The page of the oldest entry; undefined where there is none. */
  get oldestPage(): Page | undefined {
    return this.#length === 0 ? undefined : (this.#others[this.#placeOf(0) * othersEach + 4] as Page);
  }

  /** Forgets the oldest entry. */
  shift(): void {
    if (this.#length === 0) return;
    // Nothing that an entry held is kept alive by its place.
    this.#others.fill(undefined, this.#first * othersEach, (this.#first + 1) * othersEach);
    this.#first = this.#placeOf(1);
    this.#length -= 1;
  }

  /** Keeps those alone that stay, in their order. */
  filter(stays: (kept: Kept) => boolean): void {
    const left = Array.from({ length: this.#length }, (_, index) => this.at(index)).filter((kept) => kept !== undefined && stays(kept));
    this.#others.fill(undefined);
    this.#first = 0;
    this.#length = 0;
    for (const kept of left) if (kept !== undefined) this.push(kept);
  }

  #makeRoom(): void {
    this.#numbers = new Float64Array(this.#most * numbersEach);
    this.#others = new Array<Other>(this.#most * othersEach).fill(undefined);
  }

  #placeOf(index: number): number {
    const place = this.#first + index;
    return place < this.#most ? place : place - this.#most;
  }
}
