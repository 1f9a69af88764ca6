import { readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
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
export function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

/** Linux itself follows at most 40. */
const mostLinks = 40;

/** The path behind all symbolic links, which may not exist; a number for an own descriptor. */
function followLinks(path: string): string | number {
  let at = path;
  for (let followed = 0; followed <= mostLinks; followed += 1) {
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
