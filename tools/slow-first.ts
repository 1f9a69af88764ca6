import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import slowFiles from './slow-files.json' with { type: 'json' };

/**
 * The order of test files in which no long one comes last and alone. A clone that has run them
 * knows their durations; a new one, as in CI, only their sizes: there the files of four seconds and
 * more, slowest first, come from `slow-files.json`, which is written from what a run in CI prints.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = slowFiles.indexOf(relative(root, moduleId));
      return rank === -1 ? slowFiles.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}
