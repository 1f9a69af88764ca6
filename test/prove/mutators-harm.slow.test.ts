import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { refusalMutants, replacementMutants } from '../../src/check/topics/records/harm-mutants.ts';
import { methodMutants } from '../../src/check/topics/validity/method-mutants.ts';
import { proof, proveKinds } from './prove-kinds.ts';

test('each kind of harmful side effect is detected', proof, async () => {
  const kinds = [
    ...[...refusalMutants, ...replacementMutants, ...methodMutants].map(({ id }) => id),
    'takes-other-case',
  ];
  const contract = fileURLToPath(new URL('./tasks.yaml', import.meta.url));
  const { summary } = await proveKinds(contract, kinds);
  expect(summary.killed).toBeGreaterThanOrEqual(kinds.length);
});

test(
  'what a service takes too much of, and records without a filtered field, are detected',
  proof,
  async () => {
    const kinds = [
      'accepts-type-of-parameter',
      'accepts-min-length-of-parameter',
      'filter-lets-absent-through',
    ];
    const contract = fileURLToPath(new URL('./tasks.yaml', import.meta.url));
    const { summary } = await proveKinds(contract, kinds);
    expect(summary.kinds.planted).toBe(kinds.length);
  },
);
