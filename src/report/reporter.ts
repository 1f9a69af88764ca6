import type { RunEvent, RunInfo } from '../check/model/event.ts';
import type { Verdict } from '../check/model/run-summary.ts';

/** An earlier run in short form. */
export interface EarlierRun {
  readonly id: string;
  readonly target: string;
  /** The title of the contract. */
  readonly contract: string;
  readonly startedAt: string;
  readonly verdict: Verdict;
  readonly errors: number;
  readonly warnings: number;
}

/** What a reporter needs to know about its output. */
export interface ReporterOptions {
  readonly color: boolean;
  /** Columns; 80 if unknown. */
  readonly width: number;
  /**
   * Whether it is a terminal: long lines are wrapped for people and shells, and stay whole
   * elsewhere.
   */
  readonly terminal?: boolean;
  /**
   * The command that starts vouch, such as `npx vouch`. Default: `vouch`. Only for output that a
   * person reads immediately.
   */
  readonly program?: string | undefined;
  /**
   * The path of a file of the contract from the root of the repository, for reports that CI
   * services show beside the source. Default: unchanged.
   */
  readonly repositoryPath?: ((file: string) => string) | undefined;
  /** Reads the earlier runs to compare a run with, oldest first. */
  readonly earlierRuns?: ((run: RunInfo) => readonly EarlierRun[]) | undefined;
  /** Whether lines may be written for each exchange. */
  readonly verbose: boolean;
}

/**
 * Turns the events of a run into text. Pure: it prints nothing, and returns the text for each event
 * (often '').
 */
export interface Reporter {
  readonly id: string;
  /** One sentence for `--help`. */
  readonly description: string;
  /** The file that takes it on a terminal, where nobody could read it. */
  readonly file?: string;
  /** Whether it writes for each exchange, also if not verbose: progress would interrupt it. */
  readonly live?: true;
  begin(options: ReporterOptions): (event: RunEvent) => string;
}
