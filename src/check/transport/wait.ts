import { setTimeout as sleep } from 'node:timers/promises';

/** Waits so many milliseconds. Rejects when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits by the clock of the machine. */
export const waitFor: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal });
};
