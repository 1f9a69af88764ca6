import { VouchError } from '../../errors.ts';
import type { ReportWords } from '../check/report-blobs.ts';
import { exitCodeOfVerdict } from '../exit-code.ts';
import type { CommandEntry } from './command.ts';

/**
 * `vouch report merge` and `vouch report show`: what other jobs, or an earlier run, wrote with the
 * reporter `blob`.
 */
export const reportCommand: CommandEntry = {
  name: 'report',
  register(program, start) {
    const report = program
      .command('report')
      .summary('join the blobs of shards, or show one again')
      .description('Makes any report of what the reporter blob has written. Sends nothing.');
    const collect = (value: string, earlier: readonly string[]): string[] => [...earlier, value];
    report
      .command('merge [blob...]')
      .summary('join the blobs of all shards of a run')
      .description(
        'Joins the blobs of all shards of a run into one report; its exit code is that of the run that they are together. A shard that is missing makes it inconclusive.',
      )
      .option(
        '-r, --reporter <id[=file]>',
        'how to print, repeatable: pretty, json, junit, html, … ; with =file into a file',
        collect,
        [],
      )
      .option('--verbose', 'a line for each exchange', false)
      .action((files: readonly string[], words: ReportWords) =>
        start(async (io) => {
          if (files.length === 0)
            throw new VouchError('usage', 'vouch report merge was given no blob.', {
              hint: 'Name the blob of every shard: vouch report merge shard-1.blob shard-2.blob. Each job writes its own with vouch check URL --shard 1/2 --reporter blob=shard-1.blob.',
            });
          const { mergeBlobs } = await import('../check/report-blobs.ts');
          return exitCodeOfVerdict(await mergeBlobs(io, files, words));
        }),
      );
    report
      .command('show <blob>')
      .summary('show one run again, in another way')
      .description('Makes reports of one run that is over; its exit code is that of the run.')
      .option(
        '-r, --reporter <id[=file]>',
        'how to print, repeatable: pretty, json, junit, html, … ; with =file into a file',
        collect,
        [],
      )
      .option('--verbose', 'a line for each exchange', false)
      .action((file: string, words: ReportWords) =>
        start(async (io) => {
          const { showBlob } = await import('../check/report-blobs.ts');
          return exitCodeOfVerdict(await showBlob(io, file, words));
        }),
      );
  },
};
