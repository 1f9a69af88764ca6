import * as modules from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromChild, PrismProgram, ToChild } from './child-messages.ts';
import { type PrismResponder, loadPrism } from './load-prism.ts';

let answer: PrismResponder | undefined;

// Prism is some thousand modules: what is compiled of them is kept for the next start.
modules.enableCompileCache();
watchParent();
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of the terminal; the parent decides when this one ends.
process.on('SIGINT', () => undefined);
// Only child.ts writes to this channel, and it writes ToChild.
process.on('message', (message) => void receive(message as ToChild));

async function receive(message: ToChild): Promise<void> {
  if (message.type === 'load') await load(message.program);
  else if (answer !== undefined)
    send({ type: 'answered', id: message.id, response: await answer(message.request) });
}

async function load(program: PrismProgram): Promise<void> {
  try {
    answer = await loadPrism(program);
    // Kept now: a child that is killed has no end at which Node would.
    modules.flushCompileCache();
    send({ type: 'loaded' });
    setInterval(() => send({ type: 'beat' }), program.beatMillis);
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    process.disconnect();
  }
}

function send(message: FromChild): void {
  process.send?.(message);
}

/**
 * Kills this process within a second of the death of its parent, from a second thread: a frozen
 * main thread would not notice it, and would use a processor for ever. The thread runs the file
 * beside this one: TypeScript in the source, JavaScript in the package.
 */
function watchParent(): void {
  const program = new URL(`./watch-parent${extname(import.meta.url)}`, import.meta.url);
  new Worker(program, { workerData: process.ppid }).unref();
}
