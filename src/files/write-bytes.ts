import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { codeOf } from '../errors.ts';
import { systemError } from './write-target.ts';

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
