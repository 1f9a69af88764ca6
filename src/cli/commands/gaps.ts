import type { GapsFlags } from '../check/run-gaps-command.ts';
import { addContractOptions, addTargetOptions, type CommandEntry } from './command.ts';

/**
 * `vouch gaps [url] [doc]`: what the contract leaves open, what the mock assumes there, and what a
 * target does.
 */
export const gapsCommand: CommandEntry = {
  name: 'gaps',
  register(program, start) {
    addTargetOptions(addContractOptions(program.command('gaps [url] [document]')))
      .summary('list what the contract leaves open')
      .description(
        'Lists every gap: a place where the contract does not say what happens, ' +
          'with what the mock assumes there. With a base URL (or a target of ' +
          'vouch.config.yaml, by name), sends the requests of a check and reports ' +
          'what the target does.',
      )
      .action((first: string | undefined, second: string | undefined, flags: GapsFlags) =>
        start(async (io) => {
          const { runGapsCommand } = await import('../check/run-gaps-command.ts');
          return runGapsCommand(io, { flags, first, second });
        }),
      );
  },
};
