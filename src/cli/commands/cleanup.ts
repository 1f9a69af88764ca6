import type { CleanupWords } from '../check/run-cleanup-command.ts';
import { addContractOptions, authHelp, collect, type CommandEntry, headerHelp } from './command.ts';

/** `vouch cleanup`: deletes what runs left behind that were killed, or could not clean up. */
export const cleanupCommand: CommandEntry = {
  name: 'cleanup',
  register(program, start) {
    addContractOptions(program.command('cleanup [run...]'))
      .summary('delete what a killed run left on its target')
      .description(
        'Lists the runs on this machine that may have left records on their target, and deletes the records: those that the run is known to have made, and, where it was broken off, those that bear its mark.',
      )
      .option('--list', 'only list the runs, and send nothing', false)
      .option('--forget', 'only forget the runs, and send nothing', false)
      .option('--contract <document>', 'the contract, where it is not found where it was')
      .option('--auth <[scheme=]env:NAME>', authHelp, collect, [])
      .option('--header <header>', headerHelp, collect, [])
      .action((runs: string[], words: CleanupWords) =>
        start(async (io) => {
          const { runCleanupCommand } = await import('../check/run-cleanup-command.ts');
          return runCleanupCommand(io, runs, words);
        }),
      );
  },
};
