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
  expect(readEarlierRuns(join(folder, 'none'))).toEqual([]);
});

test('stored runs come with their counts, oldest first, without what is broken', async () => {
  const remember = (id: string, startedAt: string): Promise<void> =>
    rememberRun(
      folder,
      { ...sampleRun, id, startedAt },
      { findings: [wrongStatus, slowOperation], summary: sampleSummary, warn: () => {} },
    );
  await remember('vouch-b', '2026-11-27T10:00:00.000Z');
  await remember('vouch-a', '2026-11-26T10:00:00.000Z');
  writeFileSync(join(folder, 'runs', '2026-odd.json'), '{"run":');
  writeFileSync(join(folder, 'runs', '2027-old.json'), '{"version":0}');
  expect(readEarlierRuns(folder)).toEqual(
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
