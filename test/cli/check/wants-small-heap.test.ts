import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { wantsSmallHeap } from '../../../src/cli/check/wants-small-heap.ts';
import type { Operation } from '../../../src/contract/model.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-heap-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [small, large] = [join(folder, 'small.yaml'), join(folder, 'large.yaml')];
writeFileSync(small, 'x'.repeat(600_000));
writeFileSync(large, 'x'.repeat(1_100_000));

test.each<[what: string, operations: number, files: string[], wants: boolean]>([
  ['many operations in a small document', 100, [small], true],
  ['many operations in no file at all', 100, [], true],
  ['many operations, and the document has gone meanwhile', 100, [join(folder, 'gone.yaml')], true],
  ['few operations', 99, [small], false],
  ['a large document', 452, [large], false],
  ['a document of several files that are large together', 452, [small, small], false],
])('%s', (_what, operations, files, wants) => {
  expect(
    wantsSmallHeap({
      operations: Array.from({ length: operations }, () => ({}) as Operation),
      files,
    }),
  ).toBe(wants);
});
