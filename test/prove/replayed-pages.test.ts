import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';

async function missedOf(kinds: readonly string[]): Promise<string[]> {
  const contract = fileURLToPath(new URL('documents.yaml', import.meta.url));
  const choice = { contract, config: false as const };
  for await (const event of prove({ choice, settings: { seed: 'bench' }, kinds, workers: 1 }))
    if (event.type === 'proof-finished') return event.summary.survived.map(({ title }) => title);
  throw new Error('the proof has no end');
}

test('a replay reads a list to its end, although the run has made it longer', async () => {
  expect(await missedOf(['last-page-lacks-record', 'last-page-repeats'])).toEqual([]);
});

test('what a JSON Patch needs does not excuse refusals of a merge patch', async () => {
  expect(await missedOf(['refuses-maximum-of-body', 'refuses-longest-of-body'])).toEqual([]);
});

test('a 400 that quotes a missing UUID is a finding: the contract states that form', async () => {
  expect(await missedOf(['missing-is-400'])).toEqual([]);
});
