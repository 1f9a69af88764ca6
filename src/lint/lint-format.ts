import type { LintReport } from './lint-report.ts';

/** Where the text goes. */
export interface LintFormatOptions {
  readonly color: boolean;
  /** Columns; prose keeps to them, code does not. */
  readonly width: number;
}

/** Turns a report into text. */
export type LintFormatter = (report: LintReport, options: LintFormatOptions) => string;

/**
 * Every way to print what was found, in the order in which `--help` names them. Apart from what
 * prints, so that help loads none of it.
 */
export const lintFormats = ['pretty', 'json', 'github'] as const;
export type LintFormat = (typeof lintFormats)[number];
