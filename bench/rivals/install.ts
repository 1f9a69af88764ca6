import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rivalNamed, versionOf, type Rival, type RivalName } from './pinned.ts';

/**
 * What came of bringing a rival here: where it is and what runs it (a Node, `java`, or the Python
 * of its folder), or why it is not.
 */
export type Installation =
  | {
      readonly kind: 'installed';
      readonly folder: string;
      readonly version: string;
      readonly node: string;
    }
  | { readonly kind: 'missing'; readonly reason: string };

/** Where rivals are installed; git does not see it. */
const rivalsFolder: string = fileURLToPath(new URL('../.rivals/', import.meta.url));

const run = promisify(execFile);
const withinMs = 600_000;

/**
 * Brings a rival into `bench/.rivals/NAME`, unless that very version is there already. Never
 * throws: what cannot be installed, and what this machine cannot run, is missing, with the reason
 * for the table.
 */
export async function installRival(name: RivalName): Promise<Installation> {
  const rival = rivalNamed(name);
  const folder = join(rivalsFolder, name);
  try {
    const program = await programFor(rival, folder);
    if (!isInstalled(rival, folder)) await install(rival, folder);
    return { kind: 'installed', folder, version: versionOf(rival), node: program };
  } catch (error) {
    return { kind: 'missing', reason: reasonOf(error) };
  }
}

async function programFor(
  { from, node = '0.0.0', runtime }: Rival,
  folder: string,
): Promise<string> {
  if (from === 'pypi') return join(folder, 'bin', 'python');
  if (runtime === 'java') return run('java', ['-version']).then(() => 'java');
  if (isOlder(process.versions.node, node))
    throw new Error(`needs Node ${node}, and this is ${process.versions.node}`);
  return process.execPath;
}

function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version.split('.').map(Number), than.split('.').map(Number)];
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at !== -1 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

/** Which packages a folder holds is written down last, so that half an installation is none. */
function isInstalled({ packages }: Rival, folder: string): boolean {
  const stamp = join(folder, 'installed.json');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === JSON.stringify(packages);
}

async function install({ from, packages }: Rival, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await (from === 'npm' ? installFromNpm(packages, folder) : installFromPython(packages, folder));
  writeFileSync(join(folder, 'installed.json'), JSON.stringify(packages));
}

/**
 * Without install scripts: none of the rivals needs its own, and one of them, @scarf/scarf, reports
 * home.
 */
async function installFromNpm(packages: Rival['packages'], folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const specifiers = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const options = [
    '--ignore-scripts',
    '--save-exact',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel',
    'error',
  ];
  await run('npm', ['install', '--prefix', folder, ...options, ...specifiers], {
    timeout: withinMs,
    env: withoutReports(),
    shell: process.platform === 'win32',
  });
}

async function installFromPython(packages: Rival['packages'], folder: string): Promise<void> {
  const specifiers = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
  await run('python3', ['-m', 'venv', folder], { timeout: withinMs });
  await run(
    join(folder, 'bin', 'python'),
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...specifiers],
    { timeout: withinMs },
  );
}

/**
 * The environment in which rivals are installed and started: nothing is reported to their makers.
 */
export function withoutReports(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NO_COLOR: '1',
    SCARF_ANALYTICS: 'false',
    DO_NOT_TRACK: '1',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    SPECMATIC_DISABLE_TELEMETRY: 'true',
  };
}

/** The last lines that a program said, or what went wrong before it said anything. */
function reasonOf(error: unknown): string {
  const said =
    typeof error === 'object' && error !== null && 'stderr' in error
      ? String(error.stderr).trim()
      : '';
  const text = said === '' ? (error instanceof Error ? error.message : String(error)) : said;
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-2)
    .join(' ')
    .slice(0, 300);
}
