import type { Wait } from './wait.ts';

/** Keeps requests apart, and all of them back while the server asks for it. */
export interface Pace {
  /** Resolves when the next request may leave; undefined where it may leave at once. */
  turn(signal: AbortSignal): Promise<void> | undefined;
  /** No request leaves for so many milliseconds. */
  pause(ms: number): void;
}

/** A pace of so many requests a second, or of as many as come. `now` is in milliseconds. */
export function makePace(rate: number | undefined, wait: Wait, now: () => number): Pace {
  const gap = rate === undefined ? 0 : 1000 / rate;
  let next = 0;
  let heldUntil = 0;
  const waitUntil = async (due: number, signal: AbortSignal): Promise<void> => {
    if (due > now()) await wait(due - now(), signal);
  };
  const waitFor = async (due: number, signal: AbortSignal): Promise<void> => {
    await waitUntil(due, signal);
    await waitUntil(heldUntil, signal);
  };
  return {
    turn(signal) {
      signal.throwIfAborted();
      if (gap === 0 && heldUntil === 0) return undefined;
      const present = now();
      const due = Math.max(next, present);
      next = due + gap;
      return due > present || heldUntil > present ? waitFor(due, signal) : undefined;
    },
    pause(ms) {
      heldUntil = Math.max(heldUntil, now() + ms);
    },
  };
}
