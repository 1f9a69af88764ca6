import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';

const kinds = [
  'shows-records-of-others',
  'lists-records-of-others',
  'changes-records-of-others',
  'deletes-records-of-others',
  'reads-deleted',
  'lists-deleted',
  'loses-action',
  'promised-link-missing',
];

/** Each mutation is a whole run of the check. */
const proof = { timeout: 120_000 };

test(
  'a check kills the mutations of identities, deletions, actions and pages, and has no finding ' +
    'for a service that keeps two clients apart',
  proof,
  async () => {
    const contract = fileURLToPath(new URL('./tickets.yaml', import.meta.url));
    for await (const event of prove({
      choice: { contract, config: false },
      settings: { seed: 'test' },
      kinds: [...kinds, 'keeps-clients-apart'],
      workers: 1,
    })) {
      if (event.type === 'proof-started') expect(event.variants).toBe(1);
      if (event.type !== 'proof-finished') continue;
      const { survived, noCoverage, equivalent, falsePositives } = event.summary;
      expect([...survived, ...noCoverage, ...equivalent].map(({ title }) => title)).toEqual([]);
      expect(falsePositives).toEqual([]);
      expect(event.summary.kinds.planted).toBe(kinds.length);
    }
    expect.assertions(4);
  },
);

test('a contract without credentials has no variant with two clients', async () => {
  const contract = fileURLToPath(new URL('./orders.yaml', import.meta.url));
  for await (const event of prove({
    choice: { contract, config: false },
    settings: { seed: 'test' },
    kinds: ['shows-records-of-others', 'keeps-clients-apart'],
    workers: 1,
  }))
    if (event.type === 'proof-started') expect([event.mutations, event.variants]).toEqual([0, 0]);
  expect.assertions(1);
});
