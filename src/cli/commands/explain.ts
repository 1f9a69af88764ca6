import type { Check } from '../../check/checks/check.ts';
import { VouchError } from '../../errors.ts';
import { suggestWord } from '../../nearest-word.ts';
import { exitCodes } from '../exit-code.ts';
import type { CommandEntry } from './command.ts';

/** `vouch explain [check]`: what a check holds a deployment to, and why. */
export const explainCommand: CommandEntry = {
  name: 'explain',
  register(program, start) {
    program
      .command('explain [check]')
      .summary('say what a check means')
      .description('Says what a check holds a deployment to, and why; without a name, lists them all.')
      .action((name: string | undefined) =>
        start(async (io) => {
          const { checks } = await import('../../check/checks/index.ts');
          io.out(name === undefined ? listChecks(checks) : explainCheck(checks, name));
          return exitCodes.kept;
        }),
      );
  },
};

function listChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return `${checks.map((check) => `${check.id.padEnd(width)}  ${check.rule}`).join('\n')}\n`;
}

function explainCheck(checks: readonly Check[], name: string): string {
  const check = checks.find(({ id }) => id === name);
  if (check === undefined) throw new VouchError('usage', `There is no check ${name}.`, { hint: suggestWord(name, checks.map(({ id }) => id)) });
  return `${check.id}\n  Rule: ${check.rule}\n  Why: ${check.reason}\n  Basis: ${check.basis}. Severity: ${check.severity}.\n`;
}
