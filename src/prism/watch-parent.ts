import { Worker } from 'node:worker_threads';

const program = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => { if (isOrphan()) process.kill(process.pid, 'SIGKILL'); }, 1000);

  function isOrphan() {
    if (process.ppid !== parent) return true;
    try { return !process.kill(parent, 0); } catch { return true; }
  }
`;

/**
 * Kills this process within a second of its parent's death, from a thread of its own: a main thread
 * that is frozen would not hear that the parent is gone, and would keep a processor busy for ever.
 */
export function watchParent(): void {
  new Worker(program, { eval: true, workerData: process.ppid }).unref();
}
