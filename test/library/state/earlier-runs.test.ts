import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEarlierRuns } from '../../../src/library/state/earlier-runs.ts';
import { rememberRun } from '../../../src/library/state/run-memory.ts';
import { sampleRun, sampleSummary, slowOperation, wrongStatus } from '../../report/sample-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-runs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a folder without runs has none', () => {
  expect(readEarlierRuns(join(folder, 'none'), sampleRun)).toEqual([]);
});

test('the runs against a target come with their counts, oldest first', async () => {
  const remember = (id: string, startedAt: string, target = sampleRun.target): Promise<void> =>
    rememberRun(
      folder,
      { ...sampleRun, id, startedAt, target },
      { findings: [wrongStatus, slowOperation], summary: sampleSummary, warn: () => {} },
    );
  await remember('vouch-b', '2026-11-27T10:00:00.000Z');
  await remember('vouch-a', '2026-11-26T10:00:00.000Z');
  writeFileSync(join(folder, 'runs', '2026-odd.json'), '{"run":');
  writeFileSync(join(folder, 'runs', '2027-old.json'), '{"version":0}');
  await remember('vouch-c', '2026-11-25T10:00:00.000Z', 'http://127.0.0.1:1');
  expect(readEarlierRuns(folder, sampleRun)).toEqual(
    [
      ['vouch-a', '2026-11-26T10:00:00.000Z'],
      ['vouch-b', '2026-11-27T10:00:00.000Z'],
    ].map(([id, startedAt]) => ({
      id,
      startedAt,
      target: sampleRun.target,
      contract: sampleRun.contract.title,
      verdict: sampleSummary.verdict,
      errors: 1,
      warnings: 1,
    })),
  );
});
