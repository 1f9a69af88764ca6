import { Option, type Command } from 'commander';
import { modes } from '../../check/model/phase.ts';
import type { CheckFlags } from '../check/check-flags.ts';
import type { ReplayFlags } from '../check/run-replay-command.ts';
import type { CommandEntry } from './command.ts';
import { addContractOptions, authHelp, collect, headerHelp, oneOf } from './command.ts';
import type { CleanupFlags } from '../check/run-cleanup-command.ts';
import { createReadStream, existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { RunEvent } from '../../check/model/event.ts';
import type { Verdict } from '../../check/model/run-summary.ts';
import { codeOf, usage, VouchError } from '../../errors.ts';
import { readLastPage } from '../../library/state/last-page.ts';
import { stateFolder } from '../../library/state/run-memory.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { exitCodeOfVerdict, exitCodes, type Io } from '../io.ts';

/** `vouch replay`: checks whether findings of an earlier run are fixed. */
export const replayCommand: CommandEntry = {
  name: 'replay',
  register(program, start) {
    addContractOptions(program.command('replay [report-or-id...]'))
      .summary('check whether findings of an earlier run are fixed')
      .description(
        'Sends the requests of earlier findings again and judges the new responses. ' +
          'The findings come from a report (--reporter json=report.json) or from the ' +
          'last runs on this machine. Without ids, replays all findings of the report, ' +
          'or of the last run that was started in this folder.',
      )
      .option('--url <url>', 'base URL to use in place of the one that was checked')
      .option('--contract <document>', 'contract to use if it is no longer at its former path')
      .addOption(oneOf(new Option('--mode <mode>', 'same as in vouch check'), modes))
      .option('--auth <[scheme=]env:NAME>', authHelp, collect, [])
      .option('--header <header>', headerHelp, collect, [])
      .action((given: string[], flags: ReplayFlags) =>
        start(async (io) => {
          const { runReplayCommand } = await import('../check/run-replay-command.ts');
          return runReplayCommand(io, given, flags);
        }),
      );
  },
};

/** `vouch cleanup`: deletes records of runs that were killed or could not clean up. */
export const cleanupCommand: CommandEntry = {
  name: 'cleanup',
  register(program, start) {
    addContractOptions(program.command('cleanup [run...]'))
      .summary('delete the records that an interrupted run left on its target')
      .description(
        'Lists the runs on this machine that may have left records on their target, ' +
          'and deletes those records: the ones that the run is known to have created ' +
          'and, if it was interrupted, the ones that carry its marker.',
      )
      .option('--list', 'list the runs; send nothing', false)
      .option('--forget', 'forget the named runs, or all; send nothing', false)
      .option('--verbose', 'name each record', false)
      .option('--contract <document>', 'contract to use if it is no longer at its former path')
      .option('--auth <[scheme=]env:NAME>', authHelp, collect, [])
      .option('--header <header>', headerHelp, collect, [])
      .action((runs: string[], flags: CleanupFlags) =>
        start(async (io) => {
          const { runCleanupCommand } = await import('../check/run-cleanup-command.ts');
          return runCleanupCommand(io, runs, flags);
        }),
      );
  },
};

/**
 * `vouch report merge` and `vouch report show`: render the files of the reporter `blob`. `vouch
 * report open`: shows the page of the reporter `html`.
 */
export const reportCommand: CommandEntry = {
  name: 'report',
  register(program, start) {
    const report = program
      .command('report')
      .summary('open a report, render one again, or merge those of shards')
      .description(
        'Opens the HTML report of a run, or renders any report from files that the blob reporter ' +
          'wrote. Sends nothing.',
      );
    addReporters(report.command('merge [blob...]'))
      .summary('merge the blobs of all shards of a run')
      .description(
        'Merges the blobs of all shards of a run into one report. The exit code is ' +
          'that of the merged run; a missing shard makes it inconclusive.',
      )
      .action((files: readonly string[], flags: ReportFlags) =>
        start(async (io) => {
          if (files.length === 0)
            throw usage('vouch report merge needs at least one blob.', {
              hint:
                'Name the blob of each shard: vouch report merge shard-1.blob shard-2.blob. ' +
                'Each job writes one with vouch check URL --shard 1/2 --reporter ' +
                'blob=shard-1.blob.',
            });
          return exitCodeOfVerdict(await mergeBlobs(io, files, flags));
        }),
      );
    addReporters(report.command('show <blob>'))
      .summary('render the report of a run again')
      .description('Renders reports of a finished run. The exit code is that of the run.')
      .action((file: string, flags: ReportFlags) =>
        start(async (io) => {
          return exitCodeOfVerdict(await showBlob(io, file, flags));
        }),
      );
    report
      .command('open [page]')
      .summary('open the HTML report that was written last')
      .description(
        'Opens an HTML report in the browser: the given one, or the last one that a command ' +
          'wrote on this machine. Without a browser, its address is printed.',
      )
      .action((page: string | undefined) => start((io) => openPage(io, page)));
  },
};

/** The flags of the commands that render a report. */
function addReporters(command: Command): Command {
  return command
    .option(
      '-r, --reporter <id[=file]>',
      'output format, written to stdout or to =file; repeatable: pretty, json, junit, html, …',
      collect,
      [],
    )
    .option('--verbose', 'print a line for each exchange', false);
}

type ReportFlags = Pick<CheckFlags, 'reporter' | 'verbose'>;

/** Opens a page in the browser of the user, or prints its address. */
async function openPage(io: Io, named: string | undefined): Promise<number> {
  const folder = stateFolder(io.env, process.platform);
  const page = named ?? (folder === undefined ? undefined : await readLastPage(folder));
  if (page === undefined || !existsSync(page))
    throw usage(
      page === undefined ? 'No HTML report is known here.' : `There is no file ${page}.`,
      { hint: 'Write one: vouch check URL -r html' },
    );
  const address = pathToFileURL(page).href;
  const isOpen = (await io.openUrl?.(address)) ?? false;
  io.out(`${isOpen ? 'Opened ' : ''}${cleanLine(address)}\n`);
  return exitCodes.passed;
}

/** Merges the blobs of all shards of a run, writes the reports and returns the verdict. */
async function mergeBlobs(io: Io, files: readonly string[], flags: ReportFlags): Promise<Verdict> {
  const { mergeEvents } = await import('../../report/blob/merge-events.ts');
  return reportBlobs(
    io,
    flags,
    mergeEvents(files.map((file) => ({ file, events: readEvents(file) }))),
  );
}

/** Renders the reports of one blob again and returns its verdict. */
async function showBlob(io: Io, file: string, flags: ReportFlags): Promise<Verdict> {
  const { showEvents } = await import('../../report/blob/merge-events.ts');
  return reportBlobs(io, flags, showEvents({ file, events: readEvents(file) }));
}

async function reportBlobs(
  io: Io,
  { reporter, verbose }: ReportFlags,
  events: AsyncIterable<RunEvent>,
): Promise<Verdict> {
  const { reportEvents, startReporters } = await import('../check/run-reporters.ts');
  return reportEvents(events, startReporters(reporter, io, verbose));
}

async function* readEvents(file: string): AsyncGenerator<RunEvent, void> {
  const { readBlob } = await import('../../report/blob/read-blob.ts');
  try {
    yield* readBlob(file, readLines(file));
  } catch (cause) {
    if (cause instanceof VouchError || codeOf(cause) === undefined) throw cause;
    const flags =
      codeOf(cause) === 'ENOENT'
        ? `There is no file ${file}.`
        : codeOf(cause) === 'EISDIR'
          ? `${file} is a folder, not a blob.`
          : `The blob ${file} cannot be read: ${codeOf(cause) ?? String(cause)}.`;
    throw usage(flags, {
      cause,
      hint: 'Check the name; vouch check URL --reporter blob=FILE writes a blob.',
    });
  }
}

async function* readLines(file: string): AsyncGenerator<string, void> {
  let rest = '';
  const chunks: AsyncIterable<string> = createReadStream(file, 'utf8');
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
