import { countWords } from '../model/step.ts';
import type { SuspicionGroup } from '../engine/judge/group.ts';
import { severityOf } from '../engine/judge/judge.ts';
import type { VerdictResult } from '../engine/judge/verdict.ts';
import type { Finding } from '../model/finding.ts';
import type { Confirmation } from '../engine/judge/make-finding.ts';

/** Which exchanges were judged, and which were not. */
export interface TrafficCounts {
  /** The source of the traffic, for messages. */
  readonly source: string;
  readonly judged: number;
  /** Requests without an operation, and their count: `GET /v1/things`. */
  readonly undocumented: ReadonlyMap<string, number>;
  /** How many went to other hosts or paths. */
  readonly elsewhere: number;
  /** How many could not be judged, by the reason. */
  readonly unusable: ReadonlyMap<string, number>;
  /** What an unusable part of the traffic is called. Default: `entry`, of a file. */
  readonly noun?: string;
  /** Remarks about the traffic as a whole: complete sentences. */
  readonly remarks?: readonly string[];
}

/** What a verdict on traffic is based on. */
export interface TrafficVerdictInput {
  readonly counts: TrafficCounts;
  readonly findings: readonly Finding[];
  readonly crashed: boolean;
}

/** The verdict on recorded traffic, and which parts of it were not judged. */
export function ruleTraffic({ counts, findings, crashed }: TrafficVerdictInput): VerdictResult {
  const { judged, undocumented, elsewhere, unusable } = counts;
  const total = judged + sum(undocumented) + elsewhere + sum(unusable);
  const remarks = [...(counts.remarks ?? []), ...unjudgedTraffic(counts)];
  const exchanges = countWords(total, 'recorded exchange');
  const share = `${String(judged)} of ${exchanges} ${judged === 1 ? 'was' : 'were'} judged`;
  const broken = findings.filter(({ severity }) => severity === 'error').length;
  const rule = (
    verdict: VerdictResult['verdict'],
    code: VerdictResult['code'],
    reason: string,
  ): VerdictResult => ({
    verdict,
    code,
    reason: [reason, ...remarks].join(' '),
    remarks,
    nothingTested: judged === 0,
  });
  if (crashed)
    return rule(
      'crashed',
      'crashed',
      'A part of vouch itself failed; what it reports may not be whole.',
    );
  if (judged === 0)
    return rule(
      'inconclusive',
      'nothing-tested',
      `Nothing was judged: none of the ${exchanges} in ${counts.source} belongs to an operation ` +
        'of the contract.',
    );
  if (broken === 0) return rule('passed', 'no-findings', `All judged traffic conforms; ${share}.`);
  const found = `${countWords(broken, 'finding')} of severity error`;
  return rule(
    'failed',
    'findings',
    `The recorded traffic violates the contract: ${found}; ${share}.`,
  );
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

/** The most undocumented requests that are named. */
const maxNamed = 5;

function unjudgedTraffic({
  undocumented,
  elsewhere,
  unusable,
  noun = 'entry',
}: TrafficCounts): string[] {
  const names = [...undocumented.keys()];
  const more = names.length > maxNamed ? `, and ${String(names.length - maxNamed)} more` : '';
  return [
    ...(names.length === 0
      ? []
      : [`Not in the contract: ${names.slice(0, maxNamed).join(', ')}${more}.`]),
    ...(elsewhere === 0
      ? []
      : [`${countWords(elsewhere, 'exchange')} went to other hosts or paths.`]),
    ...[...unusable].map(
      ([why, count]) => `${countWords(count, noun).replace(/entrys$/, 'entries')} ${why}.`,
    ),
  ];
}

/**
 * The confirmation of a finding by recorded traffic alone: nothing can be sent again, so a finding
 * that needs a control request is a warning at most.
 */
export function weighTraffic({ suspicions }: SuspicionGroup): Confirmation {
  const [first] = suspicions;
  const severity = severityOf(first);
  const { confirm } = first.check;
  const isSure = confirm === 'once' || (confirm === 'repeat' && suspicions.length > 1);
  const why = isSure
    ? 'the response itself breaks the rule'
    : 'not reproduced, because nothing is sent';
  return {
    severity: isSure || severity === 'note' ? severity : 'warning',
    violation: first.violation,
    sequence: { ...first.sequence, cases: first.sequence.cases.slice(0, first.steps.length) },
    steps: first.steps,
    repeated: false,
    evidence: ` in the recorded traffic; ${why}.`,
  };
}
