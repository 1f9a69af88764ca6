import { checks } from '../../src/check/topics/index.ts';
import type { Check, Confirm } from '../../src/check/topics/check.ts';

/** What a suspicion needs to become a finding, for readers of the page. */
const confirmations: Readonly<Record<Confirm, string>> = {
  once: 'One response is enough: the response itself violates the rule.',
  repeat: 'Reproduced; a violation that is not reproduced is a warning.',
  control:
    'Reproduced together with a control request that must have the opposite outcome; ' +
    'otherwise it is dropped.',
  again:
    'Must be reproduced, because other clients may have changed the data; otherwise it is dropped.',
};

/**
 * Every check with its basis, severity, rule and reason, in the order in which findings are listed.
 */
export function checksReference(): string {
  return [
    '# Checks',
    '',
    'Generated from `src/check/topics/index.ts` by `npm run docs`. `vouch explain CHECK` prints',
    'the same for one check, with an example and the options.',
    '',
    'Basis: **contract** (the document requires it), **protocol** (MUST in an RFC), **inferred**',
    '(derived from the contract), **advice** (SHOULD in an RFC, or good practice). Severity: an',
    '**error** fails a run; a **warning** or a **note** does not. Both are defaults: one finding',
    'may be less severe than its check, and `check.checks` in `vouch.config.yaml` sets another',
    'severity or `off`.',
    '',
    ...checks.flatMap(describe),
  ].join('\n');
}

function describe({ id, basis, severity, rule, reason, confirm, covers = [] }: Check): string[] {
  const replaced =
    covers.length === 0
      ? []
      : [
          `- **Replaces** findings of ${covers.map((other) => `\`${other}\``).join(', ')} ` +
            'on the same exchange.',
        ];
  return [
    `## ${id}`,
    '',
    rule,
    '',
    `- **Why**: ${reason}`,
    `- **Basis**: ${basis}. **Severity**: ${severity}.`,
    `- **Confirmation**: ${confirmations[confirm]}`,
    ...replaced,
    '',
  ];
}
