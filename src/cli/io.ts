import type { Readable, Writable } from 'node:stream';
import type { FileWriter } from '../files/file-writer.ts';
import { columnsOf, hangText } from '../text/wrap-text.ts';
import type { Verdict } from '../check/model/run-summary.ts';
import { codeOf, type ErrorCode, usage } from '../errors.ts';
import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import { shellQuote } from '../http/curl.ts';

/** Everything outside the process that a command uses. */
export interface Io {
  /** Writes data to stdout. */
  out(text: string): void;
  /** Writes messages to stderr. */
  err(text: string): void;
  /** How to start vouch here, such as `npx vouch`; default `vouch`. */
  readonly program?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: () => Date;
  /** Whether stdout and stderr are terminals. */
  readonly isTTY: { readonly out: boolean; readonly err: boolean };
  /** Whether stdout and stderr are one file or pipe, as in `vouch mock > log 2>&1`. */
  readonly sharesOutput?: boolean;
  /** Columns of the terminal; default 80. */
  readonly width: number;
  /** Marks a text as a credential, which is redacted from error messages. */
  readonly keepSecret?: (value: string) => void;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Aborted by the second signal: only a short time for final output remains. */
  readonly hurry?: AbortSignal;
  /** The keyboard of the terminal; undefined in scripts, pipes and CI. */
  readonly keyboard?: Keyboard | undefined;
  /** Opens a page in the browser of the user; returns false if there is none. */
  openUrl?(url: string): Promise<boolean>;
  /**
   * Shows each error that nothing waits for, such as one in a timer: true if the process goes on.
   * Without it, the first one ends the process.
   */
  catchStray?(goesOn: (error: unknown) => boolean): void;
  /**
   * Opens stdin and stdout for a protocol. From then on, nothing else is printed to stdout, and a
   * stdout that is closed is a stop signal.
   */
  openStdio?(): { readonly input: Readable; readonly output: Writable };
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, text: string): Promise<void>;
  /** Opens a file that is written in pieces; see `openFileWriter`. */
  openFile(path: string): FileWriter;
  /** Opens a file to append text to it. */
  appendFile(path: string): FileWriter;
}

/** A keyboard that reports each key. */
export interface Keyboard {
  /**
   * Calls `onKey` for each key with its character, or `enter`, `escape`, `backspace`. Returns a
   * function that stops listening and restores the terminal.
   */
  listen(onKey: (key: string) => void): () => void;
}

/**
 * Whether to color a stream: FORCE_COLOR and NO_COLOR decide, otherwise whether it is a terminal
 * (no-color.org).
 */
export function wantsColor(io: Io, stream: 'out' | 'err'): boolean {
  const forced = io.env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (io.env['NO_COLOR'] !== undefined && io.env['NO_COLOR'] !== '') return false;
  return io.isTTY[stream] && io.env['TERM'] !== 'dumb';
}

/**
 * Wraps prose to the width of a terminal between words, with an indent of two columns; leaves it
 * unchanged elsewhere.
 */
export function fitLines(
  text: string,
  { isTTY, width }: Pick<Io, 'isTTY' | 'width'>,
  stream: 'out' | 'err',
): string {
  if (!isTTY[stream]) return text;
  return text
    .split('\n')
    .flatMap((line) => (columnsOf(line) <= width ? [line] : breakLine(line, width)))
    .join('\n');
}

function breakLine(line: string, width: number): string[] {
  const prose = line.trimStart();
  const indent = ' '.repeat(line.length - prose.length);
  const [first = '', ...rest] = hangText(`${indent}  `, prose, width);
  return [first.slice(2), ...rest];
}

/** Whether vouch runs in CI: nearly every CI service sets CI. */
export function isContinuousIntegration({
  CI: ci,
}: Readonly<Record<string, string | undefined>>): boolean {
  return ci !== undefined && ci !== '' && ci !== '0' && ci !== 'false';
}

export const exitCodes = {
  passed: 0,
  failed: 1,
  usageError: 2,
  inconclusive: 3,
  internalError: 70,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of a run's verdict. */
export function exitCodeOfVerdict(verdict: Verdict): ExitCode {
  if (verdict === 'crashed') return exitCodes.internalError;
  return exitCodes[verdict];
}

/** The exit code of an error: a usage error or an internal error. */
export function exitCodeOfError(code: ErrorCode): ExitCode {
  if (code === 'internal' || code === 'value-impossible') return exitCodes.internalError;
  return code === 'target-unreachable' ? exitCodes.inconclusive : exitCodes.usageError;
}

/** Reads a file that the user names. Throws a VouchError with a hint if it cannot be read. */
export async function readNamed(io: Io, file: string, hint: string): Promise<Uint8Array> {
  try {
    return await io.readFile(file);
  } catch (cause) {
    const message = `Cannot read ${file}: ${codeOf(cause) ?? String(cause)}.`;
    throw usage(message, { cause, hint });
  }
}

/** How this process was started. */
export interface Start {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The absolute path of the script that Node runs. */
  readonly script: string | undefined;
  readonly folder: string;
  readonly isFile: (path: string) => boolean;
}

/** How each package manager runs a program of a project, by the name in its user agent. */
const runners: ReadonlyMap<string, string> = new Map([
  ['npm', 'npx'],
  ['pnpm', 'pnpm exec'],
  ['yarn', 'yarn'],
  ['bun', 'bunx'],
]);

/**
 * The command that starts vouch from this folder: `vouch` if it is on the PATH, `npx vouch` or the
 * like under a package manager, otherwise `node` with the path of the script.
 */
export function programName({ env, script, folder, isFile }: Start): string {
  // Package managers add folders to the PATH of their child processes, so that PATH is not the one
  // of the shell.
  const runner = runnerOf(env);
  if (runner !== undefined) return `${runner} vouch`;
  if (isOnPath(env, isFile) || script === undefined) return 'vouch';
  return isAt(projectOf(script), folder)
    ? 'npx vouch'
    : `node ${shellWord(relative(folder, script))}`;
}

function runnerOf(env: Start['env']): string | undefined {
  const agent = env['npm_config_user_agent'];
  if (agent === undefined && env['npm_execpath'] === undefined) return undefined;
  return runners.get(agent?.split('/', 1)[0] ?? '') ?? 'npx';
}

function isOnPath(env: Start['env'], isFile: Start['isFile']): boolean {
  const folders = (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '');
  return folders.some(
    (folder) => isFile(join(folder, 'vouch')) || isFile(join(folder, 'vouch.cmd')),
  );
}

/** The folder in which `npx` finds the program: the parent of node_modules, or the clone itself. */
function projectOf(script: string): string {
  const parts = resolve(script).split(sep);
  const at = parts.lastIndexOf('node_modules');
  return at === -1 ? dirname(dirname(script)) : parts.slice(0, at).join(sep);
}

function isAt(project: string, folder: string): boolean {
  const way = relative(project, folder);
  return (
    basename(project) !== '' && !way.startsWith('..') && resolve(project, way) === resolve(folder)
  );
}

function shellWord(path: string): string {
  return /^[\w./\\:-]+$/.test(path) ? path : shellQuote(path);
}

const commandNames = [
  ...['start', 'mock', 'check', 'lint', 'gaps', 'report', 'replay', 'proxy', 'mcp'],
  ...['cleanup', 'explain', 'types', 'demo', 'init', 'doctor'],
].join('|');

/** `vouch` before a command or a help flag, unless it is part of a path or follows a runner. */
const command = new RegExp(
  '(?<![\\w./@-])(?<!\\bnpx |\\bexec |\\byarn |\\bbunx )vouch ' +
    `(?=(?:${commandNames})\\b|--?h(?:elp)?\\b)`,
  'g',
);

/**
 * Replaces `vouch` at the start of each command in a text by the program name of this installation.
 */
export function asCalled(text: string, program = 'vouch'): string {
  return program === 'vouch' ? text : text.replaceAll(command, `${program} `);
}
