import { statSync } from 'node:fs';
import type { Contract } from '../../contract/model.ts';

/**
 * The plan of so many is made in one piece, and long enough for the heap to grow meanwhile to what
 * it then never gives back.
 */
const manyOperations = 100;
/**
 * A document of so much makes plans of hundreds of megabytes: to look through those again and again
 * would take most of the time.
 */
const largeBytes = 1024 * 1024;

/** Whether a run on a contract had better be small than a tenth faster. */
export function wantsSmallHeap({
  operations,
  files,
}: Pick<Contract, 'operations' | 'files'>): boolean {
  return (
    operations.length >= manyOperations &&
    files.reduce(
      (bytes, file) => bytes + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    ) <= largeBytes
  );
}
