import type { LintFormatter, LintFormatOptions } from './formats/formatter.ts';
import { github } from './formats/github.ts';
import { json } from './formats/json.ts';
import { pretty } from './formats/pretty.ts';
import type { LintReport } from './lint-report.ts';

/** Every way to print what was found, in the order in which `--help` names them. */
const formatters = { pretty, json, github } as const satisfies Readonly<Record<string, LintFormatter>>;
export type LintFormat = keyof typeof formatters;

// The keys of an object literal are those of its type.
export const lintFormats = Object.keys(formatters) as readonly LintFormat[];

/** The report as text. Pure; ends with a line feed. */
export function formatLint(report: LintReport, format: LintFormat, options: LintFormatOptions): string {
  return formatters[format](report, options);
}
