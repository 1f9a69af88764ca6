import type { Finding } from '../model/finding.ts';

/**
 * The finding with its evidence written again from its fields; one of an older version stays as it
 * is.
 */
export function withEvidence<Told extends Omit<Finding, 'evidence'>>(
  finding: Told,
): Told & Pick<Finding, 'evidence'> {
  const { confirmation } = finding;
  if (confirmation === undefined) return { evidence: '', ...finding };
  const parts = [
    timesText(finding.count) + confirmation,
    ...(finding.accepted === undefined ? [] : [acceptedText(finding.accepted)]),
    ...(finding.alsoSeenAs === undefined ? [] : [othersText(finding.alsoSeenAs)]),
  ];
  return { ...finding, evidence: parts.join(' ') };
}

/** How the evidence of a finding begins: `Seen once`, `Seen 12 times`. */
export function timesText(count: number): string {
  return `Seen ${count === 1 ? 'once' : `${String(count)} times`}`;
}

function acceptedText(severity: NonNullable<Finding['accepted']>): string {
  const article = severity === 'error' ? 'an' : 'a';
  return `The baseline accepts it; without it, it is ${article} ${severity}.`;
}

const mostNamed = 5;

function othersText(others: readonly Finding[]): string {
  const named = others.slice(0, mostNamed).map(({ check, operation, message }) => {
    return `${check} on ${operation.method} ${operation.path} (${message.replace(/\.$/, '')})`;
  });
  const rest = others.length - named.length;
  const more = rest > 0 ? [`${String(rest)} more, which the JSON report holds`] : [];
  return `Also seen as ${[...named, ...more].join('; ')}.`;
}
