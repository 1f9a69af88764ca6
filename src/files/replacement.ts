import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';
import { copyOver } from './write-bytes.ts';
import type { WriteTarget } from './write-target.ts';

type FileTarget = Extract<WriteTarget, { readonly kind: 'file' }>;

/** New content of a file, in a temporary file until `finish` puts it under the name. */
export interface Replacement {
  readonly file: number;
  finish(): void;
  discard(): void;
}

/** The temporary files that are open in this process. */
const unfinished = new Set<string>();

/** Removes the temporary files of writers that are still open: for a process that ends early. */
export function removeUnfinishedFiles(): void {
  for (const part of unfinished) rmSync(part, { force: true });
  unfinished.clear();
}

/**
 * Starts the replacement of a file. Its content moves by an atomic rename where the new file can
 * have the owner and mode of the old one and the old one has no other name; otherwise it is copied
 * into the old file.
 */
export function startReplacement(target: FileTarget, mode: number): Replacement {
  const { path, existing } = target;
  // A rename needs no permission to write to the file itself, but its owner expects that it does.
  if (existing !== undefined) accessSync(path, constants.W_OK);
  const { part, file, isBeside } = openPart(target, existing === undefined ? mode : 0o600);
  const canRename = isBeside && (existing === undefined || takeOver(file, existing));
  const end = (act: () => void): void => {
    try {
      act();
    } finally {
      closeSync(file);
      rmSync(part, { force: true });
      unfinished.delete(part);
    }
  };
  return {
    file,
    finish: () => end(() => putInPlace({ part, file, path, canRename, existing })),
    discard: () => end(() => {}),
  };
}

interface Part {
  readonly part: string;
  readonly file: number;
  readonly isBeside: boolean;
}

/** The temporary file is beside its target; where only the target can be written, elsewhere. */
function openPart({ path, existing }: FileTarget, mode: number): Part {
  try {
    return { ...createPart(dirname(path), path, mode), isBeside: true };
  } catch (error) {
    const isLocked = ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '');
    if (!isLocked || existing === undefined) throw error;
    return { ...createPart(tmpdir(), path, 0o600), isBeside: false };
  }
}

/** Of a long name only the beginning is kept, since a name has 255 bytes at most. */
const keptOfName = 50;

function createPart(folder: string, path: string, mode: number): Omit<Part, 'isBeside'> {
  const name = [...basename(path)].slice(0, keptOfName).join('');
  const part = join(folder, `${name}.${randomBytes(4).toString('hex')}.part`);
  const file = openSync(part, 'wx+', mode);
  unfinished.add(part);
  return { part, file };
}

/** Gives the new file the owner and mode of the old one; false where that is not possible. */
function takeOver(file: number, existing: Stats): boolean {
  if (existing.nlink > 1) return false;
  const own = fstatSync(file);
  try {
    if (own.uid !== existing.uid || own.gid !== existing.gid) {
      fchownSync(file, existing.uid, existing.gid);
    }
    fchmodSync(file, existing.mode & 0o7777);
    return true;
  } catch {
    return false;
  }
}

interface Placing {
  readonly part: string;
  readonly file: number;
  readonly path: string;
  readonly canRename: boolean;
  readonly existing: Stats | undefined;
}

function putInPlace({ part, file, path, canRename, existing }: Placing): void {
  if (!canRename) return copyOver(file, path);
  try {
    renameSync(part, path);
  } catch (error) {
    // A file that is mounted on its own, as containers have it, cannot be replaced.
    if (codeOf(error) !== 'EBUSY' || existing === undefined) throw error;
    copyOver(file, path);
  }
}
