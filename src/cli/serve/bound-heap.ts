import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';

const mebibyte = 1024 * 1024;
/** A start has the young generation grow beyond this, to 32 MiB in its two halves; more makes no request faster. */
const enough = 8 * mebibyte;
/** By how many hundredths the old generation may grow until it is collected again. V8's own answer is up to four times. */
const growth = 30;
/** A heap of so much holds what somebody put there: to look through it so often would cost more than it gives back. */
const large = 128 * mebibyte;

/**
 * Does work in a process of its own while the heap stays near to what is alive in it: the young generation at 32 MiB or less, of
 * which V8 would make 128 MiB under load, and the old one collected early as long as it is small. To be called before anything large
 * is loaded, because the first collection decides when the next one comes. V8's flags for sizes are read before any program is;
 * these are read with every collection.
 */
export async function withBoundHeap<Result>(work: () => Promise<Result>): Promise<Result> {
  let percent = setGrowth(growth);
  let bound = false;
  const observer = new PerformanceObserver(() => {
    const wanted = getHeapStatistics().used_heap_size > large ? 0 : growth;
    if (wanted !== percent) percent = setGrowth(wanted);
    // It grows by one collection at a time.
    if (bound || youngBytes() < enough) return;
    bound = true;
    setFlagsFromString('--semi-space-growth-factor=1');
  });
  observer.observe({ entryTypes: ['gc'] });
  try {
    return await work();
  } finally {
    observer.disconnect();
    setGrowth(0);
    setFlagsFromString('--semi-space-growth-factor=2');
  }
}

/** 0 leaves it to V8. */
function setGrowth(percent: number): number {
  setFlagsFromString(`--heap-growing-percent=${String(percent)}`);
  return percent;
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
