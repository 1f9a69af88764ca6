import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeftRun } from '../../check/cleanup/clean-up-run.ts';
import type { IntendedWrite, NotedRecord } from '../../check/cleanup/cleanup-ledger.ts';
import type { LedgerLine } from './file-ledger.ts';
import type { KnownRun } from './known-run.ts';

/** A run that left something behind, or was broken off, as its ledger has it. */
export interface UnfinishedRun {
  readonly run: KnownRun;
  readonly left: LeftRun;
  /** Whether the process that runs it is still there. */
  readonly isRunning: boolean;
  /** Forgets it. */
  forget(): Promise<void>;
}

/**
 * The runs that left something behind, the oldest first. A ledger that cannot be read is passed
 * over.
 */
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

/** A line that was cut short by the end of a process says nothing. */
function readLine(line: string): LedgerLine[] {
  try {
    // Nobody else writes these files.
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
  const untold = open.flatMap(({ unmarked, method, url }) =>
    unmarked === true ? [`${method} ${url}`] : [],
  );
  const unidentified = lines.flatMap((line) =>
    line.type === 'unidentified' ? [line.request] : [],
  );
  return {
    mark,
    records: [...records.values()],
    uncertain: !finished || open.length > 0,
    untold,
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
