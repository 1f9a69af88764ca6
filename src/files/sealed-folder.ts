import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf, usage, type VouchError } from '../errors.ts';
import { type FileWriter, openReplacement } from './file-writer.ts';

/** On Linux a path below an open folder is resolved from that folder, whatever its name is now. */
const descriptors = '/proc/self/fd';

/**
 * A folder into which files are written, and never through a symbolic link: neither the folder, nor
 * a folder in it, nor a file may be one, no matter when the link appears. On Linux, everything is
 * reached from the folder as it was opened; elsewhere, each new file is examined before a byte is
 * written to it.
 */
export class SealedFolder {
  readonly #shown: string;
  readonly #descriptor: number | undefined;
  readonly #path: string;
  readonly #parent: SealedFolder | undefined;
  readonly #folders: SealedFolder[] = [];

  /**
   * Opens a folder, and makes it if it does not exist. Throws a VouchError (`usage`) if that fails,
   * or if it is a link.
   */
  constructor(path: string, parent?: SealedFolder) {
    this.#shown = parent === undefined ? resolve(path) : join(parent.#shown, path);
    this.#parent = parent;
    const written = parent === undefined ? this.#shown : join(parent.#path, path);
    if (isLink(written)) throw behindLink(this.#shown);
    try {
      mkdirSync(written, { recursive: parent === undefined });
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw this.#refuse(cause);
    }
    if (!existsSync(descriptors)) {
      this.#path = written;
      if (!this.#isRealFolder()) throw this.#refuse();
      return;
    }
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    try {
      this.#descriptor = openSync(written, flags);
    } catch (cause) {
      throw this.#refuse(cause);
    }
    this.#path = join(descriptors, String(this.#descriptor));
  }

  folder(name: string): SealedFolder {
    const folder = new SealedFolder(name, this);
    this.#folders.push(folder);
    return folder;
  }

  /** Starts to replace a file in it. Throws a VouchError (`usage`) if it is a link. */
  openFile(name: string): FileWriter {
    const shown = join(this.#shown, name);
    if (isLink(join(this.#path, name))) throw behindLink(shown);
    return openReplacement(this.#path, name, { shown, isInPlace: (file) => this.#holds(file) });
  }

  writeFile(name: string, text: string): void {
    const writer = this.openFile(name);
    writer.write(text);
    writer.finish();
  }

  close(): void {
    for (const folder of this.#folders) folder.close();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  /** Whether a file that was just made in this folder is in no other one. */
  #holds(file: number): boolean {
    return fstatSync(file).nlink === 1 && (this.#descriptor !== undefined || this.#isRealFolder());
  }

  #isRealFolder(): boolean {
    const isReal = lstatSync(this.#path, { throwIfNoEntry: false })?.isDirectory() === true;
    return isReal && (this.#parent === undefined || this.#parent.#isRealFolder());
  }

  #refuse(cause?: unknown): VouchError {
    const code = codeOf(cause) ?? 'ELOOP';
    // A link that is opened as a folder without following it is no folder.
    if (code === 'ELOOP' || code === 'ENOTDIR') return behindLink(this.#shown);
    return usage(`${this.#shown} cannot be written: ${code}.`, {
      cause,
      hint: 'Name a folder that can be written to.',
    });
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function behindLink(shown: string): VouchError {
  return usage(`${shown} is a symbolic link, or no folder.`, {
    hint: 'Nothing is written through a link. Remove it, or name another folder.',
  });
}
