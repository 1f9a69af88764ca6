// The program of a clone, joined into few files: its source is hundreds of modules, and to find
// them takes as long as all the rest of a start.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { filesBelow } from './build-pages.ts';

const tools = fileURLToPath(new URL('.', import.meta.url));
const root = join(tools, '..');

/** The folder of the joined programs below `dist/`; no part of the package. */
export const cloneFolder = 'clone';

/** What commands load at their start: see `ProgramSource`. */
export const starts = {
  mock: ['cli/find-contract', 'cli/serve/serve', 'library/start-mock'],
  check: ['cli/find-contract', 'cli/check/run-check-command'],
  lint: ['cli/find-contract', 'lint/lint-contract', 'lint/format-lint'],
};

/** How many programs of earlier sources stay: one that runs may still load a part of itself. */
const kept = 10;

/**
 * The URL of the program as the source is now, which is joined anew where a file has changed.
 * Undefined where it cannot be, as while a source has a syntax error: then the source itself runs.
 */
export async function bundleClone(folder: string = root): Promise<string | undefined> {
  const own = join(folder, 'dist', cloneFolder, describeSource(folder));
  if (!existsSync(own) && !(await bundleInto(own, folder))) return undefined;
  return pathToFileURL(join(own, 'program', 'vouch.js')).href;
}

/** Vitest calls this before the first test: tests start the program many times. */
export const setup = async (): Promise<void> => void (await bundleClone());

/** A text that differs where a file was added, removed, moved or written. */
function describeSource(folder: string): string {
  const makers = ['bundle-program.ts', 'clone-program.ts'].map((name) => join(tools, name));
  const files = [...filesBelow(join(folder, 'src')), join(folder, 'package-lock.json'), ...makers];
  const facts = files.map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${String(mtimeMs)} ${String(size)}`;
  });
  return hash('sha256', facts.join('\n')).slice(0, 16);
}

/** Returns whether it succeeded. Several processes may do so at a time: the first one's stays. */
async function bundleInto(own: string, folder: string): Promise<boolean> {
  const draft = `${own}.${String(process.pid)}`;
  try {
    const { bundleProgram } = await import('./bundle-program.ts');
    await bundleProgram({
      source: join(folder, 'src'),
      dist: draft,
      entries: { vouch: 'cli/bin' },
      packages: ['ajv', 'ajv-formats', 'commander', 'express', 'json-p3'],
      starts,
      inClone: true,
    });
    renameSync(draft, own);
    removeOld(dirname(own));
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
  return existsSync(own);
}

function removeOld(programs: string): void {
  const ages = readdirSync(programs).map((name) => {
    const path = join(programs, name);
    return { path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const old = ages.toSorted((left, right) => right.at - left.at).slice(kept);
  for (const { path } of old) rmSync(path, { recursive: true, force: true });
}
