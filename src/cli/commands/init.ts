import { exitCodes } from '../exit-code.ts';
import type { InitFlags } from '../init/run-init-command.ts';
import type { CommandEntry } from './command.ts';

/** `vouch init [doc]`: writes a first configuration with comments. */
export const initCommand: CommandEntry = {
  name: 'init',
  register(program, start) {
    program
      .command('init [document]')
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
          const { runInitCommand } = await import('../init/run-init-command.ts');
          await runInitCommand(io, process.cwd(), { document, flags });
          return exitCodes.passed;
        }),
      );
  },
};
