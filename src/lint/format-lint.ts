import type { LintFormat, LintFormatOptions, LintFormatter } from './lint-format.ts';
import { github } from './formats/github.ts';
import { json } from './formats/json.ts';
import { pretty } from './formats/pretty.ts';
import type { LintReport } from './lint-report.ts';

const formatters: Readonly<Record<LintFormat, LintFormatter>> = { pretty, json, github };

/** The report as text. Pure; ends with a line feed. */
export function formatLint(
  report: LintReport,
  format: LintFormat,
  options: LintFormatOptions,
): string {
  return formatters[format](report, options);
}
