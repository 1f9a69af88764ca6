import type { HeaderList, HttpRequest } from '../../http/message.ts';
import type { JournalEntry } from './journal-entry.ts';

/** A stored entry: its texts and bodies are on a page, one after the other. */
export interface Kept extends Omit<JournalEntry, 'request' | 'answer'> {
  readonly status: number;
  readonly operation: string | undefined;
  readonly page: Page;
  /**
   * The offsets on the page of the request head, the response fields and each body, and of the end.
   */
  readonly head: number;
  readonly fields: number;
  readonly requestBody: number;
  readonly answerBody: number;
  readonly end: number;
}

/** The offsets of the numbers of an entry in its block. */
const numberAt = {
  id: 0,
  at: 1,
  durationMs: 2,
  status: 3,
  callbacks: 4,
  requestSize: 5,
  answerSize: 6,
  head: 7,
  fields: 8,
  requestBody: 9,
  answerBody: 10,
  end: 11,
} as const;

const otherAt = { operation: 0, fault: 1, scenario: 2, refusal: 3, page: 4 } as const;

const numbersEach = Object.keys(numberAt).length;

const othersEach = Object.keys(otherAt).length;

/** The optional parts of an entry that are not numbers. */
type Other = string | Kept['refusal'] | Page;

/**
 * A ring buffer of the last entries in one reused block: separate objects would be copied by the
 * garbage collector twice and end in the old generation.
 */
export class EntryRing {
  readonly #most: number;
  /** Allocated with the first entry: most mocks of tests have no entries. */
  #numbers = new Float64Array(0);
  #others: Other[] = [];
  #first = 0;
  #length = 0;

  /** `most` is the capacity. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#most;
  }

  /** Adds an entry at the end; there must be room. */
  push(kept: Kept): void {
    if (this.#numbers.length === 0) this.#makeRoom();
    const place = this.#placeOf(this.#length);
    this.#length += 1;
    const numbers = this.#numbers;
    const number = place * numbersEach;
    numbers[number + numberAt.id] = kept.id;
    numbers[number + numberAt.at] = kept.at;
    numbers[number + numberAt.durationMs] = kept.durationMs;
    numbers[number + numberAt.status] = kept.status;
    numbers[number + numberAt.callbacks] = kept.callbacks;
    numbers[number + numberAt.requestSize] = kept.requestSize;
    numbers[number + numberAt.answerSize] = kept.answerSize;
    numbers[number + numberAt.head] = kept.head;
    numbers[number + numberAt.fields] = kept.fields;
    numbers[number + numberAt.requestBody] = kept.requestBody;
    numbers[number + numberAt.answerBody] = kept.answerBody;
    numbers[number + numberAt.end] = kept.end;
    const others = this.#others;
    const other = place * othersEach;
    others[other + otherAt.operation] = kept.operation;
    others[other + otherAt.fault] = kept.fault;
    others[other + otherAt.scenario] = kept.scenario;
    others[other + otherAt.refusal] = kept.refusal;
    others[other + otherAt.page] = kept.page;
  }

  /** The entry at an index from the oldest; undefined if there is none. */
  at(index: number): Kept | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const place = this.#placeOf(index);
    const number = (offset: number): number => this.#numbers[place * numbersEach + offset] ?? 0;
    // Values at this offset were written with that type.
    const other = (offset: number): Other => this.#others[place * othersEach + offset];
    return {
      id: number(numberAt.id),
      at: number(numberAt.at),
      durationMs: number(numberAt.durationMs),
      status: number(numberAt.status),
      callbacks: number(numberAt.callbacks),
      requestSize: number(numberAt.requestSize),
      answerSize: number(numberAt.answerSize),
      head: number(numberAt.head),
      fields: number(numberAt.fields),
      requestBody: number(numberAt.requestBody),
      answerBody: number(numberAt.answerBody),
      end: number(numberAt.end),
      operation: other(otherAt.operation) as string | undefined,
      fault: other(otherAt.fault) as string | undefined,
      scenario: other(otherAt.scenario) as string | undefined,
      refusal: other(otherAt.refusal) as Kept['refusal'],
      page: other(otherAt.page) as Page,
    };
  }

  /** The page of the oldest entry; undefined if there is none. */
  get oldestPage(): Page | undefined {
    return this.#length === 0
      ? undefined
      : (this.#others[this.#placeOf(0) * othersEach + otherAt.page] as Page);
  }

  /** Removes the oldest entry. */
  shift(): void {
    if (this.#length === 0) return;
    // Releases the references of the entry.
    for (let other = this.#first * othersEach; other < (this.#first + 1) * othersEach; other += 1)
      this.#others[other] = undefined;
    this.#first = this.#placeOf(1);
    this.#length -= 1;
  }

  /** Keeps only the entries that satisfy the predicate, in order. */
  filter(stays: (kept: Kept) => boolean): void {
    const left = Array.from({ length: this.#length }, (_, index) => this.at(index)).filter(
      (kept) => kept !== undefined && stays(kept),
    );
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

/** A block of memory with consecutive entries. */
export interface Page {
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
  readonly #free: Page[] = [];
  #used: Page[] = [];

  /** `total` is the maximum size of the used pages together, except for a single larger page. */
  constructor(total: number) {
    this.#size = Math.max(1, Math.min(largestPage, Math.floor(total / pagesAtLeast)));
    this.#total = total;
  }

  /**
   * A page with room for this many bytes; undefined if all are full. Larger data gets its own page.
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

  /** Frees every page before the one of the oldest entry; all of them without an entry. */
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

  /** A page of another size is not reused. */
  #giveBack(page: Page): void {
    if (page.bytes.length === this.#size) this.#free.push(page);
  }
}

type Head = Pick<HttpRequest, 'method' | 'target' | 'headers'>;

/** The bytes of request heads. Caches the last head, because clients repeat theirs. */
export class HeadBytes {
  #head: Head = { method: '', target: '', headers: [] };
  #bytes: Uint8Array = Buffer.from(joinHead(this.#head));

  /** Method, target and header fields in the format of `splitHead`; must not be modified. */
  of(head: Head): Uint8Array {
    if (!isSame(this.#head, head)) {
      const { method, target, headers } = head;
      this.#bytes = Buffer.from(joinHead(head));
      this.#head = { method, target, headers };
    }
    return this.#bytes;
  }
}

function isSame(known: Head, { method, target, headers }: Head): boolean {
  if (known.target !== target || known.method !== method) return false;
  if (known.headers === headers) return true;
  if (known.headers.length !== headers.length) return false;
  for (let at = 0; at < headers.length; at += 1) {
    const [before, field] = [known.headers[at], headers[at]];
    if (
      before === undefined ||
      field === undefined ||
      before[0] !== field[0] ||
      before[1] !== field[1]
    )
      return false;
  }
  return true;
}

/**
 * A character that no method, target, or received header field can contain (RFC 9110, section 5.5).
 */
const end = '\n';

/** Joins method, target and header fields of a request into one text. */
function joinHead({
  method,
  target,
  headers,
}: Pick<HttpRequest, 'method' | 'target' | 'headers'>): string {
  return method + end + target + end + joinFields(headers);
}

/**
 * Joins header fields into one text. A line end in a response of a scenario becomes a space, as
 * when it is sent.
 */
export function joinFields(headers: HeaderList): string {
  let text = '';
  for (const [name, value] of headers)
    text += name + end + (value.includes(end) ? value.replaceAll(end, ' ') : value) + end;
  return text;
}

/** Splits a text of `joinHead`. */
export function splitHead(text: string): Pick<HttpRequest, 'method' | 'target' | 'headers'> {
  const [method = '', target = ''] = text.split(end, 2);
  return {
    method,
    target,
    headers: splitFields(text.slice(method.length + target.length + 2 * end.length)),
  };
}

/** Splits a text of `joinFields`. */
export function splitFields(text: string): HeaderList {
  const parts = text.split(end);
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index): [string, string] => [
    parts[2 * index] ?? '',
    parts[2 * index + 1] ?? '',
  ]);
}
