import type { ServeOptions } from '../serve/serve-options.ts';
import type { CommandEntry } from './command.ts';
import { addMockOptions } from './mock.ts';

/** `vouch start [doc]`: lints the contract, then serves it as a mock and with Prism. */
export const startCommand: CommandEntry = {
  name: 'start',
  register(program, start) {
    addMockOptions(
      program
        .command('start [documents...]')
        .summary('lint the contract, then serve it as a mock and with Prism')
        .description(
          'Lints the contract, then serves it as a stateful mock and with Stoplight ' +
            'Prism, each on its own port.',
        ),
    )
      .option('--no-prism', 'do not start Prism')
      .action((documents: readonly string[], options: ServeOptions) =>
        start(async (io) => {
          const [{ lintBeforeServing }, { serve }] = await Promise.all([
            import('../serve/lint-before-serving.ts'),
            import('../serve/serve.ts'),
          ]);
          const code = await lintBeforeServing(io, documents, options);
          return code === 0 ? serve(io, documents, options) : code;
        }),
      );
  },
};
