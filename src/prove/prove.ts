import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { usage, type VouchError } from '../errors.ts';
import { defined } from '../json/value.ts';
import type { ContractChoice } from '../library/choose-contract.ts';
import type { WorkerStart } from './proof-worker.ts';
import type { ProofEvent, Task, TaskResult } from './proof.ts';
import { listTasks, loadServed, runSound, runTask, summariseProof } from './proof.ts';
import type { ProofSettings } from './run-mutation.ts';

export interface ProofOptions {
  readonly choice: ContractChoice;
  readonly settings: ProofSettings;
  /**
   * The number of parallel tasks. Default: the number of cores. One works in the thread of the
   * caller; more have a thread each.
   */
  readonly workers?: number;
  readonly signal?: AbortSignal;
  /** Only these mutators and variants, by id. */
  readonly kinds?: readonly string[];
}

/**
 * Plants every possible mutation into a conforming service, one at a time, and reports which of
 * them a check with these settings detects; then runs the same check on every conforming variant.
 * Uses no network.
 */
export async function* prove({
  choice,
  settings,
  workers: expected,
  signal,
  kinds,
}: ProofOptions): AsyncGenerator<ProofEvent, void> {
  const began = performance.now();
  const served = await loadServed(choice);
  const tasks = await listTasks(served.contract, kinds, signal);
  const here: ProofSettings = { ...settings, ...defined({ signal }) };
  const sound = await runSound(served, here);
  if (signal?.aborted === true) throw interrupted();
  const workers = Math.max(1, Math.min(expected ?? availableParallelism(), tasks.length));
  const mutations = tasks.filter(({ kind }) => kind === 'mutation').length;
  const { title, file } = served.contract;
  yield {
    type: 'proof-started',
    contract: { title, file },
    mutations,
    variants: tasks.length - mutations,
    requests: sound.requests,
    workers,
  };
  const results: (TaskResult | undefined)[] = [];
  const done =
    workers === 1
      ? workHere(tasks, { served, settings: here, sound })
      : workOff(tasks.length, { choice, settings, kinds, sound }, workers, signal);
  for await (const { index, result } of done) {
    results[index] = result;
    yield { type: 'task-done', ...result };
  }
  yield {
    type: 'proof-finished',
    summary: summariseProof(
      results.filter((result) => result !== undefined),
      performance.now() - began,
    ),
  };
}

function interrupted(): VouchError {
  return usage('The proof was interrupted.');
}

interface Done {
  readonly index: number;
  readonly result: TaskResult;
}

/** Results in order, from this thread: another would load the program once more. */
async function* workHere(
  tasks: readonly Task[],
  run: Parameters<typeof runTask>[1],
): AsyncGenerator<Done, void> {
  for (const [index, task] of tasks.entries()) {
    const result = await runTask(task, run);
    if (run.settings.signal?.aborted === true) throw interrupted();
    yield { index, result };
  }
}

/** Results in order of completion, from several threads. */
async function* workOff(
  tasks: number,
  start: WorkerStart,
  workers: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Done, void> {
  const queue = new Queue<Done | Error>();
  const threads = Array.from(
    { length: workers },
    () =>
      new Worker(
        new URL(
          `./proof-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
          import.meta.url,
        ),
        { workerData: start },
      ),
  );
  let next = 0;
  const feed = (thread: Worker): void => thread.postMessage(next++);
  for (const thread of threads) {
    thread.on('message', (message: Done | { readonly ready: true }) => {
      if ('index' in message) queue.push(message);
      feed(thread);
    });
    thread.on('error', (error) =>
      queue.push(error instanceof Error ? error : new Error(String(error))),
    );
  }
  const stop = (): void => queue.push(interrupted());
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (let done = 0; done < tasks; done += 1) {
      const came = await queue.take();
      if (came instanceof Error) throw came;
      yield came;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

class Queue<Item> {
  readonly #items: Item[] = [];
  #waiting: ((item: Item) => void) | undefined;

  push(item: Item): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#items.push(item);
    else waiting(item);
  }

  take(): Promise<Item> {
    const item = this.#items.shift();
    return item === undefined
      ? new Promise((resolve) => (this.#waiting = resolve))
      : Promise.resolve(item);
  }
}
