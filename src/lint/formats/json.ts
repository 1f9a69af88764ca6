import { writeJson } from '../../text/safe-text.ts';
import type { LintProblem, LintReport } from '../lint-report.ts';
import type { LintFormatter } from '../lint-format.ts';

/**
 * One JSON document: the report as it is, members in a fixed order, and the version of the shape.
 */
export const json: LintFormatter = ({ file, counts, problems }: LintReport) => {
  const { error, warning, note } = counts;
  return `${writeJson({ version: 1, file, counts: { error, warning, note }, problems: problems.map(ordered) }, 2)}\n`;
};

function ordered({
  rule,
  severity,
  message,
  place,
  pointer,
  frame,
  hint,
  documentation,
}: LintProblem): object {
  return {
    rule,
    severity,
    message,
    place: { file: place.file, line: place.line, column: place.column },
    pointer,
    frame,
    hint,
    documentation,
  };
}
