import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';

const kinds = [
  'ignores-expression',
  'expression-includes-bound',
  'expression-unequal-as-equal',
  'expression-and-as-or',
  'order-ignores-descending',
  'order-ignores-second',
  'ignores-sort',
  'order-reversed',
  'later-pages-forget-filter',
  'later-pages-forget-sort',
  'sort-forgets-filter',
  'filter-forgets-sort',
];

/** Each mutation is a whole run of the check. */
const proof = { timeout: 120_000 };

test('a check kills the mutations of filter expressions and orders', proof, async () => {
  const contract = fileURLToPath(new URL('./parcels.yaml', import.meta.url));
  for await (const event of prove({
    choice: { contract, config: false },
    settings: { seed: 'test' },
    kinds,
    workers: 1,
  })) {
    if (event.type !== 'proof-finished') continue;
    const { survived, noCoverage, equivalent, falsePositives } = event.summary;
    expect([...survived, ...noCoverage, ...equivalent].map(({ title }) => title)).toEqual([]);
    expect(falsePositives).toEqual([]);
    expect(event.summary.kinds.planted).toBe(kinds.length);
  }
  expect.assertions(3);
});
