import type { Severity } from '../contract/model/severity.ts';
import type { DocumentFault } from '../contract/model.ts';
import type { Pointer } from '../json/pointer.ts';

/**
 * `error` makes the contract invalid and `vouch lint` fail; `warning` and `note` do not. A note is
 * a gap in the contract.
 */
export type LintSeverity = Severity;

/** One problem of a document. */
export interface LintProblem extends Pick<
  DocumentFault,
  'rule' | 'message' | 'hint' | 'place' | 'frame'
> {
  readonly severity: LintSeverity;
  /** Whether the rule is about form: no document breaks OpenAPI or contradicts itself by it. */
  readonly isStyle?: boolean;
  readonly pointer?: Pointer;
  /** The URL of a page with more information. */
  readonly documentation?: string | undefined;
}

/** All problems of a document, in the order of its lines. */
export interface LintReport {
  readonly file: string;
  readonly problems: readonly LintProblem[];
  readonly counts: Readonly<Record<LintSeverity, number>>;
}

export interface LintFormatOptions {
  readonly color: boolean;
  /** Columns; prose is wrapped, code is not. */
  readonly width: number;
  /** Whether people see every problem; default: five of each rule. */
  readonly all?: boolean;
}

/** Turns a report into text. */
export type LintFormatter = (report: LintReport, options: LintFormatOptions) => string;

/**
 * Every output format, in the order in which `--help` lists them. Separate from the code that
 * prints, which help need not load.
 */
export const lintFormats = ['pretty', 'json', 'github'] as const;
export type LintFormat = (typeof lintFormats)[number];
