import type { Check, Confirm } from '../../check/topics/check.ts';
import type { Basis } from '../../check/model/finding.ts';
import { suggestId, usage } from '../../errors.ts';
import { hangText } from '../../text/wrap-text.ts';
import { asCalled, exitCodes } from '../io.ts';
import type { CommandEntry } from './command.ts';

/** `vouch explain [check]`: what a check requires of a deployment, and why. */
export const explainCommand: CommandEntry = {
  name: 'explain',
  register(program, start) {
    program
      .command('explain [check]')
      .summary('describe a check')
      .description(
        'Describes what a check requires of a deployment, and why; without a name, ' +
          'lists all checks.',
      )
      .action((name: string | undefined) =>
        start(async (io) => {
          const { checks } = await import('../../check/topics/index.ts');
          io.out(
            name === undefined
              ? listChecks(checks, io.isTTY.out ? io.width : Infinity)
              : asCalled(explainCheck(checks, name, io.width), io.program),
          );
          return exitCodes.passed;
        }),
      );
  },
};

/** One line for each check, which suits `grep`; a narrow terminal gets the rule on its own line. */
function listChecks(checks: readonly Check[], columns: number): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const lines = checks.flatMap(({ id, severity, basis, rule }) => {
    const prefix = `${id.padEnd(width)}  ${severity.padEnd(7)}  ${basis.padEnd(8)}  `;
    return hangText(prefix, rule, columns);
  });
  return `${lines.join('\n')}\n`;
}

const bases: Readonly<Record<Basis, string>> = {
  contract: 'contract: the document states it',
  protocol: 'protocol: an RFC requires it',
  inferred: 'inferred: derived from the contract, as `vouch mock --explain --verbose` shows',
  advice: 'advice: an RFC recommends it, or it is good practice',
};

const confirmations: Readonly<Record<Confirm, string>> = {
  once:
    'one such response violates the rule; the request is still repeated, and ' +
    'the report says whether the response was reproduced',
  repeat: 'must be reproduced, or seen more than once; otherwise it is at most a warning',
  control:
    'must be reproduced; a control request, the nearest one with the ' +
    'opposite expected outcome, is sent too, and the value is judged again ' +
    'as it was on the wire',
  again:
    'must be reproduced from the start with new records, because other ' +
    'clients may have interfered; otherwise it is dropped',
};

/** The full description of a check. Throws a VouchError ('usage') for an unknown name. */
export function explainCheck(checks: readonly Check[], name: string, width: number): string {
  const check = checks.find(({ id }) => id === name);
  if (check === undefined)
    throw usage(`Unknown check: ${name}.`, { hint: suggestId(name, checks) });
  const { example } = check;
  const rows: readonly (readonly [word: string, text: string])[] = [
    ['Rule', check.rule],
    ['Why', check.reason],
    ['Basis', `${bases[check.basis]}.`],
    ['Severity', severityOf(check)],
    ['Evidence', `${confirmations[check.confirm]}.`],
    ...(check.covers === undefined
      ? []
      : [['Covers', `${check.covers.join(', ')}: not reported where this check fails.`] as const]),
  ];
  return [
    check.id,
    ...rows.flatMap(([word, text]) => hangText(`  ${word.padEnd(10)} `, text, width)),
    ...(example.length === 0
      ? []
      : ['', '  Example violation', ...example.map((line) => `    ${line}`)]),
    '',
    '  Skip it in one run',
    `    vouch check URL --skip ${check.id}`,
    '  Lower its severity, or skip it until a date, in vouch.config.yaml',
    '    check:',
    `      checks: { ${check.id}: note }   # or off, warning, error`,
    '      skip:',
    `        - { check: ${check.id}, operation: OPERATION, until: 2026-12-31, reason: why }`,
    '',
  ].join('\n');
}

function severityOf({ severity }: Check): string {
  if (severity === 'error') return 'error: fails the run.';
  return `${severity}: does not fail the run unless --fail-on ${severity} is given.`;
}
