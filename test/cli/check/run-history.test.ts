import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepHistory, readHistory } from '../../../src/cli/check/run-history.ts';
import { openFileAppender } from '../../../src/files/file-writer.ts';
import { sampleEvents, sampleRun, sampleSummary } from '../../report/sample-run.ts';
import { makeFakeIo } from '../fake-io.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const io = { ...makeFakeIo(), appendFile: openFileAppender };

test('each run is a line, and is read again', async () => {
  const file = join(folder, 'runs.jsonl');
  expect(readHistory(file)).toEqual([]);
  for (const _run of [1, 2]) {
    const keeper = keepHistory(io, file);
    for (const event of sampleEvents) keeper.take(event);
    await keeper.finish();
  }
  const { id, target, startedAt, contract } = sampleRun;
  const entry = {
    ...{ id, target, startedAt, contract: contract.title, verdict: sampleSummary.verdict },
    errors: sampleSummary.findings.error,
    warnings: sampleSummary.findings.warning,
  };
  expect(readHistory(file)).toEqual([entry, entry]);
});

test('a run that fails leaves the file as it is', () => {
  const file = join(folder, 'kept.jsonl');
  writeFileSync(file, '\n');
  keepHistory(io, file).discard();
  expect(readFileSync(file, 'utf8')).toBe('\n');
});

test.each(['# Notes\n', '{"id":1}\n', '[]'])('a file with %j is refused', (text) => {
  const file = join(folder, 'other.md');
  writeFileSync(file, text);
  expect(() => readHistory(file)).toThrow(/is no history of runs/);
});
