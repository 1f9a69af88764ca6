import type { RunSummary } from '../check/event.ts';
import { countOf } from '../text/counts.ts';
import { cleanLine } from '../text/safe-text.ts';

/** What the configuration kept out of the report: a sentence for each reason, then what was not told. */
export function skippedFindingLines({ skippedFindings = [] }: RunSummary): string[] {
  const byReason = Map.groupBy(skippedFindings, ({ reason, until }) => `${until === undefined ? 'for good' : `until ${until}`}: ${reason}`);
  return [...byReason].flatMap(([clause, findings]) => [
    cleanLine(`${countOf(findings.length, 'finding')} skipped ${clause}`),
    ...findings.map(({ severity, check, operation, message, count }) => cleanLine(`  ${severity} ${check} ${operation}: ${message}${count > 1 ? ` (${countOf(count, 'time')})` : ''}`)),
  ]);
}
