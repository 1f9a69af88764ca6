import { Option } from 'commander';
import { modes } from '../../check/model/phase.ts';
import type { ReplayFlags } from '../check/run-replay-command.ts';
import type { CommandEntry } from './command.ts';
import { addContractOptions, authHelp, collect, headerHelp, oneOf } from './command.ts';
import type { CleanupFlags } from '../check/run-cleanup-command.ts';

/** `vouch replay`: checks whether findings of an earlier run are fixed. */
export const replayCommand: CommandEntry = {
  name: 'replay',
  register(program, start) {
    addContractOptions(program.command('replay [report-or-id...]'))
      .summary('check whether findings of an earlier run are fixed')
      .description(
        'Sends the requests of earlier findings again and judges the new responses. ' +
          'The findings come from a report (--reporter json=report.json) or from the ' +
          'last runs on this machine. Without ids, replays all findings of the report, ' +
          'or of the last run that was started in this folder.',
      )
      .option('--url <url>', 'base URL to use in place of the one that was checked')
      .option('--contract <document>', 'contract to use if it is no longer at its former path')
      .addOption(oneOf(new Option('--mode <mode>', 'same as in vouch check'), modes))
      .option('--auth <[scheme=]env:NAME>', authHelp, collect, [])
      .option('--header <header>', headerHelp, collect, [])
      .action((given: string[], flags: ReplayFlags) =>
        start(async (io) => {
          const { runReplayCommand } = await import('../check/run-replay-command.ts');
          return runReplayCommand(io, given, flags);
        }),
      );
  },
};

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
      .option('--forget', 'forget the named runs, or all; send nothing', false)
      .option('--verbose', 'name each record', false)
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
