import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';
import { proof, proveKinds } from './prove-kinds.ts';

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

test(
  'a check kills the mutations of identities, deletions, actions and pages, and has no finding ' +
    'for a service that keeps two clients apart',
  proof,
  async () => {
    const contract = fileURLToPath(new URL('./tickets.yaml', import.meta.url));
    const { summary, variants } = await proveKinds(contract, [...kinds, 'keeps-clients-apart']);
    expect(variants).toBe(1);
    expect(summary.kinds.planted).toBe(kinds.length);
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
