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

/** What a path that is to be written names, after all symbolic links have been followed. */
export type WriteTarget =
  | { readonly kind: 'file'; readonly path: string; readonly existing?: Stats }
  | { readonly kind: 'descriptor'; readonly descriptor: number }
  | { readonly kind: 'device'; readonly path: string; readonly isFifo: boolean };

/**
 * Finds what a path names. A file (existing or new) can be replaced by a rename; a descriptor of
 * this process (`/dev/stdout`, `/dev/fd/3`), a device, a FIFO and the like can only be written to.
 * Throws what the file system says, `EISDIR` for a directory included.
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

/** Whether a path names a regular file, or nothing yet: what can be read before it is written. */
export function isPlainFile(path: string): boolean {
  try {
    return findWriteTarget(path).kind === 'file';
  } catch {
    return false;
  }
}

/** An error of the shape that Node gives those of the system. */
function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

/** Linux itself follows at most 40. */
const maxLinks = 40;

/** The path behind all symbolic links, which may not exist; a number for an own descriptor. */
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

/** A folder that does not exist yet is made later, under the name that it was given. */
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
    // EINVAL: it is no link. UNKNOWN: the same on Windows.
    if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** The links in these folders of Linux lead to open files, which may have no path at all. */
const processDescriptor = /^\/proc\/(\d+)(?:\/task\/\d+)?\/fd\/(\d+)$/;

function ownDescriptor(path: string): number | undefined {
  const named = /^\/dev\/fd\/(\d+)$/.exec(path)?.[1];
  if (named !== undefined) return Number(named);
  const [, owner, descriptor] = processDescriptor.exec(path) ?? [];
  return owner !== undefined && owner === ownProcess() ? Number(descriptor) : undefined;
}

/** The number of this process as /proc knows it. */
function ownProcess(): string {
  return basename(realFolder('/proc/self'));
}

const pauseMs = 5;
const readerWaitMs = 10_000;

/** Writes all bytes: a write may take a part of them, and a full pipe takes none for now. */
export function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  for (let at = 0; at < bytes.length;) {
    const where = position === undefined ? null : position + at;
    const taken = whenReady(() => writeSync(file, bytes, at, bytes.length - at, where));
    if (taken === undefined) pause();
    else at += taken;
  }
}

/** Undefined where the system has no room at the moment. */
function whenReady(write: () => number): number | undefined {
  try {
    return write();
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

/**
 * Opens a FIFO. An open that blocks would make the process deaf to signals, so the wait for a
 * reader is a bounded one. Throws `ENXIO` where no process reads the FIFO by then.
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
 * Copies the file `from` over the existing file `path`, which keeps its owner, mode and links. What
 * needs new room on the disk is written first: where there is none, the old content is still whole.
 */
export function copyOver(from: number, path: string): void {
  const to = openSync(path, 'r+');
  try {
    const [size, before] = [fstatSync(from).size, fstatSync(to).size];
    try {
      copyRange({ from, to, start: before, end: size });
    } catch (error) {
      ftruncateSync(to, before);
      throw error;
    }
    copyRange({ from, to, start: 0, end: Math.min(size, before) });
    ftruncateSync(to, size);
  } finally {
    closeSync(to);
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

function copyRange({ from, to, start, end }: Range): void {
  const bytes = new Uint8Array(chunk);
  for (let at = start; at < end;) {
    const read = readSync(from, bytes, 0, Math.min(chunk, end - at), at);
    if (read === 0) return;
    writeAll(to, bytes.subarray(0, read), at);
    at += read;
  }
}
