import { Option } from 'commander';
import { modes } from '../../check/model/phase.ts';
import type { ReplayFlags } from '../check/run-replay-command.ts';
import {
  addContractOptions,
  authHelp,
  collect,
  type CommandEntry,
  headerHelp,
  oneOf,
} from './command.ts';

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
