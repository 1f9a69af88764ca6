import type { Check } from '../../check/checks/check.ts';
import { hangText } from '../../text/wrap-text.ts';
import { exitCodes } from '../exit-code.ts';
import { asCalled } from '../program-name.ts';
import type { CommandEntry } from './command.ts';

/** `vouch explain [check]`: what a check holds a deployment to, and why. */
export const explainCommand: CommandEntry = {
  name: 'explain',
  register(program, start) {
    program
      .command('explain [check]')
      .summary('say what a check means')
      .description(
        'Says what a check holds a deployment to, and why; without a name, lists them all.',
      )
      .action((name: string | undefined) =>
        start(async (io) => {
          const { checks } = await import('../../check/checks/index.ts');
          const { explainCheck } = await import('../check/explain-check.ts');
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

/**
 * One line each, for `grep`; on a terminal the rule stands below where it would be broken within a
 * word.
 */
function listChecks(checks: readonly Check[], columns: number): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return `${checks.flatMap(({ id, severity, basis, rule }) => hangText(`${id.padEnd(width)}  ${severity.padEnd(7)}  ${basis.padEnd(8)}  `, rule, columns)).join('\n')}\n`;
}
