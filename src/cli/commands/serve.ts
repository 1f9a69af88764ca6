import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, type Io } from '../io.ts';
import type { ContractFlags } from '../find-contract.ts';
import { withDocumentErrors } from '../print-error.ts';
import type { McpFlags } from '../serve/run-mcp-command.ts';
import type { ProxyFlags } from '../serve/run-proxy-command.ts';
import { validationModes } from '../../mock/model/reply.ts';
import type { ServeOptions } from '../serve/serve-options.ts';
import { parseDuration, parsePositive } from './check.ts';
import type { CommandEntry } from './command.ts';
import {
  addContractOptions,
  addDocumentHeaders,
  addTargetOptions,
  collect,
  oneOf,
  reporterHelp,
} from './command.ts';

/** `vouch mock [doc]`, also without the command: serves the contract until it is stopped. */
export const mockCommand: CommandEntry = {
  name: 'mock',
  register(program, start) {
    addMockOptions(
      program
        .command('mock [documents...]')
        .summary('serve the contract as a stateful mock')
        .description(
          'Serves an OpenAPI document as a stateful mock, or several on one port, ' +
            'each under its own base path. A document is a file, a URL, or - for stdin. ' +
            'Default: the documents of vouch.config.yaml, otherwise the one OpenAPI document ' +
            'of the current folder. `vouch openapi.yaml` without a command does the same.',
        ),
    )
      .option('--prism', 'also serve the contract with Stoplight Prism, on its own port')
      .option('--explain', 'print what was inferred from the contract, without serving')
      .option('--verbose', 'with --explain: also why, and the effect of each operation')
      .action((documents: readonly string[], options: ServeOptions & ExplainFlags) =>
        start(async (io) => {
          const { withDocumentHeaders } = await import('../find-contract.ts');
          const flags = withDocumentHeaders(options, io);
          const named = { document: documents[0], flags };
          if (options.explain === true)
            return withDocumentErrors(named, () => explain(io, documents, flags));
          const { serve } = await import('../serve/serve.ts');
          return withDocumentErrors(named, () => serve(io, documents, flags));
        }),
      );
  },
};

/** Adds the flags that `mock` and `start` share. */
function addMockOptions(command: Command): Command {
  const contract = addDocumentHeaders(addContractOptions(command));
  return addServing(addRecords(addListening(contract)));
}

function addListening(command: Command): Command {
  return command
    .option(
      '-p, --port <port>',
      'port; 0 picks any that is free (default: VOUCH_PORT or 4010, or the next free one)',
      parsePort,
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option(
        '--auth <mode>',
        'accepted credentials: known keys, any well-formed one, or none needed',
      )
        .choices(['known', 'any', 'off'])
        .default('known'),
    );
}

function addRecords(command: Command): Command {
  return command
    .option('--scenario <name>', 'activate a scenario for every request; repeatable', collect)
    .option('--handlers <folder>', 'modules that answer operations in place of the mock')
    .option('-d, --dynamic', 'generate every response anew, without examples and records')
    .addOption(
      oneOf(
        new Option(
          '--validate <mode>',
          'invalid requests: on refuses them, off answers them too, warn also says so in the log ' +
            'and in the header Vouch-Invalid-Request (default: on)',
        ),
        validationModes,
      ),
    )
    .option('--clock <date>', 'current date of the mock, such as 2030-12-06', parseDate)
    .option('--seed <text>', 'the same seed produces the same generated responses')
    .option(
      '--records <number>',
      'generated records of each collection without fixtures and examples (default: 3)',
      parseRecords,
    )
    .option('--persist <file>', 'keep changes in a file, across restarts')
    .option(
      '--store <url>',
      'keep records in a Redis that several mocks share: redis://host:6379, or env:NAME',
    );
}

function addServing(command: Command): Command {
  return command
    .option('--base <name=path>', 'override the base path of a document; repeatable', addBase)
    .option('--watch', 'reload contract, fixtures, scenarios, handlers and configuration on change')
    .option(
      '--allow-callback-host <host>',
      'allow callbacks to this host, besides this machine; * allows all hosts; repeatable',
      collect,
    )
    .option(
      '--control-port <port>',
      'serve the control API on its own port; 0 picks any free port',
      parsePort,
    )
    .option(
      '--cors [origin]',
      'allow pages of this origin, or of all origins (default: of loopback); repeatable',
      // Commander passes `true` if the flag has no value.
      (origin: string, before: true | readonly string[] | undefined): readonly string[] => [
        ...(before === undefined || before === true ? [] : before),
        origin,
      ],
    )
    .option('--tls', 'serve HTTPS with a certificate generated at startup')
    .option('--tls-ca <file>', 'write the CA certificate that clients need to trust to this file')
    .option('--tls-cert <file>', 'serve HTTPS with this certificate')
    .option('--tls-key <file>', 'private key of that certificate')
    .option('--tls-client-ca <file>', 'request client certificates and verify them against this CA')
    .option('--quiet', 'do not log requests');
}

/** The flags of `vouch mock` that print instead of serving. */
interface ExplainFlags {
  readonly explain?: boolean;
  readonly verbose?: boolean;
}

async function explain(
  io: Io,
  documents: readonly string[],
  flags: ContractFlags & ExplainFlags,
): Promise<number> {
  const { printInference } = await import('../serve/explain-inference.ts');
  await printInference(io, documents, flags);
  return exitCodes.passed;
}

/** `NAME=/path`: the name of a document and its base path. */
function addBase(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, path] = /^([^=]+)=(\/.*|)$/.exec(text) ?? [];
  if (name === undefined || path === undefined)
    throw new InvalidArgumentError(
      'Write NAME=PATH, such as orders=/orders: the name of a document and its base path.',
    );
  return { ...before, [name]: path };
}

function parseRecords(text: string): number {
  const count = parseCount(text);
  if (count > 1_000) throw new InvalidArgumentError('It must be an integer from 0 to 1000.');
  return count;
}

function parseCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be an integer.');
  return Number(text);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError('A port is an integer from 0 to 65535.');
  return port;
}

function parseDate(text: string): string {
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('Write a date such as 2030-12-06 or 2030-12-06T08:00:00Z.');
  return text;
}

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
          const [{ lintBeforeServing }, { serve }, { withDocumentHeaders }] = await Promise.all([
            import('../serve/lint-before-serving.ts'),
            import('../serve/serve.ts'),
            import('../find-contract.ts'),
          ]);
          const flags = withDocumentHeaders(options, io);
          const code = await lintBeforeServing(io, documents, flags);
          return code === 0 ? serve(io, documents, flags) : code;
        }),
      );
  },
};

/** `vouch proxy <url>`: judges the traffic between clients and a service. */
export const proxyCommand: CommandEntry = {
  name: 'proxy',
  register(program, start, words) {
    const command = program
      .command('proxy <url> [document] [command...]')
      .summary('judge the traffic between clients and a service')
      .description(
        'Forwards all traffic to a service (a base URL, or a target of vouch.config.yaml, by ' +
          'name), byte for byte, and checks requests and responses against the contract. ' +
          'Prints a line for each exchange, and at the end the report of vouch check. Ends ' +
          'with Ctrl-C, after --for, or with the command after --.',
      );
    const contract = addDocumentHeaders(addContractOptions(command));
    addOutput(addService(addModes(contract))).action(
      (url: string, _document: string | undefined, _rest: string[], given: ProxyFlags) =>
        start(async (io) => {
          const at = words.indexOf('--');
          const run = at === -1 ? [] : words.slice(at + 1);
          const operands = command.args.slice(0, command.args.length - run.length);
          const [, document, ...extra] = operands;
          const [{ runProxyCommand }, { withDocumentHeaders }] = await Promise.all([
            import('../serve/run-proxy-command.ts'),
            import('../find-contract.ts'),
          ]);
          const flags = withDocumentHeaders(given, io);
          return withDocumentErrors({ document, flags }, () =>
            runProxyCommand(io, { url, document, run, extra, flags }),
          );
        }),
    );
  },
};

function addModes(command: Command): Command {
  return command
    .option(
      '-p, --port <port>',
      'port; 0 picks any that is free (default: 4020, or the next free one)',
      parsePort,
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--for <time>', 'end after this time, such as 90s or 10m', parseDuration)
    .option('--headers', 'add the verdict to each response: Vouch-Request, Vouch-Response')
    .option('--enforce', 'answer requests that violate the contract with its own error')
    .option('--pass-unjudged', 'with --enforce: pass requests that cannot be judged')
    .addOption(
      oneOf(
        new Option(
          '--fallback <source>',
          'answer from the mock what the service does not have: 501, 405, 404 of an unknown ' +
            'path, no connection',
        ),
        ['mock'],
      ),
    )
    .option(
      '--record <folder>',
      'write the traffic as HAR, fixtures and scenarios, without secrets',
    );
}

function addService(command: Command): Command {
  return command
    .option('--ca <file>', 'certificates to trust for the service, as PEM')
    .option('--insecure', 'accept any certificate of the service')
    .option(
      '--timeout <seconds>',
      'report a response that is not complete after this time (default: 10)',
      parsePositive,
    );
}

function addOutput(command: Command): Command {
  return command
    .option('--only <check...>', 'only these checks (vouch explain lists them)')
    .option('--skip <check...>', 'skip these checks')
    .option('-r, --reporter <id[=file]>', reporterHelp, collect, [])
    .option('--verbose', 'shorten nothing in the report', false)
    .option('--quiet', 'do not print a line for each exchange');
}

/** `vouch mcp`: serves vouch as tools for assistants. */
export const mcpCommand: CommandEntry = {
  name: 'mcp',
  register(program, start) {
    const command = program
      .command('mcp')
      .summary('serve vouch as tools for assistants (Model Context Protocol)')
      .description(
        'Serves the Model Context Protocol on stdin and stdout, for assistants that write ' +
          'code: tools that start and stop mocks, read and verify their traffic, add scenarios, ' +
          'lint documents, check services and explain findings. Reads files below the current ' +
          'folder only, sends requests to this machine only, and only reads, unless flags allow ' +
          'more. Ends when stdin ends.',
      )
      .option(
        '--config <file>',
        'configuration file (default: vouch.config.yaml in the current folder)',
      )
      .option('--root <folder>', 'allow files of this folder too; repeatable', collect, [])
      .option(
        '--target <url>',
        'allow checks of this base URL, or target of vouch.config.yaml; repeatable; only ' +
          'these targets get the credentials and headers of the flags and of VOUCH_TOKEN',
        collect,
        [],
      )
      .option('--allow-writes', 'allow checks with mode read-write and fuzz', false);
    addTargetOptions(command).action((flags: McpFlags) =>
      start(async (io) => {
        const { runMcpCommand } = await import('../serve/run-mcp-command.ts');
        return runMcpCommand(io, flags);
      }),
    );
  },
};
