import { InvalidArgumentError, Option, type Command } from 'commander';
import { exitCodes } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ServeOptions } from '../serve.ts';
import type { CommandEntry } from './command.ts';

/** `vouch mock [doc]`: serves the contract until it is stopped. */
export const mockCommand: CommandEntry = {
  name: 'mock',
  register(program, start) {
    addMockOptions(program.command('mock [document]').summary('serve the contract as a stateful mock').description('Serves an OpenAPI document as a stateful mock; with none named, the one of vouch.config.yaml, else the bundled one.'))
      .option('--prism', 'serve the same contract with Stoplight Prism beside it, on a port of its own', false)
      .option('--explain', 'print what was inferred from the contract, and serve nothing', false)
      .action((document: string | undefined, options: ServeOptions & { explain: boolean }) => start(async (io) => {
          if (options.explain) return explain(io, document, options.config);
          const { serve } = await import('../serve.ts');
          return serve(io, document, options);
        }),
      );
  },
};

/** The words that `mock` and `start` have in common. */
export function addMockOptions(command: Command): Command {
  return command
    .option('-p, --port <port>', 'the first port to try; 0 takes any', parsePort)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--prism-port <port>', "the first port to try for Prism (default: the mock's and one)", parsePort)
    .addOption(new Option('--auth <mode>', 'which credentials are let in: known keys, any well-formed one, or none needed').choices(['known', 'any', 'off']).default('known'))
    .option('--scenario <name>', 'a scenario that is on for every request')
    .option('--clock <date>', "the mock's date, such as 2030-12-06", parseDate)
    .option('--seed <text>', 'the same seed makes the same generated answers')
    .option('--config <file>', 'the configuration (default: vouch.config.yaml here)')
    .option('--quiet', 'no line for each request', false);
}

async function explain(io: Io, document: string | undefined, config: string | undefined): Promise<number> {
  const [{ findContract }, { explainInference }] = await Promise.all([import('../find-contract.ts'), import('../explain-inference.ts')]);
  const { contract } = await findContract(document, config);
  io.out(explainInference(contract));
  return exitCodes.kept;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

function parseDate(text: string): string {
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('A date is written like 2030-12-06 or 2030-12-06T08:00:00Z.');
  return text;
}
