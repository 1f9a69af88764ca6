import { countsOf, type Outcome } from './measure-services.ts';

const heads = [
  'service',
  'version',
  'operations',
  'requests',
  'before',
  'gone',
  'changed',
  'left, named',
  'left, not named',
  'succeeded',
  'seconds',
  'verdict',
];

/** The outcomes as a table in Markdown. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(rowOf);
  return [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function rowOf(outcome: Outcome): string[] {
  if ('reason' in outcome)
    return [
      outcome.title,
      `not measured: ${outcome.reason.split('\n')[0] ?? ''}`,
      ...heads.slice(2).map(() => ''),
    ];
  const { title, version } = outcome.result;
  const {
    operations,
    requests,
    before,
    gone,
    changed,
    named,
    unnamed,
    succeeded,
    seconds,
    verdict,
    ended,
  } = countsOf(outcome.result);
  return [
    title,
    version,
    ...[operations, requests, before, gone, changed, named, unnamed, succeeded, seconds].map(
      String,
    ),
    ended ? `${verdict}; the service ended` : verdict,
  ];
}
