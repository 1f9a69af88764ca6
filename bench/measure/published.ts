import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
let folder: string | undefined;

/**
 * The folder of the package as users get it, built from this clone, with its dependencies beside
 * it. Made once, removed at exit.
 */
export function publishedPackage(): string {
  folder ??= make();
  return folder;
}

function make(): string {
  execFileSync(process.execPath, ['tools/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    files: string[];
  };
  const made = mkdtempSync(join(tmpdir(), 'vouch-published-'));
  for (const name of ['package.json', ...files].filter((file) => existsSync(join(root, file))))
    cpSync(join(root, name), join(made, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
