import { Console } from 'node:console';
import { getEventListeners } from 'node:events';
import { existsSync, fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isatty } from 'node:tty';
import {
  openFileAppender,
  openFileWriter,
  removeUnfinishedFiles,
  writeWholeFile,
} from '../files/file-writer.ts';
import { type Io, type Keyboard, programName } from './io.ts';
import { main } from './main.ts';

const stopping = new AbortController();
const secondSignal = new AbortController();
const finalOutputMs = 2_000;
/** How long an orderly stop after SIGTERM may take. */
const patienceMs = 7_000;
/** A signal to a whole process group comes twice where a program in it passes it on. */
const sameSignalMs = 500;
let stoppedAt = 0;
let hasAnswered = false;
/** Whether stdout carries a protocol. */
let isProtocol = false;
// The first signal requests an orderly stop. The second one stops the process, after a short time
// for final output.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => stop(name));
}
function stop(name: string): void {
  // The command has ended; open handles are discarded.
  if (hasAnswered) process.exit();
  if (!stopping.signal.aborted) {
    stoppedAt = performance.now();
    // What sends SIGTERM usually kills the process some ten seconds later.
    if (name === 'SIGTERM') setTimeout(hurry, patienceMs, name).unref();
    return stopping.abort(name);
  }
  if (performance.now() - stoppedAt >= sameSignalMs) hurry(name);
}

/** Ends the orderly stop. */
function hurry(name: string): void {
  if (secondSignal.signal.aborted || getEventListeners(secondSignal.signal, 'abort').length === 0)
    process.exit(130);
  setTimeout(() => process.exit(130), finalOutputMs).unref();
  secondSignal.abort(name);
}
// Removes temporary files when the process exits in the middle of a report.
process.on('exit', removeUnfinishedFiles);
// A closed pipe (`vouch check … | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && isProtocol) return stopping.abort('EPIPE');
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

const io: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  program: programName({
    env: process.env,
    script: process.argv[1],
    folder: process.cwd(),
    isFile: existsSync,
  }),
  env: process.env,
  clock: () => new Date(),
  isTTY: { out: process.stdout.isTTY, err: process.stderr.isTTY },
  sharesOutput: shareOutput(),
  width: process.stdout.columns ?? process.stderr.columns ?? 80,
  signal: stopping.signal,
  hurry: secondSignal.signal,
  keyboard: process.stderr.isTTY && isatty(0) ? await openOwnKeyboard() : undefined,
  openStdio: () => {
    isProtocol = true;
    // Packages that print to the console must not disturb the protocol.
    globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
    return { input: process.stdin, output: process.stdout };
  },
  catchStray(goesOn) {
    const take = (error: unknown): void => {
      if (goesOn(error)) return;
      console.error(error);
      process.exit(1);
    };
    process.on('uncaughtException', take);
    process.on('unhandledRejection', take);
  },
  openUrl: async (url) => (await import('./open-in-browser.ts')).openInBrowser(url, process.env),
  readFile: (path) => readFile(path),
  writeFile: async (path, text) => writeWholeFile(path, text),
  openFile: openFileWriter,
  appendFile: openFileAppender,
};

/** Windows numbers no pipes: two of them count as different. */
function shareOutput(): boolean {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)];
    return out.ino !== 0 && out.ino === err.ino && out.dev === err.dev;
  } catch {
    return false;
  }
}

/** Loaded on demand: most commands need no keyboard. */
async function openOwnKeyboard(): Promise<Keyboard | undefined> {
  const { openKeyboard } = await import('./keyboard.ts');
  return openKeyboard({
    input: process.stdin,
    env: process.env,
    interrupt: () => stop('SIGINT'),
    whenContinued: (callback) => {
      process.on('SIGCONT', callback);
      return () => process.off('SIGCONT', callback);
    },
  });
}

process.exitCode = await main(process.argv.slice(2), io);
hasAnswered = true;
