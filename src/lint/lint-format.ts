import type { LintReport } from './lint-report.ts';

/** The output of the lint. */
export interface LintFormatOptions {
  readonly color: boolean;
  /** Columns; prose is wrapped, code is not. */
  readonly width: number;
}

/** Turns a report into text. */
export type LintFormatter = (report: LintReport, options: LintFormatOptions) => string;

/**
 * Every output format, in the order in which `--help` lists them. Separate from the code that
 * prints, which help need not load.
 */
export const lintFormats = ['pretty', 'json', 'github'] as const;
export type LintFormat = (typeof lintFormats)[number];
