import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import {
  startPrism,
  type PrismEvent,
  type PrismOptions,
  type PrismProcess,
} from '../../src/prism/start-prism.ts';
import { library } from './contracts.ts';

export const credential = { authorization: 'Bearer x' };

type EventType = PrismEvent['type'];
type EventOf<Type extends EventType> = Extract<PrismEvent, { readonly type: Type }>;

export interface Running {
  readonly prism: PrismProcess;
  /** The first event of a type that nobody was given yet. */
  next<Type extends EventType>(type: Type): Promise<EventOf<Type>>;
}

/** Starts Prism on the library contract and closes it when the test is over. */
export async function run(options: Partial<PrismOptions> = {}): Promise<Running> {
  const running = await start(options);
  onTestFinished(() => running.prism.close());
  return running;
}

/** Starts Prism on the library contract, for who closes it. */
export async function start(options: Partial<PrismOptions> = {}): Promise<Running> {
  const stream = new EventTarget();
  const unread: PrismEvent[] = [];
  const prism = await startPrism({
    document: library,
    port: 0,
    ...options,
    onEvent: (event) => {
      unread.push(event);
      stream.dispatchEvent(new Event('event'));
    },
  });
  return { prism, next: (type) => takeNext(unread, stream, type) };
}

async function takeNext<Type extends EventType>(
  unread: PrismEvent[],
  stream: EventTarget,
  type: Type,
): Promise<EventOf<Type>> {
  for (;;) {
    const index = unread.findIndex((event) => event.type === type);
    // The index was found by this very type.
    if (index !== -1) return unread.splice(index, 1)[0] as EventOf<Type>;
    await new Promise((resolve) => stream.addEventListener('event', resolve, { once: true }));
  }
}

/** Whether a process runs; one that has ended and was not yet collected by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return (
    process.platform !== 'linux' ||
    !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  );
}
