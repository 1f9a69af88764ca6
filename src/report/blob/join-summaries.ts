import type { OperationSummary, RunSummary, Verdict } from '../../check/event.ts';
import type { Finding, Severity } from '../../check/finding.ts';
import { separate } from '../../check/judge/join-causes.ts';
import { latencyOf } from '../../check/evidence/latency.ts';
import type { SkippedFinding } from '../../check/skip.ts';
import { countOf, joinWords } from '../../text/counts.ts';
import { joinCoverage } from './join-coverage.ts';
import type { ShardCount } from './match-shards.ts';

/** How one shard ended. `summary` is missing where its blob breaks off before its run did. */
export interface ShardEnd {
  readonly file: string;
  /** From 1; undefined where the run was not split. */
  readonly index?: number;
  readonly summary?: RunSummary;
}

/** Everything that the end of a merged run is made of. */
export interface MergedRun {
  readonly ends: readonly ShardEnd[];
  readonly shards: ShardCount;
  readonly findings: readonly Finding[];
  readonly crashed: boolean;
  /** How long each answer took, in milliseconds, by its operation. */
  readonly durations: ReadonlyMap<string, readonly number[]>;
}

/** The end of the run that the shards are together: counts added, findings counted once, and the worst verdict. */
export function joinSummaries(merged: MergedRun): RunSummary {
  const { ends, findings } = merged;
  const summaries = ends.flatMap(({ summary }) => summary ?? []);
  const operations = [...Map.groupBy(summaries.flatMap((summary) => summary.operations), ({ id }) => id).values()];
  const coverage = joinCoverage(summaries.flatMap((summary) => summary.coverage ?? []));
  const all = findings.flatMap(separate);
  const checks = [...Map.groupBy(summaries.flatMap((summary) => summary.checks), ({ id }) => id)];
  return {
    ...judge(merged),
    requests: sum(summaries.map(({ requests }) => requests)),
    durationMs: Math.max(0, ...summaries.map(({ durationMs }) => durationMs)),
    findings: countsOf(findings),
    operations: operations.flatMap((alike) => joinOperation(alike, all)),
    checks: checks.map(([id, alike]) => ({ id, inspected: sum(alike.map(({ inspected }) => inspected)), findings: all.filter(({ check }) => check === id).length })),
    latency: Object.fromEntries([...merged.durations].flatMap(([operation, each]) => {
      const latency = latencyOf(each);
      return latency === undefined ? [] : [[operation, latency]];
    })),
    ...(summaries.every(({ skippedFindings }) => skippedFindings === undefined) ? {} : { skippedFindings: joinSkips(summaries.flatMap(({ skippedFindings }) => skippedFindings ?? [])) }),
    ...(coverage === undefined ? {} : { coverage }),
  };
}

function joinOperation(alike: readonly OperationSummary[], findings: readonly Finding[]): OperationSummary[] {
  const [first] = alike;
  if (first === undefined) return [];
  const touching = countsOf(findings.filter(({ operations }) => operations.includes(first.id)));
  const requests = sum(alike.map((each) => each.requests));
  const { skipped: _, ...rest } = first;
  const skipped = alike.map((each) => each.skipped).find((reason) => reason !== undefined);
  return [
    {
      ...rest,
      requests,
      errors: touching.error,
      warnings: touching.warning,
      notes: touching.note,
      ...(requests > 0 || skipped === undefined ? {} : { skipped }),
      statuses: addUp(alike.map(({ statuses }) => statuses)),
      checks: addUp(alike.map(({ checks }) => checks)),
    },
  ];
}

function joinSkips(skips: readonly SkippedFinding[]): SkippedFinding[] {
  const alike = Map.groupBy(skips, ({ check, operation, message, reason }) => [check, operation, message, reason].join('\n'));
  return [...alike.values()].flatMap((each) => (each[0] === undefined ? [] : [{ ...each[0], count: sum(each.map(({ count }) => count)) }]));
}

const worstFirst: readonly Verdict[] = ['crashed', 'interrupted', 'broken', 'inconclusive', 'kept'];

/** What is missing of a plan makes kept inconclusive; what is broken stays broken. */
function judge({ ends, shards, findings, crashed }: MergedRun): Pick<RunSummary, 'verdict' | 'reason'> {
  const absent = absences(ends, shards);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const verdicts = [...ends.flatMap(({ summary }) => summary?.verdict ?? []), ...(absent.length > 0 ? ['inconclusive' as const] : []), ...(errors > 0 ? ['broken' as const] : []), ...(crashed ? ['crashed' as const] : [])];
  const verdict = worstFirst.find((each) => verdicts.includes(each)) ?? 'inconclusive';
  const reason = verdict === 'broken' ? `The deployment breaks the contract: ${countOf(errors, 'finding')} of severity error${overShards(ends.length)}.` : reasonOf(verdict, ends);
  return { verdict, reason: [...(reason === undefined ? [] : [reason]), ...absent].join(' ') };
}

function reasonOf(verdict: Verdict, ends: readonly ShardEnd[]): string | undefined {
  const told = ends.filter(({ summary }) => summary?.verdict === verdict);
  if (verdict === 'kept') {
    const requests = sum(told.map(({ summary }) => summary?.requests ?? 0));
    return `Nothing in ${countOf(requests, 'answer')}${overShards(told.length)} breaks the contract.`;
  }
  const reasons = [...new Set(told.map(({ index, summary }) => `${index === undefined || ends.length === 1 ? '' : `Shard ${String(index)}: `}${summary?.reason ?? ''}`))];
  return reasons.length === 0 ? undefined : reasons.join(' ');
}

function overShards(count: number): string {
  return count > 1 ? ` over ${countOf(count, 'shard')}` : '';
}

function absences(ends: readonly ShardEnd[], { count, missing }: ShardCount): string[] {
  const lost = missing.length === 0 ? [] : [`${missing.length === 1 ? 'Shard' : 'Shards'} ${joinWords(missing.map(String))} of ${String(count)} ${missing.length === 1 ? 'is' : 'are'} missing, and what ${missing.length === 1 ? 'it' : 'they'} would have shown is not known.`];
  const torn = ends.filter(({ summary }) => summary === undefined).map(({ file }) => `${file} ends before its run did.`);
  return [...lost, ...torn];
}

function countsOf(findings: readonly Finding[]): RunSummary['findings'] {
  const having = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return { error: having('error'), warning: having('warning'), note: having('note') };
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const entries = counts.flatMap((each) => Object.entries(each));
  return Object.fromEntries([...Map.groupBy(entries, ([key]) => key)].map(([key, alike]) => [key, sum(alike.map(([, number]) => number))]).sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
