import { expect, test } from 'vitest';
import { roundsOf } from '../../../../src/check/engine/plan/plan-rounds.ts';
import { makeCase, makeSequence, type Sequence } from '../../../../src/check/model/case.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

const [operation] = libraryContract().operations;

function sequenceOf(length: number): Sequence {
  if (operation === undefined) throw new Error('The contract has no operation.');
  const [first, ...rest] = Array.from({ length }, (_, index) =>
    makeCase({
      title: String(index),
      phase: 'sequence',
      operation,
      request: { arguments: [], credential: 'given' },
      intent: { kind: 'valid', rigour: 'plain', at: '' },
    }),
  );
  if (first === undefined) throw new Error('The sequence has no case.');
  return makeSequence(first, ...rest);
}

test.each([
  ['a stage waits for its longest sequence', [[1, 7, 2]], 8, 7],
  ['or for all its requests', [[2, 2, 2, 2]], 2, 4],
  ['stages wait for each other', [[3], [1, 1]], 8, 4],
  ['a plan without requests takes no time', [], 8, 0],
])('%s', (_title, stages, atOnce, rounds) => {
  const phase = 'sequence' as const;
  const given = stages.map((lengths) => ({ phase, sequences: lengths.map(sequenceOf) }));
  expect(roundsOf(given, atOnce)).toBe(rounds);
});

test('requests at once are one round', () => {
  const sequences = [{ ...sequenceOf(4), concurrent: true as const }];
  expect(roundsOf([{ phase: 'sequence', sequences }], 8)).toBe(1);
});
