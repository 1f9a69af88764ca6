import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { isContinuousIntegration, type Keyboard } from './io.ts';

/** What a keyboard needs of a process's input that is a terminal. */
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
 * The world of one keyboard. In raw mode a terminal sends no signals: Ctrl-C and Ctrl-Z come as
 * keys.
 */
export interface KeyboardParts {
  readonly input: KeyInput;
  /** Ctrl-C. */
  interrupt(): void;
  /** Ctrl-Z: stops the process until its shell lets it go on. */
  suspend(): void;
  /** Calls back when the process goes on after it was stopped; answers how to stop that. */
  whenContinued(callback: () => void): () => void;
  /**
   * Whether the terminal listens to this process. Who is not in the foreground and touches the
   * terminal is stopped by it.
   */
  isForeground(): boolean;
}

/**
 * Reads a terminal key by key; where the process is in the background, not before it comes to the
 * foreground.
 */
export function makeKeyboard(parts: KeyboardParts): Keyboard {
  return {
    listen: (onKey) => {
      const reader = makeReader(parts, onKey);
      reader.take();
      const forget = parts.whenContinued(() => {
        if (!parts.isForeground()) return;
        // The shell may have set the terminal as it likes it.
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
 * Arrows, function keys and the like: ECMA-48, section 5.4, and what terminals send after ESC O.
 */
const sequence = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.)/g;

/** The keys that a piece of input stands for; what has no name and no character is left out. */
export function keysOf(text: string): string[] {
  return [...text.replaceAll(sequence, '')].flatMap(
    (character) => named[character] ?? (character >= ' ' ? [character] : []),
  );
}

/**
 * Whether this process is in the foreground of its terminal: `vouch mock &` is not, and would be
 * stopped for touching it.
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
 * Of proc(5): the process group is the third field after the name, which may hold anything, and
 * that of the terminal the sixth.
 */
export function isForegroundOf(stat: string): boolean {
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group !== undefined && group === foreground;
}

/**
 * POSIX leaves the letters of `stat` open; the `+` for the foreground is the same on macOS and the
 * BSDs.
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

/** What a keyboard needs of the process. */
export interface ProcessWorld {
  readonly input: ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  interrupt(): void;
  whenContinued(callback: () => void): () => void;
}

/** The keyboard of a process; none where its input is no terminal, or in CI. */
export function openKeyboard({
  input,
  env,
  interrupt,
  whenContinued,
}: ProcessWorld): Keyboard | undefined {
  if (!input.isTTY || isContinuousIntegration(env)) return undefined;
  // What the terminal would send to the whole job on Ctrl-Z: npm and npx among it.
  const suspend = (): void => {
    if (process.platform !== 'win32') process.kill(0, 'SIGTSTP');
  };
  return makeKeyboard({ input, interrupt, whenContinued, suspend, isForeground });
}
