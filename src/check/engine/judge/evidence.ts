import type { Finding } from '../../model/finding.ts';

/**
 * The finding with its evidence text written from its fields; one of an older version is unchanged.
 */
export function withEvidence<Bare extends Omit<Finding, 'evidence'>>(
  finding: Bare,
): Bare & Pick<Finding, 'evidence'> {
  const { confirmation } = finding;
  if (confirmation === undefined) return { evidence: '', ...finding };
  const parts = [
    timesText(finding.count) + confirmation,
    ...(finding.accepted === undefined ? [] : [acceptedText(finding.accepted)]),
    ...(finding.alsoSeenAs === undefined ? [] : [othersText(finding.alsoSeenAs)]),
  ];
  return { ...finding, evidence: parts.join(' ') };
}
/** A finding with the findings that it explains. */
export function withOthers(finding: Finding, others: readonly Finding[]): Finding {
  return others.length === 0 ? finding : withEvidence({ ...finding, alsoSeenAs: others });
}
/** A finding and the findings that it explains, separated again. */
export function separate(finding: Finding): Finding[] {
  const { alsoSeenAs, ...alone } = finding;
  if (alsoSeenAs === undefined) return [finding];
  return [withEvidence(alone), ...alsoSeenAs];
}
/** The beginning of the evidence of a finding: `Seen once`, `Seen 12 times`. */
export function timesText(count: number): string {
  return `Seen ${count === 1 ? 'once' : `${String(count)} times`}`;
}
function acceptedText(severity: NonNullable<Finding['accepted']>): string {
  const article = severity === 'error' ? 'an' : 'a';
  return `The baseline accepts it; without it, it is ${article} ${severity}.`;
}

const maxNamed = 5;

function othersText(others: readonly Finding[]): string {
  const named = others.slice(0, maxNamed).map(({ check, operation, message }) => {
    return `${check} on ${operation.method} ${operation.path} (${message.replace(/\.$/, '')})`;
  });
  const rest = others.length - named.length;
  const operations = new Set(others.flatMap((other) => other.operations)).size;
  const more =
    rest > 0
      ? [`${String(rest)} more, on ${String(operations)} operations, which the JSON report holds`]
      : [];
  return `Also seen as ${[...named, ...more].join('; ')}.`;
}
