import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { usage, VouchError } from '../../errors.ts';

/** The real path of a file that may be read; or why it may not. */
export type Admission =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing' | 'outside' | 'no-file' };

/**
 * The folders below which a document may name files: its own, and the root that the user names,
 * otherwise its repository. One mechanism for everything that documents name.
 */
export class ReadableFolders {
  readonly #folder: string;
  readonly #root: string | undefined;
  #all: Promise<readonly string[]> | undefined;

  /** `folder` contains the document that the user named; `root` is the value of `--root`. */
  constructor(folder: string, root: string | undefined) {
    this.#folder = folder;
    this.#root = root;
  }

  /**
   * Whether a path leads to a regular file below one of the folders, symbolic links followed.
   * Throws a VouchError if there is no folder `root`.
   */
  async admit(path: string): Promise<Admission> {
    const real = await realpath(path).catch(() => undefined);
    const folders = await (this.#all ??= this.#find());
    // Whether a file outside exists is nobody's business.
    if (!folders.some((folder) => isInside(real ?? path, folder))) return { kind: 'outside' };
    if (real === undefined) return { kind: 'missing' };
    return (await stat(real)).isFile() ? { kind: 'file', path: real } : { kind: 'no-file' };
  }

  async #find(): Promise<readonly string[]> {
    const own = await realpath(this.#folder).catch(() => this.#folder);
    if (this.#root !== undefined) return [own, this.#folder, await realRoot(this.#root)];
    for (let folder = own; folder !== dirname(folder); folder = dirname(folder))
      if (await exists(join(folder, '.git'))) return [own, this.#folder, folder];
    return [own, this.#folder];
  }
}

async function realRoot(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (cause) {
    throw usage(`There is no folder ${root}.`, {
      cause,
      hint: 'Name a folder that exists with --root.',
    });
  }
}

/**
 * The status of a file that a user names. Throws a VouchError for a device, which may have no end;
 * a pipe (`<(…)`, /dev/stdin) is read.
 */
export async function refuseDevice(path: string): Promise<Stats> {
  const stats = await stat(path);
  if (stats.isCharacterDevice() || stats.isBlockDevice() || stats.isSocket())
    throw new VouchError('contract-unreadable', `${path} is a device, not a file.`, {
      hint: 'Name a file, or a pipe.',
    });
  return stats;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Whether a path is a folder, or below it. Both are absolute. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
