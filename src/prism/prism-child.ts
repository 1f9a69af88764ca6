import { Worker } from 'node:worker_threads';
import type { FromChild, PrismProgram, ToChild } from './child-messages.ts';
import { type Answer, loadPrism } from './load-prism.ts';

const watchProgram = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => { if (isOrphan()) process.kill(process.pid, 'SIGKILL'); }, 1000);

  function isOrphan() {
    if (process.ppid !== parent) return true;
    try { return !process.kill(parent, 0); } catch { return true; }
  }
`;

let answer: Answer | undefined;

watchParent();
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of the terminal; the parent decides when this one ends.
process.on('SIGINT', () => undefined);
// Only child.ts writes to this channel, and it writes ToChild.
process.on('message', (message) => void receive(message as ToChild));

async function receive(message: ToChild): Promise<void> {
  if (message.type === 'load') await load(message.program);
  else if (answer !== undefined)
    tell({ type: 'answered', id: message.id, response: await answer(message.request) });
}

async function load(program: PrismProgram): Promise<void> {
  try {
    answer = await loadPrism(program);
    tell({ type: 'loaded' });
    setInterval(() => tell({ type: 'beat' }), program.beatMillis);
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    process.disconnect();
  }
}

function tell(message: FromChild): void {
  process.send?.(message);
}

/**
 * Kills this process within a second after its parent dies. Runs in a separate thread, because a
 * frozen main thread would not notice and would use a processor forever.
 */
function watchParent(): void {
  new Worker(watchProgram, { eval: true, workerData: process.ppid }).unref();
}
