import { countWords } from '../evidence/phrases.ts';
import type { Finding } from '../finding.ts';
import type { Ruling } from '../judge/verdict.ts';
import type { Placement } from './place-traffic.ts';
import type { Traffic } from './traffic.ts';

/** What a verdict on traffic is reached from. */
export interface TrafficAccount {
  readonly traffic: Traffic;
  readonly placement: Placement;
  readonly findings: readonly Finding[];
  readonly crashed: boolean;
}

const mostNamed = 5;

/** Says what recorded traffic has shown, and what in it was not looked at. */
export function ruleTraffic({ traffic, placement, findings, crashed }: TrafficAccount): Ruling {
  const { placed } = placement;
  const total =
    placed.length + sum(placement.undocumented) + placement.elsewhere + sum(traffic.unusable);
  const rest = describeRest(placement, traffic);
  const broken = findings.filter(({ severity }) => severity === 'error').length;
  const say = (verdict: Ruling['verdict'], code: Ruling['code'], reason: string): Ruling => ({
    verdict,
    code,
    reason: [reason, ...rest].join(' '),
    remarks: rest,
    nothingTested: placed.length === 0,
  });
  if (crashed)
    return say(
      'crashed',
      'crashed',
      'A part of vouch itself failed; what it reports may not be whole.',
    );
  if (placed.length === 0)
    return say(
      'inconclusive',
      'nothing-tested',
      `Nothing was judged: none of the ${countWords(total, 'recorded exchange')} in ${traffic.file} belongs to an operation of the contract.`,
    );
  const judged = `${String(placed.length)} of ${countWords(total, 'recorded exchange')} ${placed.length === 1 ? 'was' : 'were'} judged`;
  if (broken === 0)
    return say('passed', 'no-findings', `The recorded traffic conforms; ${judged}.`);
  const found = `${countWords(broken, 'finding')} of severity error`;
  return say(
    'failed',
    'findings',
    `The recorded traffic violates the contract: ${found}; ${judged}.`,
  );
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function describeRest({ undocumented, elsewhere }: Placement, { unusable }: Traffic): string[] {
  const names = [...undocumented.keys()];
  const more = names.length > mostNamed ? `, and ${String(names.length - mostNamed)} more` : '';
  return [
    ...(names.length === 0
      ? []
      : [`Not in the contract: ${names.slice(0, mostNamed).join(', ')}${more}.`]),
    ...(elsewhere === 0 ? [] : [`${countWords(elsewhere, 'exchange')} went elsewhere.`]),
    ...[...unusable].map(
      ([why, count]) => `${countWords(count, 'entry').replace(/entrys$/, 'entries')} ${why}.`,
    ),
  ];
}
