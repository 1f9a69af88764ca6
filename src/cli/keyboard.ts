import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { isContinuousIntegration, type Keyboard } from './io.ts';

/** The parts of a terminal input stream that a keyboard uses. */
export interface KeyInput {
  setRawMode(raw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', take: (text: string) => void): unknown;
  on(event: 'error', take: (error: Error) => void): unknown;
  off(event: 'data', take: (text: string) => void): unknown;
  off(event: 'error', take: (error: Error) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/**
 * The dependencies of a keyboard. In raw mode a terminal sends no signals: Ctrl-C and Ctrl-Z arrive
 * as keys.
 */
export interface KeyboardParts {
  readonly input: KeyInput;
  /** Ctrl-C. */
  interrupt(): void;
  /** Ctrl-Z: stops the process until its shell resumes it. */
  suspend(): void;
  /** Calls back when the process resumes; returns a function that removes the callback. */
  whenContinued(callback: () => void): () => void;
  /**
   * Whether the process is in the foreground. A background process that accesses the terminal is
   * stopped by it.
   */
  isForeground(): boolean;
}

/** Reads a terminal key by key. A background process waits until it is in the foreground. */
export function makeKeyboard(parts: KeyboardParts): Keyboard {
  return {
    listen: (onKey) => {
      const reader = makeReader(parts, onKey);
      reader.take();
      const forget = parts.whenContinued(() => {
        if (!parts.isForeground()) return;
        // The shell may have changed the terminal settings.
        reader.release();
        reader.take();
      });
      return () => {
        forget();
        reader.release();
      };
    },
  };
}

function makeReader(
  parts: KeyboardParts,
  onKey: (key: string) => void,
): { take(): void; release(): void } {
  const { input } = parts;
  let taken = false;
  const read = (text: string): void => {
    for (const key of keysOf(text)) press(key);
  };
  const press = (key: string): void => {
    if (!taken) return;
    if (key === 'ctrl-c') return parts.interrupt();
    if (key !== 'ctrl-z') return onKey(key);
    release();
    parts.suspend();
  };
  const release = (): void => {
    if (!taken) return;
    taken = false;
    input.off('data', read);
    input.off('error', release);
    input.setRawMode(false);
    input.pause();
  };
  const take = (): void => {
    if (taken || !parts.isForeground()) return;
    taken = true;
    input.setRawMode(true);
    input.setEncoding('utf8');
    input.on('data', read);
    input.on('error', release);
    input.resume();
  };
  return { take, release };
}

const named: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u001b': 'escape',
  '\u0003': 'ctrl-c',
  '\u001a': 'ctrl-z',
  '\u007f': 'backspace',
  '\b': 'backspace',
};
/**
 * Escape sequences of arrows, function keys and the like: ECMA-48, section 5.4, and sequences after
 * ESC O.
 */
const sequence = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.)/g;

/** The keys in a chunk of input; unknown sequences are ignored. */
export function keysOf(text: string): string[] {
  return [...text.replaceAll(sequence, '')].flatMap(
    (character) => named[character] ?? (character >= ' ' ? [character] : []),
  );
}

/**
 * Whether this process is in the foreground of its terminal. `vouch mock &` is not, and would be
 * stopped if it accessed the terminal.
 */
function isForeground(platform: string = process.platform): boolean {
  if (platform === 'win32') return true;
  try {
    return platform === 'linux'
      ? isForegroundOf(readFileSync('/proc/self/stat', 'utf8'))
      : readPs();
  } catch {
    return false;
  }
}

/**
 * proc(5): after the name, which may contain any character, the third field is the process group
 * and the sixth that of the terminal.
 */
export function isForegroundOf(stat: string): boolean {
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group !== undefined && group === foreground;
}

/**
 * POSIX does not define the letters of `stat`; macOS and the BSDs also use `+` for the foreground.
 */
function readPs(): boolean {
  return process
    .getBuiltinModule('node:child_process')
    .execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], {
      encoding: 'utf8',
      timeout: 2_000,
    })
    .includes('+');
}

/** The parts of `process` that a keyboard uses. */
export interface ProcessWorld {
  readonly input: ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  interrupt(): void;
  whenContinued(callback: () => void): () => void;
}

/** The keyboard of a process; undefined if its input is not a terminal, or in CI. */
export function openKeyboard({
  input,
  env,
  interrupt,
  whenContinued,
}: ProcessWorld): Keyboard | undefined {
  if (!input.isTTY || isContinuousIntegration(env)) return undefined;
  // Sends the signal of Ctrl-Z to the whole job, including npm and npx, as a terminal does.
  const suspend = (): void => {
    if (process.platform !== 'win32') process.kill(0, 'SIGTSTP');
  };
  return makeKeyboard({ input, interrupt, whenContinued, suspend, isForeground });
}
