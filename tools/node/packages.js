import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A folder, because making one is atomic: the command that makes it installs, others wait. */
const lock = join(root, 'node_modules', '.installing');
const staleMs = 10 * 60_000;

/** The development packages that are missing, or present in another version than pinned. */
export function missingPackages(folder = root) {
  const { devDependencies } = readJson(join(folder, 'package.json'));
  return Object.entries(devDependencies)
    .filter(([name, version]) => {
      const manifest = readJson(join(folder, 'node_modules', name, 'package.json'));
      return manifest?.version !== version;
    })
    .map(([name]) => name);
}

/**
 * Installs the development packages, exactly as locked, where one is missing or outdated. Says so
 * on stderr. Returns whether they are there.
 */
export async function bringPackages() {
  if (missingPackages().length === 0) return true;
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  while (!take(lock)) await new Promise((resolve) => setTimeout(resolve, 500));
  try {
    const missing = missingPackages();
    if (missing.length === 0) return true;
    console.error(
      `Installs what only development needs, once (${missing.slice(0, 3).join(', ')}` +
        `${missing.length > 3 ? ` and ${missing.length - 3} more` : ''}): npm ci leaves it out.`,
    );
    const words = ['install', '--include=dev', '--no-save', '--no-audit'];
    const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
    return spawnSync('npm', words, options).status === 0;
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    // A command that was killed left it.
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - staleMs) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
