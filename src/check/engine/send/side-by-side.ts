/** How tasks run in parallel. */
interface SideBySide<Task> {
  /** The most tasks at a time. */
  readonly concurrency: number;
  work(task: Task): Promise<void>;
  /** Called once if a task throws. */
  abandon(): void;
}

/**
 * Runs a limited number of tasks in parallel, started in order. If one throws, no more are started
 * and `abandon` is called, so that the others can end early; the error is thrown when all have
 * ended.
 */
export async function sideBySide<Task>(
  tasks: Iterable<Task>,
  { concurrency, work, abandon }: SideBySide<Task>,
): Promise<void> {
  const waiting = tasks[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  const lane = async (): Promise<void> => {
    while (failure === undefined) {
      try {
        const next = waiting.next();
        if (next.done === true) return;
        await work(next.value);
      } catch (error) {
        if (failure === undefined) abandon();
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  if (failure !== undefined) throw failure.error;
}
