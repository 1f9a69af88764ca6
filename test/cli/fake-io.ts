import { readFile } from 'node:fs/promises';
import type { Io } from '../../src/cli/io.ts';

/** An `Io` that remembers what was written to it. */
export interface FakeIo extends Io {
  readonly written: { out: string; err: string };
  readonly files: Map<string, string>;
  /** What Ctrl-C does. */
  stop(): void;
}

/** A world without a terminal, in which only the given environment is set. */
export function makeFakeIo(env: Record<string, string> = {}): FakeIo {
  const written = { out: '', err: '' };
  const files = new Map<string, string>();
  const stopping = new AbortController();
  return {
    written,
    files,
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    env,
    clock: () => new Date(),
    isTTY: { out: false, err: false },
    width: 80,
    signal: stopping.signal,
    readFile: async (path) =>
      new TextEncoder().encode(files.get(path) ?? (await readFile(path, 'utf8'))),
    writeFile: async (path, text) => {
      files.set(path, text);
    },
    openFile: (path) => {
      const parts: string[] = [];
      return {
        write: (text) => void parts.push(text),
        finish: () => void files.set(path, parts.join('')),
        discard: () => {},
      };
    },
    appendFile: (path) => {
      const parts: string[] = [];
      return {
        write: (text) => void parts.push(text),
        finish: () => void files.set(path, (files.get(path) ?? '') + parts.join('')),
        discard: () => {},
      };
    },
    stop: () => stopping.abort(),
  };
}
