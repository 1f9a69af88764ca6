import type { Finding, Severity } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';

/** How one shard ended, and what its blob holds. */
export interface ShardEnd {
  readonly file: string;
  /** From 1; undefined where the run was not split, or the blob breaks off before it says so. */
  readonly index?: number;
  /** Missing where the blob breaks off before its run did. */
  readonly summary?: RunSummary;
  /** The findings that were read, by severity. */
  readonly held: RunSummary['findings'];
}

/** Findings that a run told of at its end, where its blob holds another number of them. */
export interface Loss {
  readonly severity: Severity;
  readonly told: number;
  readonly held: number;
}

/**
 * What was lost of a blob between its start and its end, the worst first. One that breaks off has
 * no end to compare with.
 */
export function lossOf({ summary, held }: ShardEnd): Loss | undefined {
  if (summary === undefined) return undefined;
  return (['error', 'warning', 'note'] as const)
    .map((severity) => ({ severity, told: summary.findings[severity], held: held[severity] }))
    .find((loss) => loss.told !== loss.held);
}

/** Findings by severity. */
export function countsOf(findings: readonly Finding[]): RunSummary['findings'] {
  const having = (severity: Severity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return { error: having('error'), warning: having('warning'), note: having('note') };
}
