import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Reporter } from 'vitest/node';

/** What this reporter reads of a test file that has run; times are in milliseconds. */
interface RunFile {
  readonly relativeModuleId: string;
  diagnostic(): { readonly collectDuration: number; readonly duration: number };
}

/** How many of the slowest files are printed. */
const shown = 10;

/**
 * Keeps the seconds of each test file, and prints the ten slowest, slowest first. A file counts
 * with its imports, tests and hooks; a module that several files import counts for the first of
 * them. The seconds of files that another run had stay, as `npm test` and `npm run test:rest` have
 * different ones. Runs of ten files or fewer, as while one folder is worked on, leave what is kept
 * as it is.
 */
export class TestSeconds implements Reporter {
  readonly #file: string;
  readonly #print: (line: string) => void;

  /** `file` gets a JSON object: the seconds of each path, slowest first. */
  constructor(file: string, print: (line: string) => void = console.log) {
    this.#file = file;
    this.#print = print;
  }

  onTestRunEnd(files: readonly RunFile[]): void {
    if (files.length <= shown) return;
    const seconds = files
      .map((file): [string, number] => [file.relativeModuleId, secondsOf(file)])
      .sort(slowestFirst);
    const own = new Set(seconds.map(([path]) => path));
    const others = this.#readKept().filter(([path]) => !own.has(path));
    const all = [...seconds, ...others].sort(slowestFirst);
    writeFileSync(this.#file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
    this.#print(`\n Slowest files (${basename(this.#file)} has the seconds of all)`);
    for (const [path, time] of seconds.slice(0, shown))
      this.#print(`${time.toFixed(1).padStart(8)} s  ${path}`);
  }

  /** What earlier runs kept of the files that are still there. */
  #readKept(): [string, number][] {
    if (!existsSync(this.#file)) return [];
    // Written above.
    const kept = JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, number>;
    return Object.entries(kept).filter(([path]) => existsSync(join(dirname(this.#file), path)));
  }
}

const slowestFirst = ([, left]: [string, number], [, right]: [string, number]): number =>
  right - left;

function secondsOf(file: RunFile): number {
  const { collectDuration, duration } = file.diagnostic();
  return Math.round(collectDuration + duration) / 1_000;
}
