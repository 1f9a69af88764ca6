import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { refusalMutants, replacementMutants } from '../../src/check/topics/records/harm-mutants.ts';
import { methodMutants } from '../../src/check/topics/validity/method-mutants.ts';
import { prove } from '../../src/prove/prove.ts';

/** Each mutation is a whole run of the check. */
const proof = { timeout: 120_000 };

test('each kind of harmful side effect is detected', proof, async () => {
  const kinds = [
    ...[...refusalMutants, ...replacementMutants, ...methodMutants].map(({ id }) => id),
    'takes-other-case',
  ];
  const contract = fileURLToPath(new URL('./tasks.yaml', import.meta.url));
  for await (const event of prove({
    choice: { contract, config: false },
    settings: { seed: 'test' },
    kinds,
    workers: 1,
  })) {
    if (event.type !== 'proof-finished') continue;
    const { survived, noCoverage, equivalent, killed } = event.summary;
    expect(survived.map(({ title }) => title)).toEqual([]);
    expect([...noCoverage, ...equivalent].map(({ title }) => title)).toEqual([]);
    expect(killed).toBeGreaterThanOrEqual(kinds.length);
  }
  expect.assertions(3);
});
