// The worker thread of `prism-child.ts` that ends the process after the death of its parent, whose
// process id it gets as its data. A thread, because a main thread that is frozen hears no events.
import { workerData } from 'node:worker_threads';

const intervalMs = 1_000;

setInterval(() => {
  if (isOrphan(Number(workerData))) process.kill(process.pid, 'SIGKILL');
}, intervalMs);

/** Whether this process has another parent by now, or the parent does not run any more. */
function isOrphan(parent: number): boolean {
  if (process.ppid !== parent) return true;
  try {
    // Signal 0 only tests that the process exists (kill(2)).
    return !process.kill(parent, 0);
  } catch {
    return true;
  }
}
