import type { Check, Proof } from '../../check/checks/check.ts';
import type { CheckId } from '../../check/checks/index.ts';
import type { Basis } from '../../check/model/finding.ts';
import { VouchError } from '../../errors.ts';
import { suggestWord } from '../../nearest-word.ts';
import { hangText } from '../../text/wrap-text.ts';
import { brokenExchanges } from './broken-exchanges.ts';

const bases: Readonly<Record<Basis, string>> = {
  contract: 'contract: the document itself says so',
  protocol: 'protocol: an RFC asks for it',
  inferred: 'inferred: it was read out of the contract, as `vouch mock --explain` shows',
  advice: 'advice: an RFC recommends it, or it is a good habit',
};

const proofs: Readonly<Record<Proof, string>> = {
  once: 'one such answer breaks the rule; it is asked for again all the same, and the report says whether it came again',
  repeat: 'it has to come again, or to have come more than once; else it is a warning at most',
  control:
    'the nearest request that must fare otherwise is sent too, the value is judged again as it stood on the wire, and it has to come again',
  again:
    'it has to come again, from the beginning and with records of its own, because other clients may have been at work; else it is let go',
};

/** Everything about one check. Throws a VouchError ('usage') for a name that no check has. */
export function explainCheck(checks: readonly Check[], name: string, width: number): string {
  const check = checks.find(({ id }) => id === name);
  if (check === undefined)
    throw new VouchError('usage', `There is no check ${name}.`, {
      hint: suggestWord(
        name,
        checks.map(({ id }) => id),
      ),
    });
  // A name that the table has is one of its ids.
  const example = brokenExchanges[name as CheckId] ?? [];
  const rows: readonly (readonly [word: string, text: string])[] = [
    ['Rule', check.rule],
    ['Why', check.reason],
    ['Basis', `${bases[check.basis]}.`],
    ['Severity', severityOf(check)],
    ['Proof', `${proofs[check.proof]}.`],
    ...(check.covers === undefined
      ? []
      : [
          [
            'Speaks for',
            `${check.covers.join(', ')}: they are silent where this one is broken.`,
          ] as const,
        ]),
  ];
  return [
    check.id,
    ...rows.flatMap(([word, text]) => hangText(`  ${word.padEnd(10)} `, text, width)),
    ...(example.length === 0
      ? []
      : ['', '  Broken, for example, by', ...example.map((line) => `    ${line}`)]),
    '',
    '  To leave it out of one run',
    `    vouch check URL --skip ${check.id}`,
    '  To make it milder, or to skip it for a while, in vouch.config.yaml',
    '    check:',
    `      checks: { ${check.id}: note }   # or off, warning, error`,
    '      skip:',
    `        - { check: ${check.id}, operation: OPERATION, until: 2026-12-31, reason: why }`,
    '',
  ].join('\n');
}

function severityOf({ severity }: Check): string {
  if (severity === 'error') return 'error: it fails the run.';
  return `${severity}: it fails no run, unless --fail-on says so.`;
}
