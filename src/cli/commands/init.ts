import { exitCodes } from '../exit-code.ts';
import type { InitWords } from '../init/run-init-command.ts';
import type { CommandEntry } from './command.ts';

/** `vouch init [doc]`: a first configuration, with comments. */
export const initCommand: CommandEntry = {
  name: 'init',
  register(program, start) {
    program
      .command('init [document]')
      .summary('write a vouch.config.yaml for the document here')
      .description(
        'Looks for the OpenAPI document of this folder and writes a vouch.config.yaml for it, with comments. Asks nothing; where there are several documents, it lists them.',
      )
      .option('--force', 'write over a configuration that is there', false)
      .option('--dry-run', 'print what would be written, and write nothing', false)
      .option(
        '--allow-ref-host <host>',
        'fetch documents from this host where the contract refers to them; repeatable',
        (host: string, before: readonly string[] = []) => [...before, host],
      )
      .action((document: string | undefined, words: InitWords) =>
        start(async (io) => {
          const { runInitCommand } = await import('../init/run-init-command.ts');
          await runInitCommand(io, process.cwd(), { document, words });
          return exitCodes.passed;
        }),
      );
  },
};
