import { type Command, Option } from 'commander';
import { withDocumentErrors } from '../print-error.ts';
import type { ProxyFlags } from '../serve/run-proxy-command.ts';
import { parseDuration, parsePositive } from './check.ts';
import { addContractOptions, collect, type CommandEntry, oneOf, reporterHelp } from './command.ts';
import { parsePort } from './mock.ts';

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
    addOutput(addService(addModes(addContractOptions(command)))).action(
      (url: string, _document: string | undefined, _rest: string[], flags: ProxyFlags) =>
        start(async (io) => {
          const at = words.indexOf('--');
          const run = at === -1 ? [] : words.slice(at + 1);
          const operands = command.args.slice(0, command.args.length - run.length);
          const [, document, ...extra] = operands;
          const { runProxyCommand } = await import('../serve/run-proxy-command.ts');
          return withDocumentErrors({ document, flags }, () =>
            runProxyCommand(io, { url, document, run, extra, flags }),
          );
        }),
    );
  },
};

function addModes(command: Command): Command {
  return command
    .option('-p, --port <port>', 'first port to try; 0 picks any free port', parsePort, 4020)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--for <time>', 'end after this time, such as 90s or 10m', parseDuration)
    .option('--headers', 'add the verdict to each response: Vouch-Request, Vouch-Response')
    .option('--enforce', 'answer requests that violate the contract with its own error')
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
    .addOption(
      oneOf(
        new Option(
          '--host-header <source>',
          'the host that the service sees (default: client on this machine, service elsewhere)',
        ),
        ['client', 'service'],
      ),
    )
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
