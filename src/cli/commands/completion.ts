import { Argument, InvalidArgumentError } from 'commander';
import { meantWord } from '../../nearest-word.ts';
import { exitCodes } from '../exit-code.ts';
import type { CommandEntry } from './command.ts';

const shellNames = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** `vouch completion SHELL`: prints a script that completes commands, flags and values. */
export const completionCommand: CommandEntry = {
  name: 'completion',
  register(program, start) {
    program
      .command('completion')
      .addArgument(new Argument('<shell>', 'the shell').choices(shellNames).argParser(readShell))
      .summary('print a shell completion script')
      .description(
        "Prints a shell script that completes vouch's commands, flags, reporters " +
          'and checks. It needs a vouch command on the PATH (npm install --global).',
      )
      .action((name: (typeof shellNames)[number]) =>
        start(async (io) => {
          const [{ shells }, { readCompletions }, { checks }, { reporters }] = await Promise.all([
            import('../completion/shells.ts'),
            import('../completion/completions.ts'),
            import('../../check/checks/index.ts'),
            import('../../report/reporters.ts'),
          ]);
          const shell = shells.find((known) => known.name === name);
          io.out(
            shell?.write(
              readCompletions(program, {
                checks: checks.map(({ id }) => id),
                reporters: reporters.map(({ id }) => id),
              }),
            ) ?? '',
          );
          return exitCodes.passed;
        }),
      );
  },
};

function readShell(given: string): string {
  const known = shellNames.find((name) => name === given);
  if (known !== undefined) return known;
  const nearest = meantWord(given, shellNames);
  throw new InvalidArgumentError(
    nearest === undefined
      ? `Supported shells: ${shellNames.join(', ')}.`
      : `Did you mean ${nearest}?`,
  );
}
