import { readFileSync, statSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf, VouchError } from '../../errors.ts';
import { parseFaultyYaml, parseYaml, parseYamlBytes, syntaxHint } from '../../json/parse-yaml.ts';
import type { TextRepair } from '../../json/repair-yaml.ts';
import type { JsonValue } from '../../json/value.ts';
import { codeFrame, type ReadText } from '../locate.ts';

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
    const stats = await stat(file);
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
    throw explain(file, cause);
  }
}

/** The value of a document, and what was repaired in order to read it. */
export interface ParsedDocument {
  readonly value: JsonValue;
  readonly repaired?: RepairedSyntax;
}

/** What was wrong in a text, and the text as it was read, with the same lines. */
export interface RepairedSyntax {
  readonly repairs: readonly TextRepair[];
  readonly text: string;
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

/**
 * Parses a document (YAML or JSON; bytes are UTF-8). Repairs YAML errors that many parsers accept.
 * Throws a VouchError with the place of a syntax error, or with the encoding that the document has
 * instead.
 */
export function parseDocument(source: string | Uint8Array, file: string): ParsedDocument {
  refuseOtherEncodings(source, file);
  const reading = typeof source === 'string' ? parseYaml(source) : parseYamlBytes(source);
  if (reading.ok) return reading;
  const text = typeof source === 'string' ? source : Buffer.from(source).toString('utf8');
  const repaired = parseFaultyYaml(text);
  if (repaired !== undefined) return { value: repaired.value, repaired };
  const { message, line, column } = reading.problem;
  throw new VouchError(
    'contract-unreadable',
    `${file} is not readable as YAML or JSON: ${message}`,
    {
      place: { file, line, column },
      frame: codeFrame(text, { line, column }),
      hint: syntaxHint,
    },
  );
}

/**
 * The first character of a document is ASCII or a byte order mark: the zeros around it show the
 * encoding (YAML 1.2.2, section 5.2).
 */
function refuseOtherEncodings(source: string | Uint8Array, file: string): void {
  const encoding = typeof source === 'string' ? undefined : otherEncoding(source);
  if (encoding === undefined) return;
  throw new VouchError(
    'contract-unreadable',
    `${file} is encoded in ${encoding}, but must be UTF-8.`,
    {
      hint: `Save it as UTF-8: iconv -f ${encoding} -t UTF-8 ${file} > utf-8.yaml`,
    },
  );
}

function otherEncoding(bytes: Uint8Array): 'UTF-16' | 'UTF-32' | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second, third, fourth] = bytes;
  if (first === 0 && second === 0) return 'UTF-32';
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  if (isLittleEndian) return third === 0 && fourth === 0 ? 'UTF-32' : 'UTF-16';
  return first === 0 || (first === 0xfe && second === 0xff) ? 'UTF-16' : undefined;
}
