import type { OperationSummary } from '../../check/model/run-summary.ts';
import { countOf, formatNumber } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { TextStyle } from '../../text/text-style.ts';
import { columnsOf, hangText, keepTogether, padText } from '../../text/wrap-text.ts';
import { isLocked, isTested } from '../verdict.ts';
import type { Page } from './pretty-start.ts';

/**
 * One line for each operation: whether it kept the contract, how often it was asked, what it
 * answered.
 */
export function operationLines(
  operations: readonly OperationSummary[],
  { style, width }: Page,
): string[] {
  const names = operations.map(({ method, path }) => ({
    method: cleanLine(method),
    path: cleanLine(path),
  }));
  const columns = {
    method: Math.max(0, ...names.map(({ method }) => columnsOf(method))),
    path: Math.min(40, Math.max(0, ...names.map(({ path }) => columnsOf(path)))),
    requests: Math.max(0, ...operations.map(({ requests }) => countOf(requests, 'request').length)),
  };
  return operations.flatMap((operation) => {
    const name = `${padText(cleanLine(operation.method), columns.method)} ${padText(cleanLine(operation.path), columns.path)}`;
    const start = `  ${mark(operation, style)} ${name}  `;
    if (operation.requests === 0)
      return hangText(
        start,
        style.dim(`skipped: ${cleanLine(operation.skipped ?? 'nothing was sent to it')}`),
        width,
      );
    const requests = countOf(operation.requests, 'request').padStart(columns.requests);
    return hangText(
      `${start}${requests}  `,
      [
        statuses(operation, style),
        isLocked(operation)
          ? style.dim('not let in')
          : operation.judged === 0
            ? style.dim('not tested')
            : '',
        problems(operation, style),
      ]
        .filter((text) => text !== '')
        .join(' · '),
      width,
    );
  });
}

function mark(operation: OperationSummary, style: TextStyle): string {
  if (operation.errors > 0) return style.red('✗');
  return isTested(operation) ? style.green('✓') : style.dim('○');
}

function statuses(operation: OperationSummary, style: TextStyle): string {
  const words = Object.entries(operation.statuses).map(
    ([status, times]) => `${cleanLine(status)} ×${formatNumber(times)}`,
  );
  return words.map((word) => style.dim(keepTogether(word))).join(' ');
}

function problems({ errors, warnings, notes }: OperationSummary, style: TextStyle): string {
  if (errors + warnings + notes === 0) return '';
  const counts = [
    [errors, 'error'],
    [warnings, 'warning'],
    [notes, 'note'],
  ] as const;
  const text = counts
    .filter(([number]) => number > 0)
    .map(([number, noun]) => keepTogether(countOf(number, noun)))
    .join(', ');
  if (errors > 0) return style.red(text);
  return warnings > 0 ? style.yellow(text) : style.cyan(text);
}
