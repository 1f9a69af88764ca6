import { InvalidArgumentError, Option } from 'commander';
import { exitCodeOfVerdict } from '../exit-code.ts';
import { modes } from '../../check/event.ts';
import type { CheckWords } from '../check/check-words.ts';
import type { CommandEntry } from './command.ts';
import { addContractOptions } from './contract-options.ts';
import { addTargetOptions } from './target-options.ts';

/** `vouch check <url>`: whether a deployment keeps the contract. */
export const checkCommand: CommandEntry = {
  name: 'check',
  register(program, start) {
    addTargetOptions(addContractOptions(program.command('check [url] [document]')))
      .summary('say whether a deployment keeps the contract')
      .description('Sends requests to a base URL (or a target of vouch.config.yaml, by name) and says whether its answers keep the contract, with the line of the document that they break and a command that shows it.')
      .option('--self', 'check the mock itself, in this process', false)
      .option('--prove', 'plant deviations into the mock and say which of them this check would catch', false)
      .option('--min-caught <percent>', 'with --prove: exit 1 where fewer are caught', parsePercent)
      .option('--har <file>', 'judge the traffic that a HAR file recorded, and send nothing')
      .option('--against <url>', 'send the same requests to another deployment (a URL or a target) too, and say where it differs')
      .option('--against-auth <env:NAME>', 'the environment variable that holds the token of the other deployment (default: the same token)')
      .addOption(new Option('--mode <mode>', 'read-only sends only GET, HEAD and OPTIONS; fuzz is read-write with volume (default: read-only, but read-write on loopback)').choices(modes))
      .option('-r, --reporter <id[=file]>', 'how to print, repeatable: pretty, json, junit, … ; with =file into a file', collect, [])
      .option('--baseline <file>', 'accept the findings that this file knows, and fail on new ones')
      .option('--update-baseline', 'write the findings of this run into the baseline (default: vouch.baseline.json)')
      .option('--write-overlay <file>', 'write an OpenAPI Overlay that documents what the contract leaves out')
      .option('--plan', 'print every request, and send nothing (as JSON with --reporter json)', false)
      .option('--seed <text>', 'the same seed makes the same plan')
      .option('--include <operation...>', 'only these operations: by id, tag:users, path (/users/**), method (GET), or both ("GET /users/**")')
      .option('--exclude <operation...>', 'not these operations, in the same words')
      .option('--changed-since <ref>', 'only operations whose contract changed since that commit, branch or tag of Git')
      .option('--shard <i/n>', 'only the i-th of n parts of the plan; the same --seed for all of them')
      .option('--budget <time>', 'length of the whole run, such as 60s or 2m: the most telling requests first', parseDuration)
      .addOption(new Option('--fail-on <severity>', 'the mildest finding that breaks the contract (default: error)').choices(['error', 'warning', 'note']))
      .option('--only <check...>', 'only these checks')
      .option('--skip <check...>', 'not these checks')
      .option('--rate <n>', 'requests in a second, at most', parsePositive)
      .option('--max-requests <n>', 'requests in the whole run, at most', parsePositive)
      .option('--max-time <seconds>', 'length of the whole run, at most', parsePositive)
      .option('--proxy <url>', 'an HTTP proxy to go through, as http://host:port (HTTP_PROXY of the environment is not used)')
      .option('--timeout <seconds>', 'wait for one answer, at most (default: 10)', parsePositive)
      .option('--verbose', 'a line for each exchange', false)
      .addHelpText('after', '\nExamples:\n  VOUCH_TOKEN=demo-key vouch check http://127.0.0.1:4010/v1\n  vouch check https://api.example.com/v1 openapi.yaml --auth env:API_KEY --reporter junit=report.xml\n  vouch check --self\n  vouch check --prove openapi.yaml --min-caught 95\n  vouch check --har traffic.har openapi.yaml')
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

function parseDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (unit === 'm' ? 60_000 : unit === 's' ? 1_000 : 1);
  if (amount === '' || milliseconds <= 0) throw new InvalidArgumentError('Write a time with its unit, such as 60s, 2m or 500ms.');
  return milliseconds;
}

function parsePercent(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 100)) throw new InvalidArgumentError('It must be a number from 0 to 100.');
  return number;
}

function parsePositive(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
