import { separate } from '../judge/join-causes.ts';
import type { Finding } from '../model/finding.ts';
import type { RunSummary } from '../model/run-summary.ts';
import { type BaselineEntry, entryOf, isAcceptable, matchEntries } from './baseline.ts';

/** What a run makes of a baseline. */
export interface BaselineComparison {
  /** How many findings of the run it accepts. */
  readonly accepted: number;
  /** Entries that the run looked for, and did not find. */
  readonly fixed: readonly BaselineEntry[];
  /** The entries after the run: its findings, and what it had no chance to find. */
  readonly updated: readonly BaselineEntry[];
}

/**
 * Holds the findings of a run that is over against a baseline. What the run did not ask or did not
 * check is not fixed.
 */
export function compareBaseline(
  findings: readonly Finding[],
  entries: readonly BaselineEntry[],
  summary: RunSummary,
): BaselineComparison {
  const all = findings.flatMap(separate);
  const matched = new Set(matchEntries(all, entries).values());
  const unseen = entries.filter((entry) => !matched.has(entry));
  const fixed = unseen.filter((entry) => wasLookedFor(entry, summary));
  return {
    accepted: matched.size,
    fixed,
    updated: [
      ...all.filter(isAcceptable).map(entryOf),
      ...unseen.filter((entry) => !fixed.includes(entry)),
    ],
  };
}

/**
 * Whether a run that came to its end sent to the operation and had something to check; an operation
 * or a check that is gone cannot fail again.
 */
function wasLookedFor(
  { check, operation }: BaselineEntry,
  { verdict, operations, checks }: RunSummary,
): boolean {
  if (verdict !== 'passed' && verdict !== 'failed') return false;
  const asked = operations.find(({ method, path }) => `${method} ${path}` === operation);
  const held = checks.find(({ id }) => id === check);
  return (
    asked === undefined || (asked.requests > 0 && asked.skipped === undefined && held !== undefined)
  );
}
