import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withoutReports } from '../../rivals/install.ts';
import type { DebianSource, GoSource, MavenSource, PypiSource, Source } from './source.ts';

/** Where services are installed; git ignores it. */
export const servicesFolder: string = fileURLToPath(new URL('../../.services/', import.meta.url));

const here = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const options = { timeout: 1_200_000, maxBuffer: 2 ** 26, env: withoutReports() };

/**
 * Installs a service into `bench/.services/NAME`, unless this very version is there. Answers the
 * folder.
 */
export async function install(name: string, source: Source): Promise<string> {
  const folder = join(servicesFolder, name);
  const stamp = join(folder, 'installed.json');
  const expected = stampOf(source);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await installFrom(source, folder);
  // Written last: an installation that was interrupted has no stamp.
  writeFileSync(stamp, expected);
  return folder;
}

function stampOf(source: Source): string {
  const requirements = source.from === 'pypi' ? readFileSync(requirementsOf(source), 'utf8') : '';
  return JSON.stringify({ ...source, requirements });
}

function installFrom(source: Source, folder: string): Promise<void> {
  switch (source.from) {
    case 'pypi':
      return installFromPypi(source, folder);
    case 'maven':
      return installFromMaven(source, folder);
    case 'debian':
      return installFromDebian(source, folder);
    case 'go':
      return installFromGo(source, folder);
  }
}

function requirementsOf({ requirements }: PypiSource): string {
  return join(here, 'requirements', requirements);
}

async function installFromPypi(source: PypiSource, folder: string): Promise<void> {
  await run('python3', ['-m', 'venv', folder], options);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
  await run(join(folder, 'bin', 'python'), [...pip, '-r', requirementsOf(source)], options);
}

const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

async function installFromMaven(
  { artifact, sha256, extract }: MavenSource,
  folder: string,
): Promise<void> {
  const flags = ['-q', '-B', copyGoal, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
  await run('mvn', [...flags, '-Dmdep.stripVersion=true'], { ...options, cwd: folder });
  const jar = join(folder, `${artifact.split(':')[1] ?? ''}.jar`);
  const actual = createHash('sha256').update(readFileSync(jar)).digest('hex');
  if (actual !== sha256)
    throw new Error(`${artifact} has the sha256 ${actual}, and ${sha256} is expected.`);
  for (const path of extract)
    await run('unzip', ['-q', '-o', '-j', jar, path, '-d', folder], options);
}

async function installFromDebian({ packages }: DebianSource, folder: string): Promise<void> {
  const flags = ['--simulate', '--no-install-recommends', '--reinstall', 'install'];
  const { stdout } = await run('apt-get', [...flags, ...packages], options);
  const missing = [...stdout.matchAll(/^Inst (\S+) (?:\[\S+\] )?\((\S+)/gm)].map(
    ([, name, version]) => `${name ?? ''}=${version ?? ''}`,
  );
  const downloads = join(folder, 'downloads');
  mkdirSync(downloads);
  await run('apt-get', ['download', ...missing], { ...options, cwd: downloads });
  for (const file of readdirSync(downloads))
    await run('dpkg-deb', ['-x', join(downloads, file), folder], options);
}

/**
 * Builds in a module of our own, since `go install` refuses a module that replaces others. The
 * program is called `program`.
 */
async function installFromGo(
  { module, version, command, copy }: GoSource,
  folder: string,
): Promise<void> {
  const inFolder = { ...options, cwd: folder };
  await run('go', ['mod', 'init', 'services'], inFolder);
  await run('go', ['get', `${module}/${command}@${version}`.replace('/@', '@')], inFolder);
  const program = join(folder, 'program');
  await run('go', ['build', '-o', program, `${module}/${command}`.replace(/\/$/, '')], inFolder);
  for (const { from, path } of copy) {
    const { stdout } = await run(
      'go',
      ['mod', 'download', '-json', `${from}@${version}`],
      inFolder,
    );
    const { Dir } = JSON.parse(stdout) as { Dir: string };
    copyFileSync(join(Dir, path), join(folder, basename(path)));
  }
}
