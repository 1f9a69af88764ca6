import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders of short files whose tests take long: they start programs, or run the check often. */
const slow = /\/test\/(prove|usage|browser|prism)\//;

/**
 * The order of test files in which no long one comes last and alone. A clone that has run them
 * knows their durations; in a new one they are only known by their sizes and folders.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
