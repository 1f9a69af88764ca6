import type { CleanupFlags } from '../check/run-cleanup-command.ts';
import { addContractOptions, authHelp, collect, type CommandEntry, headerHelp } from './command.ts';

/** `vouch cleanup`: deletes records of runs that were killed or could not clean up. */
export const cleanupCommand: CommandEntry = {
  name: 'cleanup',
  register(program, start) {
    addContractOptions(program.command('cleanup [run...]'))
      .summary('delete the records that an interrupted run left on its target')
      .description(
        'Lists the runs on this machine that may have left records on their target, ' +
          'and deletes those records: the ones that the run is known to have created ' +
          'and, if it was interrupted, the ones that carry its marker.',
      )
      .option('--list', 'list the runs; send nothing', false)
      .option('--forget', 'forget the runs; send nothing', false)
      .option('--contract <document>', 'contract to use if it is no longer at its former path')
      .option('--auth <[scheme=]env:NAME>', authHelp, collect, [])
      .option('--header <header>', headerHelp, collect, [])
      .action((runs: string[], flags: CleanupFlags) =>
        start(async (io) => {
          const { runCleanupCommand } = await import('../check/run-cleanup-command.ts');
          return runCleanupCommand(io, runs, flags);
        }),
      );
  },
};
