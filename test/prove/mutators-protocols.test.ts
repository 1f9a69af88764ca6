import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';
import { depotDocument } from '../check/fixture/depots.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-protocols-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test(
  'a check kills the mutations of protocols, and has no finding for conforming variants',
  { timeout: 120_000 },
  async () => {
    const contract = join(folder, 'depots.json');
    writeFileSync(contract, JSON.stringify(depotDocument));
    const kinds = ['ignores-mask'];
    for await (const event of prove({
      choice: { contract, config: false },
      settings: { seed: 'test' },
      kinds,
      workers: 1,
    })) {
      if (event.type !== 'proof-finished') continue;
      const { survived, noCoverage, equivalent, killed, falsePositives } = event.summary;
      expect([...survived, ...noCoverage, ...equivalent].map(({ title }) => title)).toEqual([]);
      expect(falsePositives).toEqual([]);
      expect(killed).toBeGreaterThanOrEqual(kinds.length);
    }
    expect.assertions(3);
  },
);
