import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';
import { depotDocument } from '../check/fixture/depots.ts';
import { magazineDocument } from '../check/fixture/magazine.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-protocols-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const proofs: readonly (readonly [string, object, readonly string[]])[] = [
  ['depots', depotDocument, ['ignores-mask', 'makes-trials', 'forgets-key']],
  ['magazine', magazineDocument, ['ignores-projection', 'projects-first']],
];

test.each(proofs)(
  'a check kills the mutations of the protocols of the %s, and accuses no conforming variant',
  { timeout: 120_000 },
  async (name, document, kinds) => {
    const contract = join(folder, `${name}.json`);
    writeFileSync(contract, JSON.stringify(document));
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
