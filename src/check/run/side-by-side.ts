/**
 * Does tasks side by side, so many at a time, begun in order. Where one throws, no more are begun,
 * and `abandon` is called, so that what is under way can be cut short; its error is told when all
 * of that has ended.
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

/** How tasks are done side by side. */
export interface SideBySide<Task> {
  /** How many are under way at a time, at most. */
  readonly concurrency: number;
  work(task: Task): Promise<void>;
  /** Called once, where one throws. */
  abandon(): void;
}
