import { checks } from '../../src/check/checks/index.ts';
import type { Check, Proof } from '../../src/check/checks/check.ts';

/** How sure a check is before it speaks, for a reader of the page. */
const proofs: Readonly<Record<Proof, string>> = {
  once: 'One answer is enough: it is the breach itself.',
  repeat: 'It is asked again; what comes once and not again is a warning.',
  control:
    'A neighbour of the request that must fare otherwise is sent too, and ' +
    'the whole is repeated: only what comes again, and whose neighbour ' +
    'passes, is told.',
  again: 'It is looked at again, because other clients may have been at work.',
};

/**
 * Every check with its basis, severity, rule and reason, in the order in which findings are listed.
 */
export function checksReference(): string {
  return [
    '# Checks',
    '',
    'Written from the table in `src/check/checks/index.ts` by `npm run ' +
      'docs`. `vouch explain CHECK` prints the same, with what to do.',
    '',
    'Basis: **contract** (the document says it), **protocol** (an RFC says ' +
      'MUST), **inferred** (meaning was read out of the contract),',
    '**advice** (an RFC says SHOULD, or it is good habit). Severity: an ' +
      '**error** fails a run, a **warning** and a **note** do not. Both are the',
    'usual ones: a finding may be milder than its check, and `check.checks` ' +
      'in `vouch.config.yaml` sets another severity, or `off`.',
    '',
    ...checks.flatMap(describe),
  ].join('\n');
}

function describe({ id, basis, severity, rule, reason, proof, covers = [] }: Check): string[] {
  const silences =
    covers.length === 0
      ? []
      : [
          '- **Speaks alone** where it says more than ' +
            `${covers.map((other) => `\`${other}\``).join(', ')}.`,
        ];
  return [
    `## ${id}`,
    '',
    rule,
    '',
    `- **Why**: ${reason}`,
    `- **Basis**: ${basis}. **Severity**: ${severity}.`,
    `- **How sure**: ${proofs[proof]}`,
    ...silences,
    '',
  ];
}
