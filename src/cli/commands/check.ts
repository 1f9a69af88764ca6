import { type Command, InvalidArgumentError, Option } from 'commander';
import { modes } from '../../check/model/phase.ts';
import type { CheckFlags } from '../check/check-flags.ts';
import { exitCodeOfVerdict } from '../io.ts';
import { withDocumentErrors } from '../print-error.ts';
import type { CommandEntry } from './command.ts';
import { addContractOptions, addTargetOptions, collect, oneOf, reporterHelp } from './command.ts';

/** `vouch check <url>`: tests a deployment against the contract. */
export const checkCommand: CommandEntry = {
  name: 'check',
  register(program, start) {
    const command = program
      .command('check [url] [document]')
      .summary('test a deployment against the contract')
      .description(
        'Sends requests to a base URL (or a target of vouch.config.yaml, by name) ' +
          'and checks the responses against the contract. Each finding names the ' +
          'violated line of the document and has a curl command that reproduces it.',
      );
    const grouped = command.optionsGroup('Target and credentials:');
    addTargetOptions(addContractOptions(grouped)).option(
      '--proxy <url>',
      'HTTP proxy, such as http://host:port (the variable HTTP_PROXY is ignored)',
    );
    addLimits(command);
    addSelection(command);
    addOutput(command);
    addOtherKinds(command);
    command
      .optionsGroup('Options:')
      .action((first: string | undefined, second: string | undefined, flags: CheckFlags) =>
        start(async (io) => {
          const { runCheckCommand } = await import('../check/run-check-command.ts');
          const { urlAndDocument } = await import('../check/find-target.ts');
          const { url, document } = urlAndDocument(first, second);
          // With --self, --prove and --har the first argument is the document.
          const named =
            document ?? (flags.self || flags.prove || flags.har !== undefined ? url : undefined);
          return exitCodeOfVerdict(
            await withDocumentErrors({ document: named, flags }, () =>
              runCheckCommand(io, { url, document, flags }),
            ),
          );
        }),
      );
  },
};

const modeHelp =
  'read-only sends only requests that read; read-write also creates records, ' +
  'changes only records that it created, and deletes them where the contract ' +
  'allows it; fuzz is read-write with many more requests, also per operation ' +
  'of a large contract (more than 100 operations). Default: read-write on ' +
  'this machine, read-only elsewhere';

function addLimits(command: Command): Command {
  return command
    .optionsGroup('Limits:')
    .addOption(oneOf(new Option('--mode <mode>', modeHelp), modes))
    .option(
      '--allow <operation>',
      'send this operation regardless of its effect on the service; repeatable ' +
        '(an operationId, or "POST /path")',
      collect,
      [],
    )
    .option(
      '--yes',
      'skip the confirmation before a run that changes a target on another machine',
      false,
    )
    .option('--rate <n>', 'maximum requests per second', parsePositive)
    .option(
      '--max-requests <n>',
      'maximum requests of the run, including retries, excluding cleanup; a run ' +
        'that hits it is inconclusive',
      parsePositive,
    )
    .option(
      '--max-time <seconds>',
      'maximum time for planning, sending and cleanup; a run that hits it is inconclusive',
      parsePositive,
    )
    .option(
      '--budget <time>',
      'plan for this time, such as 60s or 2m, with the most valuable requests first',
      parseDuration,
    )
    .option(
      '--timeout <seconds>',
      'maximum time to wait for a response (default: 10)',
      parsePositive,
    );
}

function addSelection(command: Command): Command {
  return command
    .optionsGroup('Selection:')
    .option(
      '--include <operation...>',
      'only these operations: operationId, tag:users, path (/users/**), method ' +
        '(GET), or both ("GET /users/**")',
    )
    .option('--exclude <operation...>', 'skip these operations (same syntax as --include)')
    .option('--only <check...>', 'only these checks (vouch explain lists them)')
    .option('--skip <check...>', 'skip these checks')
    .option(
      '--changed-since <ref>',
      'only operations whose contract changed since this Git commit, branch or tag',
    )
    .option(
      '--shard <i/n>',
      'only the i-th of n parts of the plan; use the same --seed for all parts',
    )
    .option('--seed <text>', 'the same seed produces the same plan')
    .option(
      '--plan',
      'print every request with its effect and send nothing (as JSON with --reporter json)',
      false,
    );
}

function addOutput(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .option('-r, --reporter <id[=file]>', reporterHelp, collect, [])
    .option('--verbose', 'print a line for each exchange, and shorten nothing', false)
    .addOption(
      oneOf(
        new Option('--fail-on <severity>', 'lowest severity that fails the run (default: error)'),
        ['error', 'warning', 'note'],
      ),
    )
    .option('--baseline <file>', 'accept the findings in this file and fail only on new ones')
    .option(
      '--update-baseline',
      'write the findings of this run to the baseline (vouch.baseline.json, or ' +
        'the file of --baseline)',
    )
    .option(
      '--write-overlay <file>',
      'write an OpenAPI Overlay that documents what the contract omits',
    );
}

function addOtherKinds(command: Command): Command {
  return command
    .optionsGroup('Other kinds of check:')
    .option(
      '--watch',
      'after the run, repeat what failed: when the document or the configuration is saved, ' +
        'and each second; when all is fixed, the whole run',
      false,
    )
    .option(
      '--against <url>',
      'send the same requests to a second deployment (a URL or a target) and ' +
        'report where it differs',
    )
    .option(
      '--against-auth <env:NAME>',
      'environment variable with the token of the second deployment (default: the same token)',
    )
    .option('--har <file>', 'check the traffic recorded in a HAR file; send nothing')
    .option(
      '--workflows <file>',
      'run the workflows of an Arazzo document (1.0, 1.1) too; repeatable',
      collect,
      [],
    )
    .option('--workflows-only', 'run the workflows and send nothing else', false)
    .option(
      '--input <name=value>',
      'value of an input of the workflows; NAME=env:VARIABLE for a secret; repeatable',
      collect,
      [],
    )
    .option('--self', 'check the mock itself, in this process', false)
    .option(
      '--prove',
      'mutate the mock, one mutation at a time, and report which of them this check kills; ' +
        '-r json has killed, survived, noCoverage, equivalent, mutationScore, falsePositives',
      false,
    )
    .option(
      '--min-score <percent>',
      'with --prove: exit 1 for a lower mutation score',
      parsePercent,
    );
}

export function parseDuration(text: string): number {
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

export function parsePositive(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
