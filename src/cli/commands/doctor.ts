import type { ContractWords } from '../find-contract.ts';
import { addContractOptions, type CommandEntry } from './command.ts';

/**
 * `vouch doctor [target]`: whether everything is there that vouch needs, and what to do where it is
 * not.
 */
export const doctorCommand: CommandEntry = {
  name: 'doctor',
  register(program, start) {
    addContractOptions(program.command('doctor [target]'))
      .summary('say whether everything is there that vouch needs')
      .description(
        'Looks at Node, configuration, contract, port, tokens, targets, state folder and optional packages, and says of each what to do. To each target of vouch.config.yaml, or to the one that is named (a URL of this machine will do), it sends one HEAD request without a credential.',
      )
      .action((target: string | undefined, words: ContractWords) =>
        start(async (io) => {
          const { runDoctorCommand } = await import('../doctor/run-doctor-command.ts');
          return runDoctorCommand(io, target, words);
        }),
      );
  },
};
