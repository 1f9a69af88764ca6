import { wordsIn } from '../../words-in.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../../http/message.ts';
import { runOf } from '../../http/run-header.ts';
import { decodeUtf8 } from '../../json/parse-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Answer } from '../../mock/mock.ts';
import { type JournalEntry, sessionOf } from './journal-entry.ts';

/** A short form of an exchange for listeners. */
export interface ExchangeRecord {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly status: number;
  /** The id of the operation that answered, if one did. */
  readonly operation?: string | undefined;
  /** The network fault that a scenario applied to the response: `reset`, `truncated`, … */
  readonly fault?: string;
  /** The name of the scenario that affected the response. */
  readonly scenario?: string;
  /** Why the request was refused, from the response. */
  readonly reason?: string | undefined;
  /** The lines of the contract that an answer of the mock would break, if that is why. */
  readonly frame?: string | undefined;
  /** The id of the run of the check that sent the request. */
  readonly run?: string | undefined;
  /** From the request head to the response, including a scripted delay. */
  readonly durationMs: number;
}

/** An exchange to record. */
export interface Happening extends Pick<JournalEntry, 'at' | 'request' | 'durationMs'> {
  readonly answer: Answer;
}

export interface JournalLimits {
  readonly entries: number;
  /** The maximum size of a stored body in bytes. */
  readonly body: number;
  /** The maximum size in bytes of all entries of checks, and of all others. */
  readonly total: number;
}

/** An exchange as it is kept: its texts and bodies are on a page, one after the other. */
interface Kept extends Omit<JournalEntry, 'request' | 'answer'> {
  readonly status: number;
  readonly operation: string | undefined;
  readonly page: JournalPage;
  /** The number of the request's header fields; those of the response follow them. */
  readonly requestFields: number;
  /** The offsets on the page of the texts and of each body, and of the end. */
  readonly texts: number;
  readonly requestBody: number;
  readonly answerBody: number;
  readonly end: number;
}

/** Exchanges in the order of their ids, with the memory that they are in. */
class Lane {
  kept: Kept[] = [];
  readonly pages: JournalPages;

  constructor(total: number) {
    this.pages = new JournalPages(total);
  }

  /** The id of the oldest; Infinity without one. */
  get oldest(): number {
    return this.kept[0]?.id ?? Infinity;
  }

  forgetOldest(): void {
    this.kept.shift();
    this.pages.release(this.kept[0]?.page);
  }
}

/**
 * The last exchanges, oldest first; the oldest is discarded if there is no room. What a check has
 * sent takes the room of other exchanges only until it has half of it: a long run does not hide
 * what a person sent. Data is copied into reused pages: the texts and lists of a thousand exchanges
 * would cost the garbage collector more than answering them.
 */
export class Journal {
  readonly #limits: JournalLimits;
  readonly #runs: Lane;
  readonly #others: Lane;
  #added = 0;
  #forgotten = 0;
  #clearings = 0;
  readonly #followers = new Set<() => void>();

  constructor(limits: JournalLimits) {
    this.#limits = limits;
    this.#runs = new Lane(limits.total);
    this.#others = new Lane(limits.total);
  }

  /** Returns the id of the exchange. */
  add({ at, request, answer, durationMs }: Happening): number {
    const lane = runOf(request.headers) === undefined ? this.#others : this.#runs;
    // Before a new page is used: discarding the oldest entry may free its page.
    if (this.size === this.#limits.entries) this.#forget(this.#laneToShorten(lane));
    const text = joinTexts(request, answer.headers);
    const requestBody = this.#cut(request.body);
    const answerBody = this.#cut(answer.body);
    // A character of a text has at most three bytes.
    const page = this.#roomFor(lane, 3 * text.length + requestBody.length + answerBody.length);
    const texts = page.used;
    const requestAt = texts + page.bytes.write(text, texts, 'utf8');
    const answerAt = requestAt + requestBody.length;
    page.used = answerAt + answerBody.length;
    page.bytes.set(requestBody, requestAt);
    page.bytes.set(answerBody, answerAt);
    this.#added += 1;
    lane.kept.push({
      id: this.#added,
      at,
      durationMs,
      status: answer.status,
      operation: answer.operation,
      fault: answer.fault?.kind,
      callbacks: answer.callbacks?.length ?? 0,
      scenario: answer.scenario,
      refusal: answer.refusal,
      violation: answer.violation,
      forced: answer.forced,
      requestSize: request.body.length,
      answerSize: answer.body.length,
      page,
      requestFields: request.headers.length,
      texts,
      requestBody: requestAt,
      answerBody: answerAt,
      end: page.used,
    });
    for (const follower of this.#followers) follower();
    return this.#added;
  }

  /**
   * Calls the listener after each added exchange and each clearing. Returns a function that stops
   * it.
   */
  follow(follower: () => void): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** The exchanges after an entry id, oldest first, at most the last `most`. */
  after(id: number, max: number): readonly JournalEntry[] {
    const kept = this.#kept();
    const first = kept.findLastIndex((each) => each.id <= id) + 1;
    return kept.slice(Math.max(first, kept.length - max)).map(readKept);
  }

  /** The number of exchanges. */
  get size(): number {
    return this.#runs.kept.length + this.#others.kept.length;
  }

  /** How often it was cleared. */
  get clearings(): number {
    return this.#clearings;
  }

  list(): readonly JournalEntry[] {
    return this.#kept().map(readKept);
  }

  /** The number of exchanges discarded for lack of room since the last clearing. */
  forgotten(): number {
    return this.#forgotten;
  }

  /** Deletes the exchanges of one session, or all. */
  clear(session?: string): void {
    if (session === undefined) this.#forgotten = 0;
    for (const lane of [this.#runs, this.#others]) {
      lane.kept = lane.kept.filter(
        (kept) => session !== undefined && sessionOf(readKept(kept).request) !== session,
      );
      lane.pages.release(lane.kept[0]?.page);
    }
    this.#clearings += 1;
    for (const follower of this.#followers) follower();
  }

  #cut(body: Uint8Array): Uint8Array {
    return body.length > this.#limits.body ? body.subarray(0, this.#limits.body) : body;
  }

  #roomFor(lane: Lane, size: number): JournalPage {
    for (;;) {
      const page = lane.pages.roomFor(size);
      if (page !== undefined) return page;
      this.#forget(lane);
    }
  }

  /** The lane whose oldest exchange makes room for one more in `added`. */
  #laneToShorten(added: Lane): Lane {
    const [runs, others] = [this.#runs, this.#others];
    if (added === runs) return runs.kept.length * 2 >= this.#limits.entries ? runs : others;
    return runs.oldest < others.oldest ? runs : others;
  }

  #forget(lane: Lane): void {
    lane.forgetOldest();
    this.#forgotten += 1;
  }

  /** All in the order of their ids. */
  #kept(): readonly Kept[] {
    const [runs, others] = [this.#runs.kept, this.#others.kept];
    if (runs.length === 0) return others;
    return others.length === 0 ? runs : [...runs, ...others].sort((one, two) => one.id - two.id);
  }
}

/**
 * A character that no method, target, or received header field can contain (RFC 9110, section 5.5).
 */
const end = '\n';

/**
 * Joins method, target and the header fields of request and response into one text. A line end in a
 * response of a scenario becomes a space, as when it is sent.
 */
function joinTexts({ method, target, headers }: HttpRequest, answered: HeaderList): string {
  let text = method + end + target + end;
  for (const [name, value] of headers) text += name + end + value + end;
  for (const [name, value] of answered)
    text += name + end + (value.includes(end) ? value.replaceAll(end, ' ') : value) + end;
  return text;
}

/** Copies, because the page is reused. */
function readKept({
  page: { bytes },
  requestFields,
  texts,
  requestBody,
  answerBody,
  end: behind,
  status,
  operation,
  ...rest
}: Kept): JournalEntry {
  const [method = '', target = '', ...parts] = bytes
    .toString('utf8', texts, requestBody)
    .split(end);
  const fields = Array.from({ length: parts.length >> 1 }, (_, index) => {
    return [parts[2 * index] ?? '', parts[2 * index + 1] ?? ''] as const;
  });
  return {
    ...rest,
    request: {
      method,
      target,
      headers: fields.slice(0, requestFields),
      body: new Uint8Array(bytes.subarray(requestBody, answerBody)),
    },
    answer: {
      status,
      operation,
      headers: fields.slice(requestFields),
      body: new Uint8Array(bytes.subarray(answerBody, behind)),
    },
  };
}

/** The short form of an exchange. */
export function summarise({ request, answer, durationMs }: Happening): ExchangeRecord {
  const { method, target } = request;
  const run = runOf(request.headers);
  const operation = answer.operation === undefined ? {} : { operation: answer.operation };
  const fault = answer.fault === undefined ? {} : { fault: answer.fault.kind };
  const scenario = answer.scenario === undefined ? {} : { scenario: answer.scenario };
  const reason =
    answer.status < 400
      ? (answer.violation ?? answer.forced)
      : (answer.forced ?? answer.refusal?.message ?? answer.violation ?? refusalReason(answer));
  return {
    method,
    target,
    status: answer.status,
    ...operation,
    ...fault,
    ...scenario,
    reason,
    ...(answer.refusal?.frame === undefined ? {} : { frame: answer.refusal.frame }),
    ...(run === undefined ? {} : { run }),
    durationMs,
  };
}

/**
 * The members that contain the reason in most error schemas, most specific first (RFC 9457 has
 * `detail` and `title`).
 */
const members = wordsIn('detail message error_description description reason title');
/** A longer body is probably not an error message. */
const longestBody = 16 * 1024;

/** The reason of a refusal from the JSON of the response; undefined if there is none. */
export function refusalReason({ body }: Pick<HttpResponse, 'body'>): string | undefined {
  if (body.length === 0 || body.length > longestBody) return undefined;
  const text = decodeUtf8(body);
  return text.ok ? reasonIn(readJson(text.text), 2) : undefined;
}

function readJson(text: string): JsonValue {
  try {
    // The mock wrote this JSON, and only texts are used, so exact numbers are not needed.
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** Some contracts wrap the error: `{ "error": { "message": … } }`, or in a list. */
function reasonIn(value: JsonValue | undefined, depth: number): string | undefined {
  if (value === undefined) return undefined;
  if (isJsonArray(value)) return reasonIn(value[0], depth - 1);
  if (!isJsonObject(value) || depth < 0) return undefined;
  const detail = members
    .map((name) => value[name])
    .find((text) => typeof text === 'string' && text !== '');
  if (typeof detail === 'string') return detail;
  return ['error', 'errors']
    .map((name) => wrapped(value[name], depth))
    .find((text) => text !== undefined);
}

function wrapped(value: JsonValue | undefined, depth: number): string | undefined {
  return typeof value === 'string' ? value : reasonIn(value, depth - 1);
}

/** A block of memory with consecutive entries. */
interface JournalPage {
  readonly bytes: Buffer;
  /** The end of the used part. */
  used: number;
}

const largestPage = 256 * 1024;
const pagesAtLeast = 8;

/** The memory of a journal: used pages in order, and free pages. Allocated on demand. */
class JournalPages {
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
