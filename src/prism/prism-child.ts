import type { FromChild, PrismProgram, ToChild } from './child-messages.ts';
import { loadPrism, type Answer } from './load-prism.ts';
import { watchParent } from './watch-parent.ts';

let answer: Answer | undefined;

watchParent();
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of the terminal: when this one ends is for the parent to say.
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
