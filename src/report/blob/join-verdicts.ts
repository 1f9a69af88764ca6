import { wordsIn } from '../../words-in.ts';
import { describeBroken, describeUnbroken } from '../../check/engine/judge/verdict.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { ReasonCode, RunSummary, Verdict } from '../../check/model/run-summary.ts';
import type { Stop } from '../../check/model/stop.ts';
import { countOf } from '../../text/counts.ts';
import { type Gathered, lossOf, sayAbsences, type ShardEnd } from './match-shards.ts';

/** What a verdict over several shards depends on. */
export interface Judged extends Gathered {
  /** Merged: each cause once. */
  readonly findings: readonly Finding[];
  readonly crashed: boolean;
}

const worstFirst: readonly Verdict[] = wordsIn('crashed interrupted failed inconclusive passed');

/**
 * The worst of the verdicts, and its reason. A missing part of the plan makes a passed run
 * inconclusive; a finding still fails it.
 */
export function joinVerdicts(
  judged: Judged,
): Pick<RunSummary, 'verdict' | 'reason' | 'code' | 'stop'> {
  const { ends, crashed } = judged;
  const absences = sayAbsences(judged);
  const broken = sayBroken(judged);
  const verdicts = [
    ...ends.flatMap(verdictOf),
    ...(absences.length > 0 ? ['inconclusive' as const] : []),
    ...(broken === undefined ? [] : ['failed' as const]),
    ...(crashed ? ['crashed' as const] : []),
  ];
  const verdict = worstFirst.find((each) => verdicts.includes(each)) ?? 'inconclusive';
  const reasons =
    verdict === 'failed' && broken !== undefined
      ? [broken, ...sayRest('failed', ends)]
      : reasonsOf(verdict, judged);
  const stop = stopOf(ends);
  const code = codeOf(verdict, judged, absences.length > 0);
  const joined = { verdict, code, reason: [...reasons, ...absences].join(' ') };
  return stop === undefined || verdict === 'passed' ? joined : { ...joined, stop };
}

/** The stop of the shards, if each of them ended early for the same reason. */
function stopOf(ends: readonly ShardEnd[]): Stop | undefined {
  const stops = ends.map(({ summary }) => summary?.stop);
  const [first] = stops;
  return stops.every((stop) => stop?.code === first?.code) ? first : undefined;
}

function codeOf(
  verdict: Verdict,
  { ends, crashed, findings }: Judged,
  isIncomplete: boolean,
): ReasonCode {
  if (crashed) return 'crashed';
  const codes = relevantEnds(verdict, ends).flatMap(({ summary }) => summary.code ?? []);
  if (verdict === 'inconclusive' && isIncomplete) return 'incomplete';
  if (verdict === 'failed' && findings.length > 0) return 'findings';
  return codes[0] ?? (verdict === 'passed' ? 'no-findings' : 'incomplete');
}

/**
 * The verdict of a shard, from the findings that its blob still has: lost findings do not fail it.
 */
function verdictOf(end: ShardEnd): Verdict[] {
  const { summary } = end;
  if (summary === undefined) return [];
  return [
    summary.verdict === 'failed' && lossOf(end) !== undefined ? 'inconclusive' : summary.verdict,
  ];
}

function sayBroken({ ends, findings, run }: Judged): string | undefined {
  return describeBroken({ findings, failOn: run?.failOn ?? 'error' })?.replace(
    /\.$/,
    `${ends.length > 1 ? ` in ${countOf(ends.length, 'shard')}` : ''}.`,
  );
}

function reasonsOf(verdict: Verdict, { ends, findings }: Judged): string[] {
  if (verdict !== 'passed')
    return sayEach(relevantEnds(verdict, ends), ({ reason }) => reason, ends.length);
  const kept = relevantEnds(verdict, ends);
  const responses = kept.reduce((sum, { summary }) => sum + summary.requests, 0);
  return [
    ...(responses === 0 ? [] : [describeUnbroken({ responses, shards: kept.length, findings })]),
    ...sayRest(verdict, ends),
  ];
}

/**
 * The other remarks of the shards: what could not be tested, or how another deployment responded.
 */
function sayRest(verdict: Verdict, ends: readonly ShardEnd[]): string[] {
  return sayEach(relevantEnds(verdict, ends), restOf, ends.length);
}

/** A reason that only has counts is written again for all shards; its remarks remain. */
function restOf({ code = 'no-findings', reason, remarks = [] }: RunSummary): string {
  return code === 'no-findings' || code === 'findings' ? remarks.join(' ') : reason;
}

interface RelevantEnd extends ShardEnd {
  readonly summary: RunSummary;
}

function relevantEnds(verdict: Verdict, ends: readonly ShardEnd[]): RelevantEnd[] {
  return ends.flatMap((end) =>
    end.summary !== undefined && verdictOf(end).includes(verdict) && end.summary.verdict === verdict
      ? [{ ...end, summary: end.summary }]
      : [],
  );
}

/** Each sentence once, with the shard that has it. A sentence of all shards is written without. */
function sayEach(
  ends: readonly RelevantEnd[],
  of: (summary: RunSummary) => string,
  count: number,
): string[] {
  const byText = Map.groupBy(ends, ({ summary }) => of(summary));
  return [...byText]
    .filter(([text]) => text !== '')
    .flatMap(([text, alike]) =>
      count === 1 || alike.length === count
        ? [text]
        : alike.map(({ index }) =>
            index === undefined ? text : `Shard ${String(index)}: ${text}`,
          ),
    );
}
