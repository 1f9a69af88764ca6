import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';
import slowFiles from '../../tools/slow-files.json' with { type: 'json' };

test('each of the slow test files exists, and is named once', () => {
  expect(slowFiles.filter((file) => !existsSync(join(packageFolder, file)))).toEqual([]);
  expect(new Set(slowFiles).size).toBe(slowFiles.length);
});
