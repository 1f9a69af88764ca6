import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunEvent, RunInfo } from '../../check/model/event.ts';
import type { Verdict } from '../../check/model/run-summary.ts';
import { lazy } from '../../contract/lazy.ts';
import { suggestId, usage } from '../../errors.ts';
import { type FileWriter, isRegularFile } from '../../files/file-writer.ts';
import { readEarlierRuns } from '../../library/state/earlier-runs.ts';
import { rememberPage } from '../../library/state/last-page.ts';
import { stateFolder } from '../../library/state/run-memory.ts';
import { githubSummary } from '../../report/markdown.ts';
import type { Reporter, ReporterOptions } from '../../report/reporter.ts';
import { reporters } from '../../report/reporters.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { type Io, wantsColor } from '../io.ts';

/**
 * A running reporter. It writes its text after each event, so that memory does not grow with the
 * run.
 */
export interface RunningReporter {
  take(event: RunEvent): void;
  /** Writes the report as if these were the last events, in case that the run is killed. */
  secure?(conclusion: readonly RunEvent[]): void;
  /** Called after the last event: completes the report and its file. */
  finish(): Promise<void>;
  /** Called when the run fails: removes the incomplete report. */
  discard(): void;
}

/** A parsed value of `--reporter`: `pretty` for stdout, `junit=report.xml` for a file. */
interface Wanted {
  readonly reporter: Reporter;
  readonly file?: string;
}

/**
 * Starts the reporters: `pretty` writes to stdout, `junit=report.xml` to a file. If all write to
 * files, `pretty` writes to stdout as well. Files are opened now, so that an unwritable one fails
 * before the first request.
 */
export function startReporters(
  wanted: readonly string[],
  io: Io,
  verbose: boolean,
): RunningReporter[] {
  const earlierRuns = knownRuns(io);
  const named = readAll(wanted, io);
  refuseSharing(wanted, named);
  const read = named.some(({ file }) => file === undefined)
    ? named
    : [...readAll(['pretty'], io), ...named];
  const starts = [
    ...read.map((each) => () => startReporter(each, io, { verbose, earlierRuns })),
    ...stepSummary(read, io, verbose),
  ];
  return startAll(starts);
}

/** Whether one of the reporters writes to stdout for each exchange. */
export function writesEachExchange(wanted: readonly string[], io: Io): boolean {
  return readAll(wanted, io).some(
    ({ reporter, file }) => file === undefined && reporter.live === true,
  );
}

/** Starts all reporters; if one fails, discards those that have started. */
function startAll(starts: readonly (() => RunningReporter)[]): RunningReporter[] {
  const started: RunningReporter[] = [];
  try {
    for (const start of starts) started.push(start());
  } catch (error) {
    for (const reporter of started) reporter.discard();
    throw error;
  }
  return started;
}

/** Reads all values of `--reporter`: on a terminal, a page goes into a file of its own. */
function readAll(wanted: readonly string[], io: Io): Wanted[] {
  return wanted.map((word) => {
    const { reporter, file = io.isTTY.out ? reporter.file : undefined } = readWanted(word);
    return { reporter, ...(file === undefined ? {} : { file }) };
  });
}

function readWanted(word: string): Wanted {
  const [id = '', ...rest] = word.split('=');
  const reporter = reporters.find((candidate) => candidate.id === id);
  if (reporter === undefined)
    throw usage(`Unknown reporter: ${id}.`, { hint: suggestId(id, reporters) });
  const file = rest.join('=');
  if (rest.length > 0 && file === '')
    throw usage(`--reporter ${word} names no file.`, {
      hint: `Use --reporter ${id}=FILE, or --reporter ${id} for stdout.`,
    });
  return { reporter, ...(rest.length === 0 ? {} : { file }) };
}

function refuseSharing(wanted: readonly string[], read: readonly Wanted[]): void {
  const toStdout = wanted.filter((word) => !word.includes('='));
  if (toStdout.length > 1)
    throw usage(`Only one reporter can write to stdout, not ${toStdout.join(' and ')}.`, {
      hint: `Write the others to files: --reporter ${toStdout.at(-1) ?? ''}=report.txt`,
    });
  const files = read.flatMap(({ file }) => (file === undefined ? [] : resolve(file)));
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined)
    throw usage(`Two reporters write to the same file: ${twice}.`, {
      hint: 'Use a different file for each.',
    });
}

function startReporter(
  { reporter, file }: Wanted,
  io: Io,
  { verbose, earlierRuns }: Pick<ReporterOptions, 'verbose' | 'earlierRuns'>,
): RunningReporter {
  if (file !== undefined) {
    const open = (): FileWriter => io.openFile(file);
    const report = { verbose, env: io.env, open, earlierRuns };
    const isReplaced = (): boolean => isRegularFile(file);
    return printReportPath(inSafeFile(reporter, { ...report, isReplaced }), { reporter, file }, io);
  }
  const write = reporter.begin({
    color: wantsColor(io, 'out'),
    width: io.width,
    terminal: io.isTTY.out,
    verbose,
    program: io.program,
    repositoryPath: repositoryPath(process.cwd(), io.env),
    earlierRuns,
  });
  return { take: (event) => io.out(write(event)), finish: async () => {}, discard: () => {} };
}

type ReadEarlier = ReporterOptions['earlierRuns'];

/** The runs that this machine knows. */
function knownRuns({ env }: Io): ReadEarlier {
  const folder = stateFolder(env, process.platform);
  return folder === undefined ? undefined : (run) => readEarlierRuns(folder, run);
}

/** Prints the path of the finished report to stderr; of a page, also how to open it. */
function printReportPath(
  running: RunningReporter,
  { reporter, file }: Required<Wanted>,
  io: Io,
): RunningReporter {
  const finish = async (): Promise<void> => {
    await running.finish();
    const isPage = reporter.file !== undefined;
    const state = isPage ? stateFolder(io.env, process.platform) : undefined;
    if (state !== undefined) await rememberPage(state, resolve(file));
    const how = state === undefined ? '' : ' (vouch report open)';
    io.err(`Report: ${cleanLine(isPage ? pathToFileURL(file).href : file)}${how}\n`);
  };
  return { ...running, finish };
}

/**
 * The job summary of GitHub Actions: `github` appends to the file that GITHUB_STEP_SUMMARY names.
 */
function stepSummary(read: readonly Wanted[], io: Io, verbose: boolean): (() => RunningReporter)[] {
  const file = io.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '' || !read.some(({ reporter }) => reporter.id === 'github'))
    return [];
  const open = (): FileWriter => io.appendFile(file);
  return [() => inFile(githubSummary, { verbose, env: io.env, open })];
}

interface FileReport {
  readonly verbose: boolean;
  readonly env: Io['env'];
  readonly open: () => FileWriter;
  readonly earlierRuns?: ReadEarlier;
}

function inFile(
  reporter: Reporter,
  { verbose, env, open, earlierRuns }: FileReport,
): RunningReporter {
  const write = reporter.begin({
    color: false,
    width: 80,
    verbose,
    repositoryPath: repositoryPath(process.cwd(), env),
    earlierRuns,
  });
  const writer = open();
  return {
    take: (event) => writer.write(write(event)),
    finish: async () => writer.finish(),
    discard: () => writer.discard(),
  };
}

/**
 * The same, with a second report beside it that is complete before the clean-up of the run: a run
 * that is killed while it deletes leaves that one. Only runs that change something have it, and
 * files that are replaced as a whole.
 */
function inSafeFile(
  reporter: Reporter,
  { isReplaced, ...report }: FileReport & { readonly isReplaced: () => boolean },
): RunningReporter {
  const whole = inFile(reporter, report);
  let early: RunningReporter | undefined;
  return {
    take(event) {
      if (event.type === 'run-started' && mayChange(event.run) && isReplaced())
        early = inFile(reporter, report);
      early?.take(event);
      whole.take(event);
    },
    secure(conclusion) {
      for (const event of conclusion) early?.take(event);
      void early?.finish();
      early = undefined;
    },
    async finish() {
      early?.discard();
      await whole.finish();
    },
    discard() {
      early?.discard();
      whole.discard();
    },
  };
}

/** Whether a run may change something: as its mode allows, or as a workflow says. */
function mayChange({ mode, effects }: RunInfo): boolean {
  return mode !== 'read-only' || (effects?.named ?? []).length > 0;
}

/**
 * Passes every event to every reporter and returns the verdict. A reporter that fails is discarded,
 * and its error is thrown at the end; the run continues, so that the other reports are complete and
 * created records are deleted. If the run itself fails, all reports are discarded.
 */
export async function reportEvents(
  events: AsyncIterable<RunEvent>,
  running: readonly RunningReporter[],
): Promise<Verdict> {
  let working = running;
  const errors: unknown[] = [];
  const drop = (reporter: RunningReporter, error: unknown): void => {
    errors.push(error);
    working = working.filter((other) => other !== reporter);
    reporter.discard();
  };
  const take = (event: RunEvent): void => {
    for (const reporter of working) {
      try {
        reporter.take(event);
      } catch (error) {
        drop(reporter, error);
      }
    }
  };
  let verdict: Verdict = 'crashed';
  try {
    for await (const event of events) {
      take(event);
      if (event.type === 'run-finished') verdict = event.summary.verdict;
    }
  } catch (error) {
    for (const reporter of working) reporter.discard();
    throw error;
  }
  for (const reporter of working)
    await reporter.finish().catch((error: unknown) => drop(reporter, error));
  if (errors.length > 0) throw errors[0];
  return verdict;
}

/** Where CI services check out the repository: GitHub, GitLab, Bitbucket and Azure. */
const rootVariables = [
  'GITHUB_WORKSPACE',
  'CI_PROJECT_DIR',
  'BITBUCKET_CLONE_DIR',
  'BUILD_SOURCESDIRECTORY',
];

/**
 * Returns the function that turns a path, relative to `folder`, into the path from the root of the
 * repository, with slashes: CI services show a report beside the source by such paths. The root is
 * the nearest folder above that has `.git`, else the one that a CI service names. Without a root,
 * and for URLs and files outside the root, the path is unchanged.
 */
export function repositoryPath(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): (file: string) => string {
  const findOnce = lazy(() => findRoot(folder, env));
  return (file) => {
    if (/^(?:[a-z][a-z0-9+.-]+:\/\/|<)/i.test(file)) return file;
    const root = findOnce();
    if (root === undefined) return file;
    const inside = relative(root, resolve(folder, file));
    return isOutside(inside) ? file : inside.replaceAll('\\', '/');
  };
}

function findRoot(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  // In a worktree or a submodule, .git is a file.
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return each;
    if (dirname(each) === each) break;
  }
  const named = rootVariables.flatMap((name) => realPath(env[name]) ?? []);
  return named.find((root) => !isOutside(relative(root, folder)));
}

/** The current folder has no links in its path, so neither may the root. */
function realPath(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isOutside(path: string): boolean {
  return isAbsolute(path) || path.split(/[\\/]/)[0] === '..';
}
