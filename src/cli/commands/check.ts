import { InvalidArgumentError, Option } from 'commander';
import { exitCodeOfVerdict } from '../exit-code.ts';
import type { CheckWords } from '../check/run-check-command.ts';
import type { CommandEntry } from './command.ts';
import { addContractOptions } from './contract-options.ts';

/** `vouch check <url>`: whether a deployment keeps the contract. */
export const checkCommand: CommandEntry = {
  name: 'check',
  register(program, start) {
    addContractOptions(program.command('check [url] [document]'))
      .summary('say whether a deployment keeps the contract')
      .description('Sends requests to a base URL (or a target of vouch.config.yaml, by name) and says whether its answers keep the contract, with the line of the document that they break and a command that shows it.')
      .option('--self', 'check the mock itself, in this process', false)
      .addOption(new Option('--mode <mode>', 'read-only sends only GET, HEAD and OPTIONS (default: read-only, but read-write on loopback)').choices(['read-only', 'read-write']))
      .option('--auth <env:NAME>', 'the environment variable that holds the token (default: env:VOUCH_TOKEN)')
      .option('--server <name=url>', 'the base URL of a server that operations name for themselves', collectServer, {})
      .option('-r, --reporter <id[=file]>', 'how to print, repeatable: pretty, json, junit, … ; with =file into a file', collect, [])
      .option('--plan', 'print every request, and send nothing', false)
      .option('--seed <text>', 'the same seed makes the same plan')
      .option('--include <operation...>', 'only these operations, by id')
      .option('--exclude <operation...>', 'not these operations, by id')
      .option('--only <check...>', 'only these checks')
      .option('--skip <check...>', 'not these checks')
      .option('--rate <n>', 'requests in a second, at most', parsePositive)
      .option('--max-requests <n>', 'requests in the whole run, at most', parsePositive)
      .option('--max-time <seconds>', 'length of the whole run, at most', parsePositive)
      .option('--timeout <seconds>', 'wait for one answer, at most (default: 10)', parsePositive)
      .option('--verbose', 'a line for each exchange', false)
      .addHelpText('after', '\nExamples:\n  VOUCH_TOKEN=demo-key vouch check http://127.0.0.1:4010/v1\n  vouch check https://api.example.com/v1 openapi.yaml --auth env:API_KEY --reporter junit=report.xml\n  vouch check --self')
      .action((url: string | undefined, document: string | undefined, words: CheckWords) => start(async (io) => {
          const { runCheckCommand } = await import('../check/run-check-command.ts');
          return exitCodeOfVerdict(await runCheckCommand(io, { url, document, words }));
        }),
      );
  },
};

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

function collectServer(value: string, earlier: Record<string, string>): Record<string, string> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as NAME=URL, such as messages=https://messages.example.com.');
  return { ...earlier, [value.slice(0, at)]: value.slice(at + 1) };
}

function parsePositive(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
