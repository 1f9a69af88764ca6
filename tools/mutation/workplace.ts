import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { applyMutant, type Mutant } from './mutants.ts';

/**
 * What no test needs of a tree, or what would make a copy slow. `node_modules` is lent, not copied.
 */
const left: ReadonlySet<string> = new Set(['node_modules', '.git', 'dist', 'tmp', '.rivals']);

/**
 * A copy of the tree in which sources may be changed: the tree itself is never touched. A copy that
 * is there already is used as it is.
 */
export class Workplace {
  readonly folder: string;
  /** What stands changed in the copy just now, as it was: a run that is killed leaves it so. */
  readonly #open: string;

  constructor(root: string, folder: string) {
    this.folder = folder;
    this.#open = join(folder, '..', 'open-mutant.json');
    if (existsSync(folder)) this.#mend();
    else copy(root, folder);
  }

  /** Does something while a mutant stands in the copy. */
  async with<Result>(mutant: Mutant, use: () => Promise<Result>): Promise<Result> {
    const file = join(this.folder, mutant.file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(this.#open, JSON.stringify({ file, text }));
    writeFileSync(file, applyMutant(text, mutant));
    try {
      return await use();
    } finally {
      this.#mend();
    }
  }

  #mend(): void {
    if (!existsSync(this.#open)) return;
    // Written above.
    const { file, text } = JSON.parse(readFileSync(this.#open, 'utf8')) as {
      file: string;
      text: string;
    };
    writeFileSync(file, text);
    rmSync(this.#open);
  }
}

function copy(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(root, folder, {
    recursive: true,
    filter: (from) => from === root || !left.has(basename(from)),
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}
