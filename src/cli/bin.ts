import { writeFile } from 'node:fs/promises';
import type { Io } from './io.ts';
import { main } from './main.ts';

const stopping = new AbortController();
// The first signal asks for an orderly end, the second one takes it.
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort(name);
  });
}
// A reader that has had enough (`vouch check … | head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

const io: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  env: process.env,
  clock: () => new Date(),
  isTTY: { out: process.stdout.isTTY, err: process.stderr.isTTY },
  width: process.stdout.columns ?? process.stderr.columns ?? 80,
  signal: stopping.signal,
  writeFile: (path, text) => writeFile(path, text),
};

process.exitCode = await main(process.argv.slice(2), io);
