import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFileAppender, openFileWriter } from '../../src/cli/file-writer.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the file has its name only when it is whole, and missing folders are made', () => {
  const path = join(folder, 'reports', 'today', 'report.html');
  const writer = openFileWriter(path);
  writer.write('Zoë ');
  writer.write('x'.repeat(100_000));
  expect(readdirSync(join(folder, 'reports', 'today'))).not.toContain('report.html');
  writer.finish();
  expect(readFileSync(path, 'utf8')).toBe(`Zoë ${'x'.repeat(100_000)}`);
  expect(readdirSync(join(folder, 'reports', 'today'))).toEqual(['report.html']);
});

test('a long text is on disk before the end', () => {
  const writer = openFileWriter(join(folder, 'report.html'));
  writer.write('x'.repeat(100_000));
  const [part = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, part)).length).toBe(100_000);
  writer.discard();
});

test('a file that was there stays as it was until then, and where the run breaks off', () => {
  const path = join(folder, 'report.xml');
  writeFileSync(path, 'of yesterday');
  const writer = openFileWriter(path);
  writer.write('x'.repeat(100_000));
  expect(readFileSync(path, 'utf8')).toBe('of yesterday');
  writer.discard();
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['report.xml'], 'of yesterday']);
});

test('what is added stands behind what was there', () => {
  const path = join(folder, 'summary.md');
  writeFileSync(path, 'of another step\n');
  const writer = openFileAppender(path);
  writer.write('of this one\n');
  writer.finish();
  expect(readFileSync(path, 'utf8')).toBe('of another step\nof this one\n');
});
