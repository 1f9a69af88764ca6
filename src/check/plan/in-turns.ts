import { setImmediate } from 'node:timers/promises';

/** How long one turn may take before the event loop gets its turn. */
const turnMs = 40;

/** When to stop, and what each turn is done within. */
export interface Turns {
  readonly signal: AbortSignal;
  around<Result>(work: () => Result): Result;
}

/**
 * Takes the steps of long synchronous work in short turns, so that signals and timers are handled
 * in between. Answers the result, or undefined where the signal is aborted first.
 */
export async function inTurns<Result>(
  steps: Generator<void, Result>,
  { signal, around }: Turns,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    const step = around(() => oneTurn(steps));
    if (step.done === true) return step.value;
    await setImmediate();
  }
  return undefined;
}

function oneTurn<Result>(steps: Generator<void, Result>): IteratorResult<void, Result> {
  const end = performance.now() + turnMs;
  let step = steps.next();
  while (step.done !== true && performance.now() < end) step = steps.next();
  return step;
}
