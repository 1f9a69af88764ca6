import type { GapsWords } from '../check/run-gaps-command.ts';
import { addContractOptions, addTargetOptions, type CommandEntry } from './command.ts';

/**
 * `vouch gaps [url] [doc]`: where the contract is silent, what the mock assumes there, and what a
 * target does.
 */
export const gapsCommand: CommandEntry = {
  name: 'gaps',
  register(program, start) {
    addTargetOptions(addContractOptions(program.command('gaps [url] [document]')))
      .summary('list where the contract is silent')
      .description(
        'Lists every place where the contract is silent, beside what the mock assumes there. With a base URL (or a target of vouch.config.yaml, by name) it sends the requests of a check, and says what the target was seen to do.',
      )
      .action((first: string | undefined, second: string | undefined, words: GapsWords) =>
        start(async (io) => {
          const { runGapsCommand } = await import('../check/run-gaps-command.ts');
          return runGapsCommand(io, { words, first, second });
        }),
      );
  },
};
