/** The number of tasks at a time, which may change meanwhile. */
export interface Lanes {
  /** The most tasks at a time, at this moment. */
  readonly current: number;
  /** Calls `listener` whenever the number rises, until the returned function is called. */
  onRise(listener: () => void): () => void;
}

/** How tasks run in parallel. */
interface SideBySide<Task> {
  readonly lanes: Lanes;
  work(task: Task): Promise<void>;
  /** Called once if a task throws. */
  abandon(): void;
}

/** Always the same number of tasks at a time. */
export function fixedLanes(current: number): Lanes {
  return { current, onRise: () => () => {} };
}

/**
 * Runs a limited number of tasks in parallel, started in order. If one throws, no more are started
 * and `abandon` is called, so that the others can end early; the error is thrown when all have
 * ended.
 */
export async function sideBySide<Task>(
  tasks: Iterable<Task>,
  { lanes, work, abandon }: SideBySide<Task>,
): Promise<void> {
  const waiting = tasks[Symbol.iterator]();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let open = 0;
  let isDone = false;
  let failure: { readonly error: unknown } | undefined;
  const startNext = async (): Promise<void> => {
    try {
      const next = waiting.next();
      if (next.done === true) isDone = true;
      else await work(next.value);
    } catch (error) {
      if (failure === undefined) abandon();
      failure ??= { error };
    }
  };
  const isOver = (): boolean => isDone || failure !== undefined;
  const runLane = async (): Promise<void> => {
    while (!isOver() && open <= lanes.current) await startNext();
    open -= 1;
    if (open === 0) end();
  };
  const openLanes = (): void => {
    while (!isOver() && open < lanes.current) {
      open += 1;
      void runLane();
    }
  };
  const close = lanes.onRise(openLanes);
  openLanes();
  await ended;
  close();
  if (failure !== undefined) throw failure.error;
}
