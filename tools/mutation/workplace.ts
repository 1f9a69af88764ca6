import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';

/** What came of a mutant: a test failed, the tests took too long, or nobody noticed. */
export type Outcome = 'killed' | 'timed out' | 'survived';

/** A copy of the tree in which sources may be changed: the tree itself is never touched. */
export class Workplace {
  readonly #folder: string;

  constructor(root: string, folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(root)) {
      if (['node_modules', '.git', 'dist', 'tmp'].includes(name)) continue;
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  }

  /** Runs what may notice a mutant: first the tests that stand nearest to the file, then all of its area that reach it. */
  async judge(mutant: Mutant, seconds: number): Promise<Outcome> {
    const file = join(this.#folder, mutant.file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, applyMutant(text, mutant));
    try {
      const near = this.#nearest(mutant.file);
      const first = near === undefined ? 'survived' : await this.#run(['run', near], seconds);
      return first === 'survived' ? await this.#run(['related', '--run', mutant.file, '--config', this.#settings(areaOf(mutant.file))], seconds) : first;
    } finally {
      writeFileSync(file, text);
    }
  }

  /** Whether the tests of an area pass as they are. */
  async isSound(area: string, seconds: number): Promise<boolean> {
    return (await this.#run(['run', '--config', this.#settings(areaOf(`${area}/any`))], seconds)) === 'survived';
  }

  /** Vitest's settings for the tests of one area. */
  #settings(area: string): string {
    const file = join(this.#folder, `${area.replaceAll(/\W/g, '-')}.config.ts`);
    writeFileSync(file, `import config from './vitest.config.ts';\nexport default { ...config, test: { ...config.test, include: ['${area}/**/*.test.ts'] } };\n`);
    return file;
  }

  /** The tests that mirror the file: those of its own name, else those of its folder; none where that is the whole area. */
  #nearest(file: string): string | undefined {
    const mirrored = file.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
    if (existsSync(join(this.#folder, mirrored))) return mirrored;
    const folder = dirname(mirrored);
    const isArea = folder === areaOf(file);
    return !isArea && (existsSync(join(this.#folder, folder)) || existsSync(join(this.#folder, `${folder}.test.ts`))) ? folder : undefined;
  }

  #run(words: readonly string[], seconds: number): Promise<Outcome> {
    const program = join(this.#folder, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [program, ...words, '--bail=1', '--maxWorkers=1', '--passWithNoTests', '--reporter=dot'], { cwd: this.#folder, stdio: 'ignore', detached: true });
    if (child.pid !== undefined) setPriority(child.pid, 19);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        // The whole group: its workers are children of the child.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        resolve('timed out');
      }, seconds * 1000);
      child.once('exit', (code) => {
        clearTimeout(timer);
        resolve(code === 0 ? 'survived' : 'killed');
      });
    });
  }
}

function areaOf(file: string): string {
  return `test/${file.split('/')[1] ?? ''}`;
}
