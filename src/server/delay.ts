const longestTimer = 2 ** 31 - 1;

/**
 * Waits so many milliseconds, or until the signal; true where the time has passed. The timer alone
 * keeps no process alive. Anything that is no positive number is no wait.
 */
export function delay(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  if (!(milliseconds > 0)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const pass = (): void => {
      signal.removeEventListener('abort', stop);
      resolve(true);
    };
    const timer = setTimeout(pass, Math.min(milliseconds, longestTimer)).unref();
    signal.addEventListener('abort', stop, { once: true });
  });
}
