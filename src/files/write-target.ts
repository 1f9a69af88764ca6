import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../errors.ts';

/** What a path names after all symbolic links are followed. */
export type WriteTarget =
  | { readonly kind: 'file'; readonly path: string; readonly existing?: Stats }
  | { readonly kind: 'descriptor'; readonly descriptor: number }
  | { readonly kind: 'device'; readonly path: string; readonly isFifo: boolean };

/**
 * Finds out what a path names. A file, existing or new, can be replaced by a rename; a descriptor
 * of this process (`/dev/stdout`, `/dev/fd/3`), a device or a FIFO can only be written to. Throws
 * errors of the file system, including `EISDIR` for a folder.
 */
export function findWriteTarget(path: string): WriteTarget {
  const followed = followLinks(resolve(path));
  if (typeof followed === 'number') return { kind: 'descriptor', descriptor: followed };
  const existing = statSync(followed, { throwIfNoEntry: false });
  if (existing === undefined) return { kind: 'file', path: followed };
  if (existing.isDirectory()) throw systemError('EISDIR', `${followed} is a directory`);
  const isLink = processDescriptor.test(followed);
  if (existing.isFile() && !isLink) return { kind: 'file', path: followed, existing };
  return { kind: 'device', path: followed, isFifo: existing.isFIFO() };
}

/** Whether a path names a regular file or nothing: it can be read before it is written. */
export function isPlainFile(path: string): boolean {
  try {
    return findWriteTarget(path).kind === 'file';
  } catch {
    return false;
  }
}

/** An error in the format of Node's system errors. */
function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

/** The limit of Linux is 40. */
const maxLinks = 40;

/**
 * The path after all symbolic links, which may not exist; a number for a descriptor of this
 * process.
 */
function followLinks(path: string): string | number {
  let at = path;
  for (let followed = 0; followed <= maxLinks; followed += 1) {
    at = join(realFolder(dirname(at)), basename(at));
    const descriptor = ownDescriptor(at);
    if (descriptor !== undefined) return descriptor;
    const target = processDescriptor.test(at) ? undefined : linkTarget(at);
    if (target === undefined) return at;
    at = resolve(dirname(at), target);
  }
  throw systemError('ELOOP', `too many symbolic links at ${path}`);
}

/** A missing folder is created later, under its given name. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return folder;
    throw error;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    // EINVAL: not a link; Windows reports UNKNOWN.
    if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** Links in these folders of Linux lead to open files, which may have no path. */
const processDescriptor = /^\/proc\/(\d+)(?:\/task\/\d+)?\/fd\/(\d+)$/;

function ownDescriptor(path: string): number | undefined {
  const named = /^\/dev\/fd\/(\d+)$/.exec(path)?.[1];
  if (named !== undefined) return Number(named);
  const [, owner, descriptor] = processDescriptor.exec(path) ?? [];
  return owner !== undefined && owner === ownProcess() ? Number(descriptor) : undefined;
}

/** The id of this process in /proc. */
function ownProcess(): string {
  return basename(realFolder('/proc/self'));
}

const pauseMs = 5;
const readerWaitMs = 10_000;

/** Writes all bytes. A write may accept only some of them, and a full pipe accepts none. */
export function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  for (let at = 0; at < bytes.length;) {
    const where = position === undefined ? null : position + at;
    const taken = whenReady(() => writeSync(file, bytes, at, bytes.length - at, where));
    if (taken === undefined) pause();
    else at += taken;
  }
}

/** Returns undefined if the system has no room at the moment. */
function whenReady(write: () => number): number | undefined {
  try {
    return write();
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

/**
 * Opens a FIFO. A blocking open would block signals, so it waits for a reader for a limited time.
 * Throws `ENXIO` if no process reads the FIFO by then.
 */
export function openFifo(path: string): number {
  const flags = constants.O_WRONLY | constants.O_NONBLOCK;
  for (const end = performance.now() + readerWaitMs; ; pause()) {
    try {
      return openSync(path, flags);
    } catch (error) {
      if (codeOf(error) !== 'ENXIO') throw error;
      if (performance.now() > end) throw systemError('ENXIO', `no process reads ${path}`);
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

const chunk = 64 * 1024;

/**
 * Copies the file `from` over the existing file `path`, which keeps its owner, mode and links.
 * Writes the part that needs more disk space first: if the disk is full, the old content is intact.
 */
export function copyOver(from: number, path: string): void {
  const to = openSync(path, 'r+');
  try {
    const [size, before] = [fstatSync(from).size, fstatSync(to).size];
    try {
      copyRange(from, to, before, size);
    } catch (error) {
      ftruncateSync(to, before);
      throw error;
    }
    copyRange(from, to, 0, Math.min(size, before));
    ftruncateSync(to, size);
  } finally {
    closeSync(to);
  }
}

function copyRange(from: number, to: number, start: number, end: number): void {
  const bytes = new Uint8Array(chunk);
  for (let at = start; at < end;) {
    const read = readSync(from, bytes, 0, Math.min(chunk, end - at), at);
    if (read === 0) return;
    writeAll(to, bytes.subarray(0, read), at);
    at += read;
  }
}
