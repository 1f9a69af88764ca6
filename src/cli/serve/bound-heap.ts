import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setEngineFlag } from './engine-flag.ts';

const mebibyte = 1024 * 1024;
/**
 * A start has the young generation grow beyond this, to 32 MiB in its two halves; more makes no
 * request faster.
 */
const enough = 8 * mebibyte;
/**
 * The same where the heap is to be small: a megabyte, with which a start begins, has it collected
 * six times as often.
 */
const enoughWhereSmall = 6 * mebibyte;
/**
 * By how many hundredths the old generation may grow until it is collected again. V8's own answer
 * is up to four times.
 */
const growth = 30;
/**
 * A heap of so much holds what somebody put there: to look through it so often would cost more than
 * it gives back.
 */
const large = 128 * mebibyte;

/**
 * Does work in a process of its own whose heap, after so many milliseconds, stays near to what is
 * alive in it: the young generation grows no more once it has 32 MiB, of which V8 would make 128
 * MiB under load, and the old one is collected early as long as it is small. Until then V8 has its
 * way: a start loads much, collects little, and finds the code that it compiled the last time. V8's
 * flags for sizes are read before any program is; these are read with every collection.
 */
export async function withBoundHeap<Result>(
  work: () => Promise<Result>,
  freeMs: number,
): Promise<Result> {
  let watched: PerformanceObserver | undefined;
  const timer = setTimeout(() => (watched = bindHeap()), freeMs).unref();
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    watched?.disconnect();
    leaveHeap();
  }
}

/** Whether the heap is to be small rather than fast. */
let small = false;

/** Leaves the heap to V8 again. */
function leaveHeap(): void {
  setGrowth(0);
  freeYoung();
  forgetShapes();
  if (small) {
    setEngineFlag('memory-saver-mode', false);
    setEngineFlag('turbofan', true);
  }
  small = false;
}

/** Answers what watches the heap from now on. */
function bindHeap(): PerformanceObserver {
  let percent = setGrowth(growth);
  // Whoever asked for a small heap before may have kept the young generation from growing.
  let bound: boolean | undefined;
  const adapt = (): void => {
    const wanted = getHeapStatistics().used_heap_size > large ? 0 : growth;
    if (wanted !== percent) percent = setGrowth(wanted);
    // It grows by one collection at a time, and V8 takes it back to its first megabyte where a
    // process is idle for some seconds.
    const isGrown = youngBytes() >= (small ? enoughWhereSmall : enough);
    if (isGrown === bound) return;
    bound = isGrown;
    if (bound) keepYoungSmall();
    else freeYoung();
  };
  const observer = new PerformanceObserver(adapt);
  observer.observe({ entryTypes: ['gc'] });
  adapt();
  keepShapes();
  collectOnce();
  return observer;
}

/**
 * Within `withBoundHeap`, the young generation grows to a few megabytes only, and every collection
 * of the whole heap gives back what it can: for work that makes much in one piece, and would rather
 * be small than a tenth faster. Code that is loaded after this is compiled anew, for V8 takes what
 * was kept only under the flags that it was kept under. The last of V8's compilers stays out: it
 * takes ten megabytes, and more time of another core, which the target may need, than work of some
 * seconds gets back.
 */
export function keepHeapSmall(): void {
  small = setEngineFlag('memory-saver-mode', true);
  if (small) setEngineFlag('turbofan', false);
  // What is made in one piece leaves no turn in which somebody could see the young generation grow.
  if (small && youngBytes() >= enoughWhereSmall) keepYoungSmall();
}

function keepYoungSmall(): void {
  setEngineFlag('semi-space-growth-factor', 1);
}

function freeYoung(): void {
  setEngineFlag('semi-space-growth-factor', 2);
}

/**
 * After some idle seconds V8 collects for memory's sake: the shapes of objects that no request
 * holds just then go, and with them the optimised code that was made for them. Requests after such
 * a pause took twice the time, for good. It may collect then, but not for memory's sake, and shapes
 * outlive more collections. (To forbid it those collections, `--memory-reducer-gc-count=0`, aborts
 * a process that has begun one.)
 */
function keepShapes(): void {
  setEngineFlag('memory-reducer-favors-memory', false);
  setEngineFlag('retain-maps-for-n-gc', 8);
}

function forgetShapes(): void {
  setEngineFlag('memory-reducer-favors-memory', true);
  setEngineFlag('retain-maps-for-n-gc', 2);
}

/**
 * Every collection decides when the next one comes: the last one knew nothing of the bound, and put
 * it far off.
 */
function collectOnce(): void {
  if (!setEngineFlag('expose-gc', true)) return;
  // The flag gives contexts that are made after it the function; ours was made before.
  const collect = runInNewContext('gc') as () => void;
  setEngineFlag('expose-gc', false);
  collect();
}

/** 0 leaves it to V8. */
function setGrowth(percent: number): number {
  setEngineFlag('heap-growing-percent', percent);
  return percent;
}

function youngBytes(): number {
  return (
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
  );
}
