import { InvalidArgumentError, Option } from 'commander';
import { modes } from '../../check/event.ts';
import type { CheckWords } from '../check/check-words.ts';
import { exitCodeOfVerdict } from '../exit-code.ts';
import { blamingDocument } from '../print-error.ts';
import {
  addContractOptions,
  addTargetOptions,
  collect,
  type CommandEntry,
  oneOf,
} from './command.ts';

/** `vouch check <url>`: whether a deployment keeps the contract. */
export const checkCommand: CommandEntry = {
  name: 'check',
  register(program, start) {
    const command = program
      .command('check [url] [document]')
      .summary('say whether a deployment keeps the contract')
      .description(
        'Sends requests to a base URL (or a target of vouch.config.yaml, by name) and says whether its answers keep the contract, with the line of the document that they break and a command that shows it.',
      );
    addTargetOptions(addContractOptions(command.optionsGroup('Where, and with what credentials:')))
      .option(
        '--proxy <url>',
        'an HTTP proxy to go through, as http://host:port (HTTP_PROXY of the environment is not used)',
      )
      .optionsGroup('How much may be sent:')
      .addOption(
        oneOf(
          new Option(
            '--mode <mode>',
            'read-only sends only requests that read; read-write also creates records, changes only what it created, and deletes it where the contract lets it; fuzz is read-write with volume, and with as much for each operation of a large contract (more than 100 operations) as for those of a small one. Without it: read-write on this machine, read-only elsewhere',
          ),
          modes,
        ),
      )
      .option(
        '--allow <operation>',
        'send this operation whatever it does to the service; repeatable (an operationId, or "POST /path")',
        collect,
        [],
      )
      .option(
        '--yes',
        'do not ask before a run that changes a target which is not this machine',
        false,
      )
      .option('--rate <n>', 'requests in a second, at most', parsePositive)
      .option(
        '--max-requests <n>',
        'requests in the whole run, at most, retries included and clean-up not; what is cut off makes the run inconclusive',
        parsePositive,
      )
      .option(
        '--max-time <seconds>',
        'how long it may plan and send; a run that is cut off is inconclusive',
        parsePositive,
      )
      .option(
        '--budget <time>',
        'plan for this time, such as 60s or 2m: the most telling requests first',
        parseDuration,
      )
      .option('--timeout <seconds>', 'wait for one answer, at most; without it: 10', parsePositive)
      .optionsGroup('Which part of it:')
      .option(
        '--include <operation...>',
        'only these operations: by id, tag:users, path (/users/**), method (GET), or both ("GET /users/**")',
      )
      .option('--exclude <operation...>', 'not these operations, in the same words')
      .option('--only <check...>', 'only these checks (vouch explain lists them)')
      .option('--skip <check...>', 'not these checks')
      .option(
        '--changed-since <ref>',
        'only operations whose contract changed since that commit, branch or tag of Git',
      )
      .option(
        '--shard <i/n>',
        'only the i-th of n parts of the plan; the same --seed for all of them',
      )
      .option('--seed <text>', 'the same seed makes the same plan')
      .option(
        '--plan',
        'print every request with its effect, and send nothing (as JSON with --reporter json)',
        false,
      )
      .option('--dry-run', 'the same as --plan', false)
      .optionsGroup('What comes out:')
      .option(
        '-r, --reporter <id[=file]>',
        'how to print, repeatable, with =file into a file: pretty (without this flag), dot, json, ndjson, junit, sarif, html, github, markdown, har, blob',
        collect,
        [],
      )
      .option('--verbose', 'a line for each exchange, and nothing shortened', false)
      .addOption(
        oneOf(
          new Option(
            '--fail-on <severity>',
            'the mildest finding that breaks the contract; without it: error',
          ),
          ['error', 'warning', 'note'],
        ),
      )
      .option('--baseline <file>', 'accept the findings that this file knows, and fail on new ones')
      .option(
        '--update-baseline',
        'write the findings of this run into the baseline (vouch.baseline.json, unless --baseline names another)',
      )
      .option(
        '--write-overlay <file>',
        'write an OpenAPI Overlay that documents what the contract leaves out',
      )
      .optionsGroup('Beside a deployment, or in its place:')
      .option(
        '--against <url>',
        'send the same requests to another deployment (a URL or a target) too, and say where it differs',
      )
      .option(
        '--against-auth <env:NAME>',
        'the environment variable that holds the token of the other deployment (without it: the same token)',
      )
      .option('--har <file>', 'judge the traffic that a HAR file recorded, and send nothing')
      .option('--self', 'check the mock itself, in this process', false)
      .option(
        '--prove',
        'plant deviations into the mock, one at a time, and say which of them this check would catch',
        false,
      )
      .option('--min-caught <percent>', 'with --prove: exit 1 where fewer are caught', parsePercent)
      .optionsGroup('Options:')
      .action((url: string | undefined, document: string | undefined, words: CheckWords) =>
        start(async (io) => {
          const { withBoundHeap } = await import('../serve/bound-heap.ts');
          return withBoundHeap(async () => {
            const { runCheckCommand } = await import('../check/run-check-command.ts');
            // What is checked without a deployment stands where its URL would.
            const named =
              document ?? (words.self || words.prove || words.har !== undefined ? url : undefined);
            return exitCodeOfVerdict(
              await blamingDocument({ document: named, words }, () =>
                runCheckCommand(io, { url, document, words }),
              ),
            );
          }, shortRunMs);
        }),
      );
  },
};

/** What ends sooner leaves no heap behind that would be worth the work of keeping it small. */
const shortRunMs = 2_000;

function parseDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (unit === 'm' ? 60_000 : unit === 's' ? 1_000 : 1);
  if (amount === '' || milliseconds <= 0)
    throw new InvalidArgumentError('Write a time with its unit, such as 60s, 2m or 500ms.');
  return milliseconds;
}

function parsePercent(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 100))
    throw new InvalidArgumentError('It must be a number from 0 to 100.');
  return number;
}

function parsePositive(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
