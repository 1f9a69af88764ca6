import type { LintReport } from '../lint-report.ts';

/** Where the text goes. */
export interface LintFormatOptions {
  readonly color: boolean;
  /** Columns; prose keeps to them, code does not. */
  readonly width: number;
}

/** Turns a report into text. */
export type LintFormatter = (report: LintReport, options: LintFormatOptions) => string;
