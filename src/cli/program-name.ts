import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import { shellQuote } from '../http/curl.ts';

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
