import type { ContractFlags } from '../find-contract.ts';
import { addContractOptions, type CommandEntry } from './command.ts';

/**
 * `vouch doctor [target]`: checks everything that vouch needs, and prints how to fix each problem.
 */
export const doctorCommand: CommandEntry = {
  name: 'doctor',
  register(program, start) {
    addContractOptions(program.command('doctor [target]'))
      .summary('check that vouch can run here')
      .description(
        'Checks Node, configuration, contract, port, tokens, targets, state folder ' +
          'and optional packages, and says how to fix each problem. Sends one HEAD ' +
          'request without credentials to each target of vouch.config.yaml, or to the ' +
          'given one (a target, or a URL on this machine).',
      )
      .action((target: string | undefined, flags: ContractFlags) =>
        start(async (io) => {
          const { runDoctorCommand } = await import('../doctor/run-doctor-command.ts');
          return runDoctorCommand(io, target, flags);
        }),
      );
  },
};
