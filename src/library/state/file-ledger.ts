import { appendFileSync, closeSync, fdatasync, mkdirSync, openSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeftRun } from '../../check/engine/run/clean-up-run.ts';
import type {
  CleanupLedger,
  IntendedWrite,
  NotedRecord,
  SettledWrite,
} from '../../check/engine/cleanup/cleanup-ledger.ts';
import { codeOf } from '../../errors.ts';
import { type KnownRun, runFileName } from './run-memory.ts';

/**
 * One line of a ledger file. The first line identifies the run; the last one says that the run
 * ended normally.
 */
export type LedgerLine =
  | { readonly type: 'run'; readonly run: KnownRun; readonly pid: number }
  | ({ readonly type: 'intended' } & IntendedWrite)
  | SettledWrite
  | { readonly type: 'finished' };

/** A ledger in a file. */
export interface FileLedger extends CleanupLedger {
  /** Called after the run and its cleanup. If no records are left, deletes the ledger. */
  finish(leftAny: boolean): Promise<void>;
}

/**
 * Opens the ledger of a run: one JSON line for each entry, appended. The operating system has each
 * line before the matching write is sent, so that a killed process leaves a complete ledger. After
 * a power cut, the lines of the last seconds may be missing, because waiting for the disk before
 * each write would take most of a run's time. The first entry creates the file. Calls `warn` once
 * if the file cannot be written.
 */
export function openFileLedger(
  folder: string,
  run: KnownRun,
  warn: (message: string) => void,
): FileLedger {
  const file = join(folder, 'ledgers', `${runFileName(run)}.ndjson`);
  const writer = new LineWriter(
    file,
    JSON.stringify({ type: 'run', run, pid: process.pid } satisfies LedgerLine),
    warn,
  );
  return {
    intend: (write) => writer.append({ type: 'intended', ...write }),
    settle: (settled) => writer.appendSoon(settled),
    async finish(leftAny) {
      if (leftAny) writer.append({ type: 'finished' });
      await writer.close(leftAny);
    },
  };
}

/** The maximum delay before lines are flushed to the disk. */
const syncEveryMs = 1_000;

/**
 * Appends lines in order. Each call takes microseconds: lines go to the operating system, which
 * flushes them to the disk at intervals.
 */
class LineWriter {
  readonly #file: string;
  readonly #first: string;
  readonly #warn: (message: string) => void;
  #descriptor: number | undefined;
  #waiting: string[] = [];
  #isBroken = false;
  #syncing: Promise<void> | undefined;
  #syncedAt = Number.NEGATIVE_INFINITY;

  constructor(file: string, first: string, warn: (message: string) => void) {
    this.#file = file;
    this.#first = first;
    this.#warn = warn;
  }

  append(line: LedgerLine): void {
    if (this.#isBroken) return;
    this.#waiting.push(JSON.stringify(line));
    this.#flush();
  }

  /** Batches lines that no request waits for. */
  appendSoon(line: LedgerLine): void {
    if (this.#isBroken) return;
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(JSON.stringify(line));
  }

  #flush(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    if (lines.length === 0 || this.#isBroken) return;
    try {
      this.#descriptor ??= this.#open();
      // Unlike writeSync, this continues after a partial write.
      appendFileSync(this.#descriptor, `${lines.join('\n')}\n`);
      this.#syncNowAndThen(this.#descriptor);
    } catch (error) {
      this.#break(error);
    }
  }

  #syncNowAndThen(descriptor: number): void {
    if (this.#syncing !== undefined || performance.now() - this.#syncedAt < syncEveryMs) return;
    this.#syncedAt = performance.now();
    this.#syncing = this.#sync(descriptor).finally(() => (this.#syncing = undefined));
  }

  #sync(descriptor: number): Promise<void> {
    return new Promise((resolve) => {
      fdatasync(descriptor, (error) => {
        if (error !== null) this.#break(error);
        resolve();
      });
    });
  }

  #break(error: unknown): void {
    this.#isBroken = true;
    this.#warn(
      `What this run creates cannot be noted in ${this.#file} ` +
        `(${codeOf(error) ?? String(error)}): should it be killed, vouch cleanup ` +
        'will not know of it.',
    );
  }

  #open(): number {
    mkdirSync(join(this.#file, '..'), { recursive: true, mode: 0o700 });
    const descriptor = openSync(this.#file, 'a', 0o600);
    appendFileSync(descriptor, `${this.#first}\n`);
    return descriptor;
  }

  async close(keep: boolean): Promise<void> {
    this.#flush();
    await this.#syncing;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor === undefined) return;
    if (keep) await this.#sync(descriptor);
    closeSync(descriptor);
    if (!keep) await rm(this.#file, { force: true });
  }
}

/** A run that was interrupted or left records, from its ledger. */
export interface UnfinishedRun {
  readonly run: KnownRun;
  readonly left: LeftRun;
  /** Whether its process still runs. */
  readonly isRunning: boolean;
  /** Deletes the ledger. */
  forget(): Promise<void>;
}

/** The runs that left records, oldest first. Unreadable ledgers are skipped. */
export async function readLedgers(folder: string): Promise<UnfinishedRun[]> {
  const ledgers = join(folder, 'ledgers');
  const names = (await readdir(ledgers).catch(() => []))
    .filter((name) => name.endsWith('.ndjson'))
    .sort();
  const runs = await Promise.all(names.map((name) => readLedger(join(ledgers, name))));
  return runs.flatMap((run) => run ?? []);
}

async function readLedger(file: string): Promise<UnfinishedRun | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap(readLine);
  const [first] = lines;
  if (first?.type !== 'run') return undefined;
  const isOver = lines.some(({ type }) => type === 'finished');
  return {
    run: first.run,
    left: leftBy(lines, first.run.id),
    isRunning: !isOver && isAlive(first.pid),
    forget: () => rm(file, { force: true }),
  };
}

/** A line that was cut off by the end of the process is skipped. */
function readLine(line: string): LedgerLine[] {
  try {
    // Only vouch writes these files, so the type is known.
    return line === '' ? [] : [JSON.parse(line) as LedgerLine];
  } catch {
    return [];
  }
}

function leftBy(lines: readonly LedgerLine[], mark: string): LeftRun {
  const records = new Map<string, NotedRecord>();
  const answered = new Set<number>();
  const intended: IntendedWrite[] = [];
  for (const line of lines) {
    if (line.type === 'intended') intended.push(line);
    if (line.type === 'answered') answered.add(line.write);
    if (line.type === 'created')
      records.set(`${line.record.resource} ${line.record.identifier}`, line.record);
    if (line.type === 'deleted')
      records.delete(`${line.record.resource} ${line.record.identifier}`);
  }
  const finished = lines.some(({ type }) => type === 'finished');
  const open = intended.filter(({ write }) => !answered.has(write));
  const unanswered = open.flatMap(({ unmarked, method, url }) =>
    unmarked === true ? [`${method} ${url}`] : [],
  );
  const unidentified = lines.flatMap((line) =>
    line.type === 'unidentified' ? [line.request] : [],
  );
  return {
    mark,
    records: [...records.values()],
    uncertain: !finished || open.length > 0,
    unanswered,
    unidentified,
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
