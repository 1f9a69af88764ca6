import type { Check } from '../../check/checks/check.ts';
import { checks } from '../../check/checks/index.ts';
import type { Basis, Finding } from '../../check/model/finding.ts';

/**
 * A rule of a SARIF log (SARIF 2.1.0, section 3.49), with what GitHub reads from its properties.
 */
export interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly defaultConfiguration: { readonly level: string };
  readonly properties: {
    readonly basis: Basis;
    readonly tags: readonly string[];
    readonly precision: string;
    readonly 'problem.severity': string;
  };
}

const everyCheck: readonly Check[] = checks;

/**
 * The rules that results refer to by index: every check of the table, then what findings name
 * besides.
 */
export function rulesOf(findings: readonly Finding[]): SarifRule[] {
  const known = new Set(everyCheck.map(({ id }) => id));
  const strange = new Map(
    findings.filter(({ check }) => !known.has(check)).map((finding) => [finding.check, finding]),
  );
  return [
    ...everyCheck.map(ruleOf),
    ...[...strange.values()].map(({ check, basis, severity }) =>
      ruleOf({ id: check, basis, severity, rule: check, reason: '' }),
    ),
  ];
}

const bases: Readonly<Record<Basis, string>> = {
  contract: 'the contract says so',
  protocol: 'an RFC says MUST',
  inferred: 'its meaning is read out of the contract',
  advice: 'an RFC says SHOULD, or good habit',
};

function ruleOf({
  id,
  basis,
  severity,
  rule,
  reason,
}: Pick<Check, 'id' | 'basis' | 'severity' | 'rule' | 'reason'>): SarifRule {
  const why = `Basis: ${basis} (${bases[basis]}).`;
  return {
    id,
    shortDescription: { text: rule },
    fullDescription: { text: [rule, reason].filter((text) => text !== '').join(' ') },
    help: {
      text: [rule, reason, why].filter((text) => text !== '').join('\n'),
      markdown: [`**${rule}**`, reason, why, `\`vouch explain ${id}\``]
        .filter((text) => text !== '')
        .join('\n\n'),
    },
    defaultConfiguration: { level: severity },
    properties: {
      basis,
      tags: ['api', basis],
      precision: basis === 'contract' || basis === 'protocol' ? 'very-high' : 'high',
      'problem.severity': severity === 'note' ? 'recommendation' : severity,
    },
  };
}
