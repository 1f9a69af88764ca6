import { readFileSync, statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf, VouchError } from '../../errors.ts';
import type { ReadText } from '../locate.ts';
import { parseDocument, type ParsedDocument } from './parse-document.ts';
import { refuseDevice } from './readable-folders.ts';

/** A file that was read, and a function that returns its text again. */
export interface FileText {
  /** The absolute path, symbolic links resolved. */
  readonly path: string;
  /** The content, in UTF-8. */
  readonly bytes: Buffer<ArrayBuffer>;
  /** The text for places; undefined if the file has changed since. */
  readonly text: ReadText;
  /** Whether `text` reads the file again, and does not need the bytes. */
  readonly readsAgain: boolean;
}

/** Smaller files are kept; larger ones are read again when a place in them is needed. */
const maxKeptBytes = 256 * 1024;

/** Reads a contract's file. Throws a VouchError if it cannot be read. */
export async function readFileText(file: string): Promise<FileText> {
  try {
    const stats = await refuseDevice(file);
    const bytes = await readFile(file);
    // A pipe has no path and can be read only once.
    const path = await realpath(file).catch(() => resolve(file));
    const readsAgain = stats.size > maxKeptBytes && stats.isFile();
    return {
      path,
      bytes,
      text: readsAgain ? readAgain(path, stats) : () => bytes.toString('utf8'),
      readsAgain,
    };
  } catch (cause) {
    throw cause instanceof VouchError ? cause : explain(file, cause);
  }
}

/** A document that was read from a file. */
export interface FileDocument extends Pick<FileText, 'path' | 'text'>, ParsedDocument {}

/**
 * Reads a file as YAML or JSON; `name` is the name that places show. Throws a VouchError if it
 * cannot be read.
 */
export async function readDocument(file: string, name: string): Promise<FileDocument> {
  const { path, bytes, text, readsAgain } = await readFileText(file);
  const parsed = parseDocument(bytes, name);
  // Frees many megabytes at once instead of at the next garbage collection.
  if (readsAgain) bytes.buffer.transfer(0);
  return { path, text, ...parsed };
}

/** Identifies a version of a file, to detect that it was replaced. */
interface FileStamp {
  readonly mtimeMs: number;
  readonly size: number;
}

function readAgain(path: string, stamp: FileStamp): ReadText {
  return () => {
    try {
      const now = statSync(path);
      return now.mtimeMs === stamp.mtimeMs && now.size === stamp.size
        ? readFileSync(path, 'utf8')
        : undefined;
    } catch {
      return undefined;
    }
  };
}

function explain(file: string, cause: unknown): VouchError {
  const code = codeOf(cause);
  if (code === 'ENOENT')
    return new VouchError('contract-missing', `There is no file ${file}.`, {
      cause,
      hint: 'Name an OpenAPI document, or leave it out to use the one of the current folder.',
    });
  if (code === 'EISDIR')
    return new VouchError('contract-missing', `${file} is a folder, not an OpenAPI document.`, {
      cause,
      hint: 'Name the document in it.',
    });
  return new VouchError(
    'contract-unreadable',
    `${file} cannot be read: ${code ?? String(cause)}.`,
    { cause, hint: 'Check that you may read it.' },
  );
}
