import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes } from '../exit-code.ts';
import type { ContractWords } from '../find-contract.ts';
import type { Io } from '../io.ts';
import { blamingDocument } from '../print-error.ts';
import type { ServeOptions } from '../serve/serve-options.ts';
import { addContractOptions, type CommandEntry } from './command.ts';

/** `vouch mock [doc]`: serves the contract until it is stopped. */
export const mockCommand: CommandEntry = {
  name: 'mock',
  register(program, start) {
    addMockOptions(
      program
        .command('mock [documents...]')
        .summary('serve the contract as a stateful mock')
        .description(
          'Serves an OpenAPI document as a stateful mock, or several on one port, each under its own base path; with none named, those of vouch.config.yaml, else the bundled one.',
        ),
    )
      .option(
        '--prism',
        'serve the same contract with Stoplight Prism beside it, on a port of its own',
      )
      .option('--explain', 'print what was inferred from the contract, and serve nothing')
      .action((documents: readonly string[], options: ServeOptions & { explain?: boolean }) =>
        start(async (io) => {
          const named = { document: documents[0], words: options };
          if (options.explain === true)
            return blamingDocument(named, () => explain(io, documents, options));
          const { withBoundHeap } = await import('../serve/bound-heap.ts');
          return withBoundHeap(async () => {
            const { serve } = await import('../serve/serve.ts');
            return blamingDocument(named, () => serve(io, documents, options));
          }, startMs);
        }),
      );
  },
};

/** A start is over by then, on nearly any machine; a load has hardly begun. */
export const startMs = 500;

/** The words that `mock` and `start` have in common. */
export function addMockOptions(command: Command): Command {
  return addContractOptions(command)
    .option(
      '-p, --port <port>',
      'the first port to try; 0 takes any (default: 4010, or VOUCH_PORT)',
      parsePort,
    )
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option(
      '--prism-port <port>',
      "the first port to try for Prism (default: the one above the mock's)",
      parsePort,
    )
    .addOption(
      new Option(
        '--auth <mode>',
        'which credentials are let in: known keys, any well-formed one, or none needed',
      )
        .choices(['known', 'any', 'off'])
        .default('known'),
    )
    .option(
      '--scenario <name>',
      'a scenario that is on for every request; repeat it for more',
      (name: string, before: readonly string[] = []) => [...before, name],
    )
    .option('--clock <date>', "the mock's date, such as 2030-12-06", parseDate)
    .option('--seed <text>', 'the same seed makes the same generated answers')
    .option('--persist <file>', 'keep what is changed in a file, over restarts')
    .option(
      '--store <url>',
      'keep records in a Redis that several mocks share: redis://host:6379, or env:NAME',
    )
    .option(
      '--max-records <number>',
      'the most records that may be added (default: 1000000)',
      parseCount,
    )
    .option(
      '--max-bytes <number>',
      'the most bytes that added records may take in memory (default: 268435456)',
      parseCount,
    )
    .option(
      '--base <name=path>',
      'the base path of a document, in the place of its own; repeat it for more',
      addBase,
    )
    .option('--watch', 'follow contract, fixtures, scenarios and configuration as they are edited')
    .option(
      '--allow-callback-host <host>',
      'a host that callbacks may be sent to, beside this machine; * for all; repeat it for more',
      (host: string, before: readonly string[] = []) => [...before, host],
    )
    .option('--control-port <port>', 'the control API on a port of its own; 0 takes any', parsePort)
    .option(
      '--cors [origin]',
      'let pages of other origins read answers: of this one, or of all where none is named; repeat it for more',
      addOrigin,
    )
    .option('--tls', 'speak HTTPS, with a certificate that is made for this start')
    .option(
      '--tls-ca <file>',
      'write what clients are to trust to this file: the authority that signed the certificate',
    )
    .option('--tls-cert <file>', 'speak HTTPS with this certificate')
    .option('--tls-key <file>', 'the key of that certificate')
    .option(
      '--tls-client-ca <file>',
      'ask clients for a certificate, and judge it by this authority',
    )
    .option('--quiet', 'no line for each request');
}

async function explain(
  io: Io,
  documents: readonly string[],
  words: ContractWords,
): Promise<number> {
  const { printInference } = await import('../serve/explain-inference.ts');
  await printInference(io, documents, words);
  return exitCodes.passed;
}

/** `NAME=/path`: a document by its name, and the base path in the place of its own. */
function addBase(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, path] = /^([^=]+)=(\/.*|)$/.exec(text) ?? [];
  if (name === undefined || path === undefined)
    throw new InvalidArgumentError(
      'It is written like orders=/orders: the name of a document, and the path under which it is to stand.',
    );
  return { ...before, [name]: path };
}

/** Commander hands over `true` where the word stood alone before. */
function addOrigin(
  origin: string,
  before: true | readonly string[] | undefined,
): readonly string[] {
  return [...(before === undefined || before === true ? [] : before), origin];
}

function parseCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

function parseDate(text: string): string {
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('A date is written like 2030-12-06 or 2030-12-06T08:00:00Z.');
  return text;
}
