import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestSeconds } from '../../tools/test-seconds.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-seconds-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What is kept and printed of a run of so many files; file N takes N seconds and a half. */
function runOf(count: number) {
  const file = join(folder, 'seconds.json');
  const lines: string[] = [];
  const files = Array.from({ length: count }, (_unused, index) => ({
    relativeModuleId: `test/${String(index)}.test.ts`,
    diagnostic: () => ({ collectDuration: 500, duration: index * 1_000 }),
  }));
  new TestSeconds(file, (line) => lines.push(line)).onTestRunEnd(files);
  const kept: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  return { kept, lines };
}

test('the seconds of each test file are kept, and the slowest ten are printed', () => {
  const { kept, lines } = runOf(12);
  expect(Object.entries(kept ?? {})).toHaveLength(12);
  expect(Object.entries(kept ?? {})[0]).toEqual(['test/11.test.ts', 11.5]);
  expect(kept).toHaveProperty(['test/0.test.ts'], 0.5);
  expect(lines).toHaveLength(11);
  expect(lines[1]).toBe('    11.5 s  test/11.test.ts');
  expect(lines[10]).toBe('     2.5 s  test/2.test.ts');
});

test('the seconds that another run kept stay, if their file is still there', () => {
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'test/there.slow.test.ts'), '');
  const earlier = { 'test/there.slow.test.ts': 99, 'test/gone.test.ts': 98, 'test/3.test.ts': 97 };
  writeFileSync(join(folder, 'seconds.json'), JSON.stringify(earlier));
  const { kept, lines } = runOf(11);
  expect(Object.keys(kept ?? {})).toHaveLength(12);
  expect(kept).toMatchObject({ 'test/there.slow.test.ts': 99, 'test/3.test.ts': 3.5 });
  expect(lines[1]).toBe('    10.5 s  test/10.test.ts');
});

test('a run of ten test files keeps and prints no seconds', () => {
  expect(runOf(10)).toEqual({ kept: undefined, lines: [] });
});
