import { Option } from 'commander';
import { modes } from '../../check/event.ts';
import type { ReplayWords } from '../check/run-replay-command.ts';
import {
  addContractOptions,
  authHelp,
  collect,
  type CommandEntry,
  headerHelp,
  oneOf,
} from './command.ts';

/** `vouch replay`: whether findings of an earlier run are fixed. */
export const replayCommand: CommandEntry = {
  name: 'replay',
  register(program, start) {
    addContractOptions(program.command('replay [report-or-id...]'))
      .summary('say whether findings of an earlier run are fixed')
      .description(
        'Sends what showed a finding again, and judges it again: of a report (--reporter json=report.json), or, without one, of the last runs on this machine. Without ids it takes every finding of the report, or of the last run.',
      )
      .option('--url <url>', 'another base URL than the one that was checked')
      .option('--contract <document>', 'the contract, where it is not found where it was')
      .addOption(oneOf(new Option('--mode <mode>', 'as in vouch check'), modes))
      .option('--auth <[scheme=]env:NAME>', authHelp, collect, [])
      .option('--header <header>', headerHelp, collect, [])
      .action((given: string[], words: ReplayWords) =>
        start(async (io) => {
          const { runReplayCommand } = await import('../check/run-replay-command.ts');
          return runReplayCommand(io, given, words);
        }),
      );
  },
};
