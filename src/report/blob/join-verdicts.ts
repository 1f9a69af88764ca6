import type { RunSummary, Verdict } from '../../check/event.ts';
import type { Finding } from '../../check/finding.ts';
import { describeBroken, describeUnbroken } from '../../check/judge/verdict.ts';
import { countOf } from '../../text/counts.ts';
import { sayAbsences, type Gathered } from './say-absences.ts';
import { lossOf, type ShardEnd } from './shard-end.ts';

/** What a verdict over several shards is reached from. */
export interface Judged extends Gathered {
  /** Joined: each cause once. */
  readonly findings: readonly Finding[];
  readonly crashed: boolean;
}

const worstFirst: readonly Verdict[] = ['crashed', 'interrupted', 'broken', 'inconclusive', 'kept'];

/** The worst of the verdicts, and why. What is missing of a plan makes kept inconclusive; what is broken by a finding that is there stays broken. */
export function joinVerdicts(judged: Judged): Pick<RunSummary, 'verdict' | 'reason'> {
  const { ends, crashed } = judged;
  const absences = sayAbsences(judged);
  const broken = sayBroken(judged);
  const verdicts = [...ends.flatMap(verdictOf), ...(absences.length > 0 ? ['inconclusive' as const] : []), ...(broken === undefined ? [] : ['broken' as const]), ...(crashed ? ['crashed' as const] : [])];
  const verdict = worstFirst.find((each) => verdicts.includes(each)) ?? 'inconclusive';
  const reasons = verdict === 'broken' && broken !== undefined ? [broken, ...sayRest('broken', ends)] : reasonsOf(verdict, judged);
  return { verdict, reason: [...reasons, ...absences].join(' ') };
}

/** A shard is as broken as the findings that it still holds: those that were lost accuse nobody. */
function verdictOf(end: ShardEnd): Verdict[] {
  const { summary } = end;
  if (summary === undefined) return [];
  return [summary.verdict === 'broken' && lossOf(end) !== undefined ? 'inconclusive' : summary.verdict];
}

function sayBroken({ ends, findings, run }: Judged): string | undefined {
  return describeBroken({ findings, failOn: run?.failOn ?? 'error' })?.replace(/\.$/, `${overShards(ends.length)}.`);
}

function reasonsOf(verdict: Verdict, { ends, findings }: Judged): string[] {
  if (verdict !== 'kept') return sayEach(told(verdict, ends), ({ reason }) => reason, ends.length);
  const kept = told(verdict, ends);
  const answers = kept.reduce((sum, { summary }) => sum + summary.requests, 0);
  return [...(answers === 0 ? [] : [describeUnbroken(`${countOf(answers, 'answer')}${overShards(kept.length)}`, findings)]), ...sayRest(verdict, ends)];
}

/** What a reason begins with where it only counts what is counted again over all shards. */
const counted = /^(?:Nothing(?: new)? in [\d,]+ answers? breaks the contract(?:: the baseline [^.]+)?|The deployment breaks the contract: [^.]+|The run was asked to fail on every \w+: [^.]+)\.\s*/;

/** What the shards say besides: what could not be tested, or how another deployment answered. */
function sayRest(verdict: Verdict, ends: readonly ShardEnd[]): string[] {
  return sayEach(told(verdict, ends), ({ reason }) => reason.replace(counted, ''), ends.length);
}

interface ToldEnd extends ShardEnd {
  readonly summary: RunSummary;
}

function told(verdict: Verdict, ends: readonly ShardEnd[]): ToldEnd[] {
  return ends.flatMap((end) => (end.summary !== undefined && verdictOf(end).includes(verdict) && end.summary.verdict === verdict ? [{ ...end, summary: end.summary }] : []));
}

/** Each thing once, with the shard that says it. What all of them say is said without. */
function sayEach(ends: readonly ToldEnd[], of: (summary: RunSummary) => string, count: number): string[] {
  const byText = Map.groupBy(ends, ({ summary }) => of(summary));
  return [...byText].filter(([text]) => text !== '').flatMap(([text, alike]) => (count === 1 || alike.length === count ? [text] : alike.map(({ index }) => (index === undefined ? text : `Shard ${String(index)}: ${text}`))));
}

function overShards(count: number): string {
  return count > 1 ? ` over ${countOf(count, 'shard')}` : '';
}
