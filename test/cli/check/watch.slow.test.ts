import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { makeFakeIo, type FakeIo } from '../fake-io.ts';
import { makeFakeKeyboard, type FakeKeyboard } from '../fake-keyboard.ts';

const note = `content: { application/json: { schema: { $ref: 'schemas.yaml#/Note' } } }`;
const limited = '{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }';
const document = (parameter = limited): string => `
openapi: 3.0.3
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - ${parameter}
      responses:
        '200':
          description: The notes
          content:
            application/json:
              schema: { type: array, items: { $ref: 'schemas.yaml#/Note' } }
        '400': { description: Refused }
    post:
      operationId: addNote
      requestBody: { required: true, ${note} }
      responses:
        '201': { description: The note, ${note} }
        '400': { description: Refused }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: readNote
      responses:
        '200': { description: The note, ${note} }
        '404': { description: None }
    delete:
      operationId: dropNote
      responses: { '204': { description: Gone }, '404': { description: None } }
`;
const schemas = `
Note:
  type: object
  required: [text]
  properties:
    id: { type: integer, readOnly: true }
    text: { type: string, minLength: 1, maxLength: 60 }
`;

/** What is wrong with the service. */
type Bug = 'ignores-limit' | 'takes-anything';

/** A service of notes in this process, whose bugs a test plants and mends while it runs. */
class Notes {
  readonly bugs = new Set<Bug>();
  readonly stored = new Map([1, 2, 3].map((id) => [id, { id, text: `Note ${String(id)}` }]));
  requests = 0;
  #next = 4;
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  async start(...bugs: readonly Bug[]): Promise<void> {
    this.mend(...bugs);
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Leaves these bugs, and no others. */
  mend(...left: readonly Bug[]): void {
    this.bugs.clear();
    for (const bug of left) this.bugs.add(bug);
  }

  async close(): Promise<void> {
    this.#server?.close();
    this.#server?.closeAllConnections();
    await setTimeout(10);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const body = await text(request);
    const [status, shown] = this.#decide(request.method ?? '', request.url ?? '', body);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(shown === undefined ? undefined : JSON.stringify(shown));
  }

  #decide(method: string, target: string, body: string): readonly [number, unknown?] {
    const { pathname, searchParams } = new URL(target, this.url);
    const id = Number(/^\/notes\/(\d+)$/.exec(pathname)?.[1]);
    if (method === 'GET' && pathname === '/notes') {
      const limit = searchParams.get('limit');
      if (limit !== null && !/^([1-9]|[1-4]\d|50)$/.test(limit)) return [400];
      const all = [...this.stored.values()];
      const isCut = limit !== null && !this.bugs.has('ignores-limit');
      return [200, isCut ? all.slice(0, Number(limit)) : all];
    }
    if (method === 'POST' && pathname === '/notes') return this.#add(body);
    if (!this.stored.has(id)) return [404];
    if (method === 'GET') return [200, this.stored.get(id)];
    if (method !== 'DELETE') return [405];
    this.stored.delete(id);
    return [204];
  }

  #add(body: string): readonly [number, unknown?] {
    let sent: { readonly text?: unknown } | null;
    try {
      sent = JSON.parse(body) as { readonly text?: unknown } | null;
    } catch {
      return [400];
    }
    const { text: given } = sent ?? {};
    const isValid = typeof given === 'string' && /^[^]{1,60}$/u.test(given);
    if (!isValid && !this.bugs.has('takes-anything')) return [400];
    const id = this.#next;
    this.#next += 1;
    const made = { id, text: String(given) };
    this.stored.set(id, made);
    return [201, made];
  }
}

let folder = '';
let api = '';
let notes: Notes;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-watch-'));
  api = join(folder, 'api.yaml');
  await writeFile(api, document());
  await writeFile(join(folder, 'schemas.yaml'), schemas);
  notes = new Notes();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await notes.close();
  await rm(folder, { recursive: true });
});

interface Watching {
  readonly io: FakeIo;
  readonly keyboard: FakeKeyboard;
  readonly code: Promise<number>;
  /** Waits until stderr has a text after what was there when `since` was taken. */
  sees(words: string | RegExp, since?: number): Promise<void>;
}

/** Only these checks, so that a run is short. */
const only = ['--only', 'limit-holds', 'invalid-refused'];

function watch(place: 'terminal' | 'pipe', ...words: readonly string[]): Watching {
  const keyboard = makeFakeKeyboard();
  const isTTY = { out: place === 'terminal', err: place === 'terminal' };
  const fake = makeFakeIo({ VOUCH_STATE_DIR: join(folder, 'state') });
  const io = { ...fake, isTTY, ...(place === 'terminal' ? { keyboard } : {}) };
  const code = main(['check', notes.url, api, '--watch', ...only, ...words], io);
  stops.push(async () => {
    fake.stop();
    await code;
  });
  const sees = async (sought: string | RegExp, since = 0): Promise<void> => {
    const isThere = (): boolean => {
      const seen = io.written.err.slice(since);
      return typeof sought === 'string' ? seen.includes(sought) : sought.test(seen);
    };
    await expect
      .poll(isThere, { timeout: 20_000, interval: 20, message: String(sought) })
      .toBe(true);
  };
  return { io, keyboard, code, sees };
}

/** The lines on stderr, with what differs from run to run taken out. */
const linesOf = ({ written }: FakeIo): string[] =>
  written.err.replaceAll(notes.url, 'URL').trimEnd().split('\n');

/** What a terminal shows of the lines that are drawn in place. */
const lastDrawn = ({ written }: FakeIo): string[] =>
  (written.err.split('\u001b[0J').at(-1) ?? '')
    .replaceAll(/\u001b\[\d+m/g, '')
    .trimEnd()
    .split('\n');

const limit = 'GET /notes: A list with limit=1 holds ';

describe('without a terminal', () => {
  test('each change is a line, and a whole run follows when all is fixed', async () => {
    await notes.start('ignores-limit', 'takes-anything');
    const { io, code, sees } = watch('pipe');
    await sees('Watching ');
    expect(io.written.out).toContain('Failed.');
    const [reported, ran] = [io.written.out, notes.requests];
    notes.mend('takes-anything');
    await sees('✓ fixed: GET /notes');
    expect(notes.requests - ran).toBeLessThan(100);
    notes.mend();
    await sees('Nothing fails');
    const lines = linesOf(io);
    expect(lines[0]).toMatch(/^Watching \d bugs\.$/);
    expect(lines[1]).toMatch(/^✓ fixed: GET \/notes: A list with limit=1 holds \d+ records\.$/);
    expect(lines.slice(2, -3).every((line) => line.startsWith('✓ fixed: POST /notes'))).toBe(true);
    expect(lines.slice(-3)).toEqual([
      'All fixed; running everything again.',
      'All fixed; the whole run passed, with 1 warning (a shows them).',
      'Nothing fails; waiting for a save or a restart.',
    ]);
    // The report of a run that passes says no more than that.
    expect(io.written.out).toBe(reported);
    expect(io.written.err).not.toMatch(/[\u001b\r]/);
    io.stop();
    expect(await code).toBe(0);
    expect([...notes.stored.keys()]).toEqual([1, 2, 3]);
  }, 60_000);

  test('the run that follows shows a bug that is new, and goes on with it', async () => {
    await notes.start('ignores-limit');
    const { io, code, sees } = watch('pipe');
    await sees('Watching 1 bug.');
    const { length } = io.written.out;
    notes.mend('takes-anything');
    await sees(/running everything again\.\nWatching \d bugs?\./);
    expect(io.written.out.slice(length)).toMatch(/Failed\.[^]*POST \/notes/);
    io.stop();
    expect(await code).toBe(1);
  }, 60_000);

  test('a service that does not answer is waited for, and is not accused', async () => {
    await notes.start('ignores-limit');
    const { io, sees } = watch('pipe');
    await sees('Watching 1 bug.');
    await notes.close();
    await sees('to answer.');
    await setTimeout(1_500);
    await notes.start();
    await sees('the whole run passed');
    const lines = linesOf(io);
    expect(lines.slice(0, 3)).toEqual([
      'Watching 1 bug.',
      'Waiting for URL to answer.',
      'URL answers again.',
    ]);
    expect(lines.filter((line) => /cannot tell|failing/.test(line))).toEqual([]);
  }, 60_000);

  test('what was fixed and breaks again is seen, while nothing is saved', async () => {
    await notes.start('ignores-limit');
    const { io, sees } = watch('pipe');
    await sees('Watching 1 bug.');
    notes.mend();
    await sees('Nothing fails');
    const { length } = io.written.err;
    notes.mend('ignores-limit');
    await sees('✗ still failing: GET /notes: A list with limit=1', length);
  }, 60_000);

  test('a service that starts anew is checked again, although nothing failed', async () => {
    await notes.start();
    const { io, sees } = watch('pipe');
    await sees('Nothing fails');
    await notes.close();
    await sees('to answer.');
    const { length } = io.written.out;
    await notes.start('ignores-limit');
    await sees('Watching 1 bug.');
    expect(io.written.out.slice(length)).toContain('Failed.');
  }, 60_000);

  test('a service that never answered is checked when it does', async () => {
    await notes.start();
    await notes.close();
    const { io, sees } = watch('pipe');
    await sees('Waiting for');
    const { length } = io.written.out;
    await notes.start();
    await sees('Nothing fails');
    expect(io.written.out.slice(length)).toContain('Passed.');
  }, 60_000);

  test('a saved document is read again, also one that a $ref names', async () => {
    await notes.start('ignores-limit');
    const { io, sees } = watch('pipe');
    await sees('Watching 1 bug.');
    await writeFile(join(folder, 'schemas.yaml'), 'Note: [');
    await sees('schemas.yaml');
    await writeFile(join(folder, 'schemas.yaml'), schemas);
    await writeFile(api, document('{ name: words, in: query, schema: { type: string } }'));
    await sees('? cannot tell: GET /notes');
    // The bug has no place any more, so that only a whole run shows what is left.
    await sees('\nRunning everything again.\nAll fixed; the whole run passed, with 1 warning');
    expect(io.written.err).not.toContain('✓ fixed');
  }, 60_000);

  test('a stop in the first run is an interruption', async () => {
    await notes.start('ignores-limit');
    const { io, code } = watch('pipe');
    await expect.poll(() => notes.requests, { timeout: 20_000, interval: 1 }).toBeGreaterThan(0);
    io.stop();
    expect(await code).toBe(130);
    expect([...notes.stored.keys()]).toEqual([1, 2, 3]);
  }, 60_000);
});

describe('on a terminal', () => {
  test('bugs turn green in place, and q quits with the code of the last whole run', async () => {
    await notes.start('ignores-limit', 'takes-anything');
    const { io, keyboard, code, sees } = watch('terminal');
    await sees('q quits');
    const before = lastDrawn(io);
    expect(before).toContainEqual(expect.stringContaining(`✗ ${limit}`));
    expect(before.at(-1)).toMatch(/^0 of \d fixed · a runs all again · f only the failing ones/);
    notes.mend('takes-anything');
    keyboard.press('f');
    await sees('1 of ');
    const after = lastDrawn(io);
    expect(after).toHaveLength(before.length);
    expect(after).toContainEqual(expect.stringContaining(`✓ fixed  ${limit}`));
    expect(after).toContainEqual(expect.stringContaining('✗ POST /notes'));
    expect(io.written.err).toContain(`\u001b[${String(before.length)}A\u001b[0J`);
    keyboard.press('q');
    expect(await code).toBe(1);
    expect(keyboard.isListening()).toBe(false);
    expect([...notes.stored.keys()]).toEqual([1, 2, 3]);
  }, 60_000);

  test('a runs all again', async () => {
    await notes.start();
    const { io, keyboard, code, sees } = watch('terminal');
    await sees('Nothing fails; waiting for a save or a restart · a runs all again · q quits');
    const [{ length }, { length: reported }] = [io.written.err, io.written.out];
    notes.mend('ignores-limit');
    keyboard.press('a');
    await sees(`✗ ${limit}`, length);
    expect(io.written.out.slice(reported)).toContain(limit);
    keyboard.press('q');
    expect(await code).toBe(1);
  }, 60_000);

  test('what leaves records is repeated only on demand', async () => {
    await writeFile(api, document().replace(/ {4}delete:[^]*/, ''));
    await notes.start('takes-anything');
    const { io, keyboard, sees } = watch('terminal');
    await sees('It is not repeated each second, so that no more are left.');
    await setTimeout(3_000);
    const { size } = notes.stored;
    await setTimeout(2_500);
    expect(notes.stored.size).toBe(size);
    notes.mend();
    const [{ length }, bugs] = [io.written.err, lastDrawn(io).length - 1];
    keyboard.press('enter');
    await sees(`${String(bugs)} of ${String(bugs)} fixed`, length);
  }, 60_000);

  test('a line is never wider than the terminal', async () => {
    await notes.start('takes-anything');
    const { io, sees } = watch('terminal');
    await sees('q quits');
    await notes.close();
    await sees('Waiting for');
    expect(lastDrawn(io).filter((line) => line.length > io.width)).toEqual([]);
  }, 60_000);
});

test.each([
  [['--plan'], '--plan and --watch cannot be combined.'],
  [['--update-baseline'], '--update-baseline and --watch cannot be combined.'],
  [['--against', 'http://127.0.0.1:9'], '--against and --watch cannot be combined.'],
])('%j excludes a watch', async (words, message) => {
  const { io, code } = watch('pipe', ...words);
  expect(await code).toBe(2);
  expect(io.written.err).toContain(message);
});
