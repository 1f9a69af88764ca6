import { exitCodes } from '../io.ts';
import type { InitFlags } from '../init/run-init-command.ts';
import { addContractOptions, addDocumentHeaders, addReferenceOptions } from './command.ts';
import type { CommandEntry } from './command.ts';
import type { ContractFlags } from '../find-contract.ts';

/** `vouch demo`: shows what vouch does, with the bundled contract. */
export const demoCommand: CommandEntry = {
  name: 'demo',
  register(program, start) {
    program
      .command('demo')
      .summary('see in two minutes what vouch does')
      .description(
        'Serves the bundled contract, checks a service that does not keep it, shows the finding, ' +
          'fixes the service, and checks it again. Needs no file, and leaves none.',
      )
      .action(() =>
        start(async (io) => {
          const { runDemoCommand } = await import('../demo/run-demo-command.ts');
          await runDemoCommand(io);
          return exitCodes.passed;
        }),
      );
  },
};

/** `vouch init [doc]`: writes a first configuration with comments. */
export const initCommand: CommandEntry = {
  name: 'init',
  register(program, start) {
    const command = addDocumentHeaders(program.command('init [document]'))
      .summary('create a vouch.config.yaml')
      .description(
        'Finds the OpenAPI document of this folder and writes a vouch.config.yaml ' +
          'with comments for it. Never prompts; if there are several documents, lists ' +
          'them.',
      )
      .option('--force', 'overwrite an existing configuration', false)
      .option('--dry-run', 'print the file without writing it', false);
    addReferenceOptions(command).action((document: string | undefined, flags: InitFlags) =>
      start(async (io) => {
        const [{ runInitCommand }, { withDocumentHeaders }] = await Promise.all([
          import('../init/run-init-command.ts'),
          import('../find-contract.ts'),
        ]);
        const all = withDocumentHeaders(flags, io);
        await runInitCommand(io, process.cwd(), { document, flags: all });
        return exitCodes.passed;
      }),
    );
  },
};

interface DoctorFlags extends ContractFlags {
  readonly header?: readonly string[];
}

/**
 * `vouch doctor [target]`: checks everything that vouch needs, and prints how to fix each problem.
 */
export const doctorCommand: CommandEntry = {
  name: 'doctor',
  register(program, start) {
    addDocumentHeaders(addContractOptions(program.command('doctor [target]')))
      .summary('check that vouch can run here')
      .description(
        'Checks Node, configuration, contract, port, tokens, targets, state folder ' +
          'and optional packages, and says how to fix each problem. Sends one HEAD ' +
          'request without credentials to each target of vouch.config.yaml, or to the ' +
          'given one (a target, or a URL on this machine).',
      )
      .action((target: string | undefined, flags: DoctorFlags) =>
        start(async (io) => {
          const [{ runDoctorCommand }, { withDocumentHeaders }] = await Promise.all([
            import('../doctor/run-doctor-command.ts'),
            import('../find-contract.ts'),
          ]);
          return runDoctorCommand(io, target, withDocumentHeaders(flags, io));
        }),
      );
  },
};
