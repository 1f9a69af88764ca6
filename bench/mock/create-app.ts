import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Vouch from '../../src/index.ts';
import type { Benchmark } from '../measure/figures.ts';
import { publishedPackage } from '../measure/published.ts';
import { spreadOf, writeSpread } from '../measure/statistics.ts';

/** What one more mock costs a test file, in a process that has made one before. */
export const createApp: Benchmark = {
  name: 'create-app',
  description: 'createMockApp() after the first in one process',
  async measure() {
    // The published package has the types of the source that it was built from.
    const { createMockApp } = (await import(
      pathToFileURL(join(publishedPackage(), 'dist/index.js')).href
    )) as typeof Vouch;
    const first = await milliseconds(createMockApp);
    const others: number[] = [];
    for (let round = 0; round < 30; round += 1) others.push(await milliseconds(createMockApp));
    const spread = spreadOf(others);
    return [
      {
        measure: 'createMockApp() after the first',
        measured: `${writeSpread(spread, 1)} ms (the first: ${first.toFixed(0)} ms)`,
        promised: 'at most 15 ms',
        kept: spread.median <= 15,
        data: { first, others: spread },
      },
    ];
  },
};

async function milliseconds(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
