import { startPrism } from '../../src/prism/start-prism.ts';
import { library } from './contracts.ts';

// A program of its own: starts Prism, tells its parent the child's id, and waits for its end. A
// child that freezes is left frozen.
let pid = 0;
const { url } = await startPrism({
  document: library,
  port: 0,
  limits: { missedBeats: 1_000, answerMillis: 1_000 },
  onEvent: (event) => {
    if (event.type === 'started') pid = event.pid;
  },
});
process.send?.({ pid, url });
