import { mkdirSync, writeFileSync } from 'node:fs';
import { drawBars } from '../picture/draw-bars.ts';
import type { Bar, BarGroup, BarPicture } from '../picture/picture.ts';
import { describeMachine, writeMachine } from './machine.ts';
import { isPart, isTrial } from './trial.ts';

/** One row of a benchmark's table. */
export interface Figure {
  readonly measure: string;
  readonly measured: string;
  /** What it has to reach, where something is promised, and whether it does. */
  readonly promised?: string;
  readonly kept?: boolean;
  /** The numbers behind it, for the JSON file. */
  readonly data: unknown;
  /** Its bar in the picture, and the group that it stands in. */
  readonly bar?: Bar & { readonly group: string };
}

/** A benchmark: what it measures, in one sentence, and the measuring. */
export interface Benchmark {
  readonly name: string;
  readonly description: string;
  measure(say: (line: string) => void): Promise<readonly Figure[]>;
  /** Which of its figures are drawn, and how. Without it there is no picture. */
  picture?(figures: readonly Figure[]): BarPicture;
}

/** The bars of the figures that have one, by their groups, in the order of the figures. */
export function groupBars(figures: readonly Figure[]): BarGroup[] {
  const groups = Map.groupBy(
    figures.flatMap(({ bar }) => bar ?? []),
    ({ group }) => group,
  );
  return [...groups].map(([title, bars]) => ({ title, bars }));
}

const folder = new URL('../results/', import.meta.url);

/**
 * Answers the figures as a table, and writes them with machine, versions and date to
 * `bench/results/NAME.json`; where the benchmark has a picture, that too, to
 * `bench/results/NAME.svg`. Of a trial nothing is written. `stolen`: how much processor time others
 * of the host had meanwhile, 0 to 1, where that is known; figures that are no ratios say little
 * without it.
 */
export function publish(
  benchmark: Benchmark,
  figures: readonly Figure[],
  stolen: number | undefined,
): string {
  if (!isTrial() && !isPart()) write(benchmark, figures, stolen);
  const said =
    stolen === undefined
      ? ''
      : '\nOf the processor time that was asked for, the host gave ' +
        `${(stolen * 100).toFixed(0)} % to others.`;
  return table(figures) + said;
}

function write(benchmark: Benchmark, figures: readonly Figure[], stolen: number | undefined): void {
  const machine = {
    ...describeMachine(),
    ...(stolen === undefined ? {} : { stolen: Number(stolen.toFixed(3)) }),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    new URL(`${benchmark.name}.json`, folder),
    `${JSON.stringify({ benchmark: benchmark.name, machine, figures }, null, 2)}\n`,
  );
  const picture = benchmark.picture?.(figures);
  if (picture !== undefined)
    writeFileSync(
      new URL(`${benchmark.name}.svg`, folder),
      drawBars({ footnote: writeMachine(machine), ...picture }),
    );
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ measure, measured, promised = '', kept }) => [
    measure,
    measured,
    promised,
    kept === undefined ? '' : kept ? 'kept' : 'MISSED',
  ]);
  const all = [['measure', 'measured', 'promised', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
