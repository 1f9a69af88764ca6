import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf, usage, type VouchError } from '../errors.ts';
import { copyOver, findWriteTarget, openFifo, writeAll, type WriteTarget } from './write-target.ts';

/** A file that is written in pieces. Each method throws a VouchError (`usage`) if it fails. */
export interface FileWriter {
  write(text: string): void;
  /** Writes the remaining text; the new content of a regular file becomes visible. */
  finish(): void;
  /** Discards the text; a regular file keeps its old content. */
  discard(): void;
}

export interface FileOptions {
  /** The permissions of a new file. An existing file keeps its own. */
  readonly mode?: number;
}

/**
 * Opens a file that the user named. Replaces the content of a regular file atomically when it is
 * complete, and creates missing folders. Writes through to a device, a FIFO or a descriptor such as
 * `/dev/stdout`. Writes are synchronous: a slow disk slows the writer down instead of filling the
 * memory.
 */
export function openFileWriter(path: string, options: FileOptions = {}): FileWriter {
  return guarded(path, () => buffered(openSink(findWriteTarget(path), options)));
}

/** Whether a file is replaced as a whole, and not written through like a device or a FIFO. */
export function isRegularFile(path: string): boolean {
  return findWriteTarget(path).kind === 'file';
}

/** Like `openFileWriter`, but appends to the existing content. */
export function openFileAppender(path: string): FileWriter {
  return guarded(path, () => {
    const target = findWriteTarget(path);
    if (target.kind !== 'file') return buffered(openThrough(target));
    return buffered(sinkOf(openSync(target.path, 'a')));
  });
}

/** Writes a whole file like `openFileWriter`. */
export function writeWholeFile(path: string, text: string, options: FileOptions = {}): void {
  const writer = openFileWriter(path, options);
  try {
    writer.write(text);
  } catch (error) {
    writer.discard();
    throw error;
  }
  writer.finish();
}

/**
 * Replaces a file of a folder by a rename, which follows no link; `shown` is its path in messages.
 * `isInPlace` says of the new, empty file whether it is where it must be.
 */
export function openReplacement(
  folder: string,
  name: string,
  { shown, isInPlace }: { readonly shown: string; readonly isInPlace: (file: number) => boolean },
): FileWriter {
  return guarded(shown, () => {
    const { part, file } = createPart(folder, name, 0o666);
    const end = (act: () => void): void => endPart(part, file, act);
    const writer = buffered({
      file,
      finish: () => end(() => renameSync(part, join(folder, name))),
      discard: () => end(() => {}),
    });
    if (isInPlace(file)) return writer;
    writer.discard();
    throw Object.assign(new Error(`${shown} is behind a link`), { code: 'ELOOP' });
  });
}

/** An open, unbuffered file. */
interface Sink {
  readonly file: number;
  readonly finish: () => void;
  readonly discard: () => void;
}

function openSink(target: WriteTarget, { mode = 0o666 }: FileOptions): Sink {
  if (target.kind !== 'file') return openThrough(target);
  mkdirSync(dirname(target.path), { recursive: true });
  return startReplacement(target, mode);
}

/** Never truncates: the file may be the output of another process. */
const throughFlags = constants.O_WRONLY | constants.O_APPEND;

function openThrough(target: Exclude<WriteTarget, { readonly kind: 'file' }>): Sink {
  if (target.kind === 'device') {
    return sinkOf(target.isFifo ? openFifo(target.path) : openSync(target.path, throughFlags));
  }
  fstatSync(target.descriptor);
  return { file: target.descriptor, finish: () => {}, discard: () => {} };
}

function sinkOf(file: number): Sink {
  return { file, finish: () => closeSync(file), discard: () => closeSync(file) };
}

/** Shorter texts are buffered. */
const bufferLength = 64 * 1024;

function buffered({ file, finish, discard }: Sink): FileWriter {
  let waiting = '';
  let isOpen = true;
  const flush = (): void => {
    writeAll(file, Buffer.from(waiting, 'utf8'));
    waiting = '';
  };
  const close = (): void => {
    if (isOpen) discard();
    isOpen = false;
  };
  return {
    write: (text) => {
      waiting += text;
      if (waiting.length >= bufferLength) flush();
    },
    finish: () => {
      try {
        flush();
      } catch (error) {
        close();
        throw error;
      }
      isOpen = false;
      finish();
    },
    discard: close,
  };
}

/** Wraps a writer: its errors name the path that the user gave. */
function guarded(path: string, open: () => FileWriter): FileWriter {
  const attempt = <Result>(act: () => Result): Result => {
    try {
      return act();
    } catch (cause) {
      throw codeOf(cause) === undefined ? cause : cannotWrite(path, cause);
    }
  };
  const { write, finish, discard } = attempt(open);
  return {
    write: (text) => attempt(() => write(text)),
    finish: () => attempt(finish),
    discard: () => attempt(discard),
  };
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free some space, or name a file on another disk.',
  EDQUOT: 'The disk quota is used up. Free some space, or name a file on another disk.',
  EFBIG: 'The file would exceed the size limit of the process or the file system.',
  EISDIR: 'It is a directory. Name a file in it.',
  EACCES: 'Change the permissions of the file or its folder, or name another file.',
  EPERM: 'Change the permissions of the file or its folder, or name another file.',
  EROFS: 'The file system is read-only. Name another file.',
  ENXIO: 'No process reads from it. Start the reader first.',
  EPIPE: 'The process that read from it has ended.',
  ELOOP: 'A symbolic link is in the way. Remove it, or name another file or folder.',
  EBADF: 'No open descriptor that can be written to has this number.',
};

function cannotWrite(path: string, cause: unknown): VouchError {
  const code = codeOf(cause) ?? '';
  const hint = hints[code] ?? 'Name a file in a folder that can be written to.';
  return usage(`${path} cannot be written: ${code}.`, { cause, hint });
}

type FileTarget = Extract<WriteTarget, { readonly kind: 'file' }>;

/** The open temporary files of this process. */
const unfinished = new Set<string>();

/** Removes the temporary files of open writers, for an early exit of the process. */
export function removeUnfinishedFiles(): void {
  for (const part of unfinished) rmSync(part, { force: true });
  unfinished.clear();
}

/**
 * Starts the replacement of a file. Renames the new file if it can have the owner and mode of the
 * old one and the old one has no other hard link; otherwise copies the content into the old file.
 */
function startReplacement(target: FileTarget, mode: number): Sink {
  const { path, existing } = target;
  // A rename needs no write permission on the file, but its owner expects a check.
  if (existing !== undefined) accessSync(path, constants.W_OK);
  const { part, file, isBeside } = openPart(target, existing === undefined ? mode : 0o600);
  const canRename = isBeside && (existing === undefined || takeOver(file, existing));
  const end = (act: () => void): void => endPart(part, file, act);
  return {
    file,
    finish: () => end(() => (canRename ? putInPlace(part, file, target) : copyOver(file, path))),
    discard: () => end(() => {}),
  };
}

function endPart(part: string, file: number, act: () => void): void {
  try {
    act();
  } finally {
    closeSync(file);
    rmSync(part, { force: true });
    unfinished.delete(part);
  }
}

interface Part {
  readonly part: string;
  readonly file: number;
  readonly isBeside: boolean;
}

/** Creates the temporary file beside its target, or elsewhere if only the target is writable. */
function openPart({ path, existing }: FileTarget, mode: number): Part {
  try {
    return { ...createPart(dirname(path), path, mode), isBeside: true };
  } catch (error) {
    const isLocked = ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '');
    if (!isLocked || existing === undefined) throw error;
    return { ...createPart(tmpdir(), path, 0o600), isBeside: false };
  }
}

/** File names have at most 255 bytes, so only the start of a long name is kept. */
const keptOfName = 50;

function createPart(folder: string, path: string, mode: number): Omit<Part, 'isBeside'> {
  const name = [...basename(path)].slice(0, keptOfName).join('');
  const part = join(folder, `${name}.${randomBytes(4).toString('hex')}.part`);
  const file = openSync(part, 'wx+', mode);
  unfinished.add(part);
  return { part, file };
}

/** Gives the new file the owner and mode of the old one; returns false if that is not possible. */
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

function putInPlace(part: string, file: number, { path, existing }: FileTarget): void {
  try {
    renameSync(part, path);
  } catch (error) {
    // A bind-mounted file, as in containers, cannot be replaced.
    if (codeOf(error) !== 'EBUSY' || existing === undefined) throw error;
    copyOver(file, path);
  }
}
