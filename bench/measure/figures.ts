import { mkdirSync, writeFileSync } from 'node:fs';
import { describeMachine } from './machine.ts';

/** One row of a benchmark's table. */
export interface Figure {
  readonly measure: string;
  readonly measured: string;
  /** What it has to reach, where something is promised, and whether it does. */
  readonly promised?: string;
  readonly kept?: boolean;
  /** The numbers behind it, for the JSON file. */
  readonly data: unknown;
}

/** A benchmark: what it measures, in one sentence, and the measuring. */
export interface Benchmark {
  readonly name: string;
  readonly description: string;
  measure(say: (line: string) => void): Promise<readonly Figure[]>;
}

/** Prints the figures as a table, and writes them with machine, versions and date to `bench/results/NAME.json`. */
export function publish(name: string, figures: readonly Figure[]): string {
  const folder = new URL('../results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify({ benchmark: name, machine: describeMachine(), figures }, null, 2)}\n`);
  return table(figures);
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ measure, measured, promised = '', kept }) => [measure, measured, promised, kept === undefined ? '' : kept ? 'kept' : 'MISSED']);
  const all = [['measure', 'measured', 'promised', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n');
}
