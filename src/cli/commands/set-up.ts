import { Argument, InvalidArgumentError } from 'commander';
import { exitCodes } from '../io.ts';
import type { InitFlags } from '../init/run-init-command.ts';
import { addContractOptions, addDocumentHeaders, type CommandEntry } from './command.ts';
import type { ContractFlags } from '../find-contract.ts';
import { meantWord } from '../../nearest-word.ts';

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
    addDocumentHeaders(program.command('init [document]'), '--header')
      .summary('create a vouch.config.yaml')
      .description(
        'Finds the OpenAPI document of this folder and writes a vouch.config.yaml ' +
          'with comments for it. Never prompts; if there are several documents, lists ' +
          'them.',
      )
      .option('--force', 'overwrite an existing configuration', false)
      .option('--dry-run', 'print the file without writing it', false)
      .option(
        '--allow-ref-host <host>',
        'allow $ref to fetch documents from this host; repeatable',
        (host: string, before: readonly string[] = []) => [...before, host],
      )
      .option(
        '--root <folder>',
        'folder whose files $ref may point to (default: the repository of the document)',
      )
      .action((document: string | undefined, flags: InitFlags) =>
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
    addDocumentHeaders(addContractOptions(program.command('doctor [target]')), '--header')
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

const shellNames = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** `vouch completion SHELL`: prints a script that completes commands, flags and values. */
export const completionCommand: CommandEntry = {
  name: 'completion',
  register(program, start) {
    program
      .command('completion')
      .addArgument(new Argument('<shell>', 'the shell').choices(shellNames).argParser(readShell))
      .summary('print a shell completion script')
      .description(
        "Prints a shell script that completes vouch's commands, flags, reporters " +
          'and checks. It needs a vouch command on the PATH (npm install --global).',
      )
      .action((name: (typeof shellNames)[number]) =>
        start(async (io) => {
          const [{ shells }, { readCompletions }, { checks }, { reporters }] = await Promise.all([
            import('../completion/shells.ts'),
            import('../completion/completions.ts'),
            import('../../check/topics/index.ts'),
            import('../../report/reporters.ts'),
          ]);
          const shell = shells.find((known) => known.name === name);
          io.out(
            shell?.write(
              readCompletions(program, {
                checks: checks.map(({ id }) => id),
                reporters: reporters.map(({ id }) => id),
              }),
            ) ?? '',
          );
          return exitCodes.passed;
        }),
      );
  },
};

function readShell(given: string): string {
  const known = shellNames.find((name) => name === given);
  if (known !== undefined) return known;
  const nearest = meantWord(given, shellNames);
  throw new InvalidArgumentError(
    nearest === undefined
      ? `Supported shells: ${shellNames.join(', ')}.`
      : `Did you mean ${nearest}?`,
  );
}
