import type { Random } from '../../src/values/random.ts';
import type { Client, Reply } from './client.ts';

/** What a run has seen go wrong, and how much of everything there was. */
export interface Tally {
  requests: number;
  /** Unexpected responses with a status of 500 or above. */
  readonly failures: string[];
  /** What was written, acknowledged, and is not there. */
  readonly lost: string[];
}

/** The client of a worker: one connection to the mock. */
export type Service = Pick<Client, 'ask' | 'throwBytes'>;

/**
 * A text that a note may have: one where it is known, more where an answer was lost on the way.
 * `undefined`: the note may be gone.
 */
type Known = readonly (string | undefined)[];

/**
 * One client that writes notes, reads them back, and remembers what it was promised. Its notes are
 * its own: no other client touches them.
 */
export class Worker {
  readonly notes = new Map<string, Known>();
  readonly #client: Service;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #name: string;
  #written = 0;
  #stalling: Promise<undefined> | undefined;

  constructor(
    name: string,
    {
      client,
      random,
      tally,
    }: { readonly client: Service; readonly random: Random; readonly tally: Tally },
  ) {
    this.#name = name;
    this.#client = client;
    this.#random = random;
    this.#tally = tally;
  }

  /** One step: a write, a read, or a fault. */
  async step(): Promise<void> {
    const steps = [
      () => this.#create(),
      () => this.#create(),
      () => this.#replace(),
      () => this.#replace(),
      () => this.#read(),
      () => this.#read(),
      () => this.#list(),
      () => this.#remove(),
      () => this.#meetFault(),
      () => this.#misbehave(),
    ];
    const step = this.notes.size > 60 ? () => this.#remove() : this.#random.pick(steps);
    await step();
  }

  /** Reads everything back, and returns what differs from what was stored. */
  async verify(client: Service = this.#client): Promise<void> {
    await this.#stalling;
    for (const [id, known] of this.notes)
      this.#hold(id, known, await client.ask('GET', `/notes/${id}`));
  }

  #text(): string {
    this.#written += 1;
    return `${this.#name} ${String(this.#written)} ${'x'.repeat(this.#random.integer(0, 400))}`;
  }

  #mine(): string | undefined {
    return this.notes.size === 0 ? undefined : this.#random.pick([...this.notes.keys()]);
  }

  async #ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    this.#tally.requests += 1;
    const reply = await this.#client.ask(method, path, { body, headers });
    const asked = /code=(\d+)/.exec(headers['prefer'] ?? '')?.[1];
    if (reply !== undefined && reply.status >= 500 && String(reply.status) !== asked)
      this.#tally.failures.push(
        `${method} ${path}: ${String(reply.status)} ${reply.text.slice(0, 200)}`,
      );
    if (reply === undefined && headers['prefer'] === undefined)
      this.#tally.failures.push(`${method} ${path}: no answer`);
    return reply;
  }

  async #create(): Promise<void> {
    const text = this.#text();
    const reply = await this.#ask('POST', '/notes', { text });
    if (reply?.status === 201) this.notes.set(idOf(reply), [text]);
    else this.#tally.lost.push(`a create got ${String(reply?.status)}`);
  }

  async #replace(headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const id = this.#mine();
    if (id === undefined) return;
    const text = this.#text();
    const before = this.notes.get(id) ?? [];
    const reply = await this.#ask('PUT', `/notes/${id}`, { text }, headers);
    if (reply?.status === 200) this.notes.set(id, [text]);
    else if (reply === undefined) this.notes.set(id, [...before, text]);
    else if (!before.includes(undefined))
      this.#tally.lost.push(`a replace of ${id} got ${String(reply.status)}`);
  }

  async #read(): Promise<void> {
    const id = this.#mine();
    if (id !== undefined)
      this.#hold(id, this.notes.get(id) ?? [], await this.#ask('GET', `/notes/${id}`));
  }

  async #list(): Promise<void> {
    const reply = await this.#ask('GET', '/notes?limit=5');
    if (reply !== undefined && reply.status !== 200)
      this.#tally.failures.push(`the list got ${String(reply.status)}`);
  }

  async #remove(headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const id = this.#mine();
    if (id === undefined) return;
    const before = this.notes.get(id) ?? [];
    const reply = await this.#ask('DELETE', `/notes/${id}`, undefined, headers);
    if (reply === undefined) return void this.notes.set(id, [...before, undefined]);
    if (reply.status !== 204 && !before.includes(undefined))
      this.#tally.lost.push(`a delete of ${id} got ${String(reply.status)}`);
    this.notes.delete(id);
    const after = await this.#ask('GET', `/notes/${id}`);
    if (after !== undefined && after.status !== 404)
      this.#tally.lost.push(`${id} was deleted and is still there`);
  }

  /**
   * Faults on purpose: a status that is asked for, an answer that is lost after the work was done,
   * one that is cut short.
   */
  async #meetFault(): Promise<void> {
    const prefer = this.#random.pick(['code=503', 'scenario=cut-short', 'scenario=lost-answer']);
    if (prefer !== 'scenario=lost-answer')
      return void (await this.#ask('GET', '/notes', undefined, { prefer }));
    await (this.#random.next() < 0.5 ? this.#replace({ prefer }) : this.#remove({ prefer }));
  }

  /** A client that stalls is waited for at the end: the others go on meanwhile. */
  async #misbehave(): Promise<void> {
    const [bytes, end] = this.#random.pick(hostile);
    if (!bytes.endsWith(stalled)) return this.#throwBytes(bytes, end);
    this.#stalling ??= this.#throwBytes(bytes, end).then(() => (this.#stalling = undefined));
  }

  async #throwBytes(bytes: string, end: HostileEnd): Promise<void> {
    this.#tally.requests += 1;
    const seen = await this.#client.throwBytes(bytes, end);
    for (const [line, status] of seen.matchAll(/^HTTP\/1\.1 (\d{3}).*/gm))
      if (Number(status) >= 500 && status !== '501')
        this.#tally.failures.push(`${JSON.stringify(bytes.slice(0, 60))}: ${line}`);
  }

  #hold(id: string, known: Known, reply: Reply): void {
    if (reply === undefined) return;
    const now =
      reply.status === 404 ? undefined : (JSON.parse(reply.text) as { text?: string }).text;
    if (!known.includes(now))
      this.#tally.lost.push(
        `${id} should say ${JSON.stringify(known)}, and says ${JSON.stringify(now)}`,
      );
    else if (now === undefined) this.notes.delete(id);
    else this.notes.set(id, [now]);
  }
}

function idOf(reply: NonNullable<Reply>): string {
  // Identifiers are integers of up to 64 bits: their digits are kept as they came.
  return /"id":\s*(-?\d+)/.exec(reply.text)?.[1] ?? '';
}

type HostileEnd = Parameters<Client['throwBytes']>[1];

const head = 'Host: localhost\r\n';
/** How the bytes of a client end that says nothing more. */
const stalled = 'X-Slow:';
const hostile: readonly (readonly [bytes: string, end: HostileEnd])[] = [
  [
    `POST /api/notes HTTP/1.1\r\n${head}Content-Type: application/` +
      'json\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{"text":\x00',
    'waits',
  ],
  [
    `POST /api/notes HTTP/1.1\r\n${head}Content-Type: application/` +
      'json\r\nContent-Length: 500\r\n\r\n{"text":"half',
    'resets',
  ],
  [
    `POST /api/notes HTTP/1.1\r\n${head}Content-Type: application/` +
      'json\r\nContent-Length: 500\r\n\r\n{"text":"half',
    'closes',
  ],
  [`GET /api/notes HTTP/1.1\r\n${head}\r\n`, 'resets'],
  [`GET /api/notes HTTP/1.1\r\n${head}${stalled}`, 'waits'],
  ['GET /api/%zz HTTP/1.1\r\nHost: a b\r\n\r\n', 'waits'],
  ['\x16\x03\x01\x02\x00\x01', 'waits'],
  [`BREW /api/notes HTTP/1.1\r\n${head}\r\n`, 'waits'],
  [
    `POST /api/notes HTTP/1.1\r\n${head}Transfer-Encoding: ` +
      'chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
    'waits',
  ],
  [`GET /api/notes?limit=${'9'.repeat(9_000)} HTTP/1.1\r\n${head}\r\n`, 'waits'],
];
