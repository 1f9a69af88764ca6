import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path';

/** How this process was started, as far as it tells how a person starts the next one. */
export interface Start {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The script that Node was given, as an absolute path. */
  readonly script: string | undefined;
  /** The current folder. */
  readonly folder: string;
  readonly isFile: (path: string) => boolean;
}

/**
 * By what a package manager runs the programs of a project, under the name by which it tells of
 * itself.
 */
const runners: ReadonlyMap<string, string> = new Map([
  ['npm', 'npx'],
  ['pnpm', 'pnpm exec'],
  ['yarn', 'yarn'],
  ['bun', 'bunx'],
]);

/**
 * The words that start vouch again from the same folder: `vouch` where a shell finds it, `npx
 * vouch` and the like where a package manager does, and else `node` with the script's path.
 */
export function programName({ env, script, folder, isFile }: Start): string {
  // A package manager puts its own folders on the path of what it runs: that says nothing of the
  // user's shell.
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

/**
 * The folder whose `npx` finds the program: the one that holds node_modules, or the clone itself.
 */
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
  return /^[\w./\\:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

const command =
  /(?<![\w./@-])(?<!\bnpx |\bexec |\byarn |\bbunx )vouch (?=(?:start|mock|check|lint|gaps|report|replay|cleanup|explain|init|doctor|completion)\b|--?h(?:elp)?\b)/g;

/**
 * A text in which the commands of vouch begin as a person starts it here. Texts are written with
 * the plain word, wherever they come from.
 */
export function asCalled(text: string, program = 'vouch'): string {
  return program === 'vouch' ? text : text.replaceAll(command, `${program} `);
}
