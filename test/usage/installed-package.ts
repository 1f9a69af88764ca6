import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A folder in which the package is installed as it would be published, with the examples beside it.
 */
export interface Installation {
  readonly folder: string;
  /**
   * Runs a program of Node's in one of the folders; resolves with what it printed, rejects where it
   * fails.
   */
  runNode(where: string, program: string, ...words: readonly string[]): Promise<string>;
  /** Runs a line of a shell, where `npx vouch` is the package. */
  runShell(
    where: string,
    line: string,
    variables?: Readonly<Record<string, string>>,
  ): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Packs the package as `npm publish` does, and unpacks it into a project of its own. What it
 * depends on is linked, not copied.
 */
export async function installPackage(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-installed-'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['xzf', join(folder, archive ?? ''), '-C', folder]);
  await rename(join(folder, 'package'), join(modules, 'vouch'));
  for (const name of await readdir(join(root, 'node_modules')))
    if (!['vouch', '.bin'].includes(name) && !name.startsWith('vouch-'))
      await symlink(join(root, 'node_modules', name), join(modules, name));
  await symlink(join(modules, 'vouch', 'bin', 'vouch.js'), join(modules, '.bin', 'vouch'));
  for (const name of ['examples', 'openapi', 'scenarios'])
    await cp(join(root, name), join(folder, name), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
  await symlink(
    join(root, 'examples', 'frontend', 'node_modules'),
    join(folder, 'examples', 'frontend', 'node_modules'),
  );
  // The Node that runs the tests is the one that a shell finds, and colour would be in every line.
  const env = {
    ...process.env,
    PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}`,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    NODE_OPTIONS: undefined,
    VITEST: undefined,
    VITEST_WORKER_ID: undefined,
    JEST_WORKER_ID: undefined,
  };
  const start = async (
    file: string,
    words: readonly string[],
    where: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const { stdout, stderr } = await run(file, [...words], {
      cwd: join(folder, where),
      env: { ...env, ...more },
    }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(`${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
    });
    return stdout + stderr;
  };
  return {
    folder,
    runNode: (where, program, ...words) =>
      start(
        process.execPath,
        [...nodeOptionsOf(program), join(folder, 'node_modules', program), ...words],
        where,
      ),
    runShell: (where, line, variables) => start('bash', ['-c', line], where, variables),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Jest loads modules of the ECMAScript kind only with this. */
function nodeOptionsOf(program: string): string[] {
  return program.startsWith('jest/') ? ['--experimental-vm-modules', '--no-warnings'] : [];
}
