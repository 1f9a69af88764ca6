import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file that grows: what is written goes to disk at once, and the file has its name only when it is whole. */
export interface FileWriter {
  write(text: string): void;
  /** Gives the file its name; one that was there before is replaced. */
  finish(): void;
  /** Leaves nothing behind. */
  discard(): void;
}

/** Texts shorter than this are gathered before they are written. */
const buffered = 64 * 1024;

/**
 * Begins a file beside the place where it will stand; folders that are missing are made. Written synchronously, so that a
 * slow disk slows its writer down instead of filling the memory. Throws what the file system says.
 */
export function openFileWriter(path: string): FileWriter {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${String(process.pid)}.part`;
  return growing(openSync(beside, 'w'), {
    finish: () => renameSync(beside, path),
    discard: () => rmSync(beside, { force: true }),
  });
}

/** The same for a file that belongs to somebody else: what is written stands behind what was there before. */
export function openFileAppender(path: string): FileWriter {
  return growing(openSync(path, 'a'), { finish: () => {}, discard: () => {} });
}

function growing(file: number, { finish, discard }: Pick<FileWriter, 'finish' | 'discard'>): FileWriter {
  let waiting = '';
  const flush = (): void => {
    writeWhole(file, waiting);
    waiting = '';
  };
  return {
    write: (text) => {
      waiting += text;
      if (waiting.length >= buffered) flush();
    },
    finish: () => {
      flush();
      closeSync(file);
      finish();
    },
    discard: () => {
      closeSync(file);
      discard();
    },
  };
}

/** A write may take less than it was given. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
