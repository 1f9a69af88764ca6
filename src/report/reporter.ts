import type { RunEvent } from '../check/model/event.ts';

/** What a reporter needs to know of where its text goes. */
export interface ReporterOptions {
  readonly color: boolean;
  /** Columns; 80 where nobody knows. */
  readonly width: number;
  /**
   * Whether it is a terminal: long lines are broken where a person or a shell would break them, and
   * stay whole elsewhere.
   */
  readonly terminal?: boolean;
  /**
   * How whoever reads it starts vouch: `npx vouch`; the plain word unless told. Only what goes to a
   * person at once is told.
   */
  readonly program?: string | undefined;
  /** Whether lines may be written for each exchange. */
  readonly verbose: boolean;
}

/**
 * Turns the events of a run into text. Pure: it prints nothing, and returns what is to be written
 * for each event (often '').
 */
export interface Reporter {
  readonly id: string;
  /** One sentence for `--help`. */
  readonly description: string;
  begin(options: ReporterOptions): (event: RunEvent) => string;
}
