import { expect, test } from 'vitest';
import { prioritizePlan } from '../../../../src/check/engine/choose/prioritize.ts';
import { type Intent, makeCase, makeSequence } from '../../../../src/check/model/case.ts';
import type { Phase } from '../../../../src/check/model/phase.ts';
import { makeContract } from '../../../contract/make-contract.ts';

const { operations } = makeContract({
  paths: {
    '/a': { get: { operationId: 'a', responses: {} } },
    '/b': { get: { operationId: 'b', responses: {} } },
  },
});
const valid: Intent = { kind: 'valid', rigour: 'plain', at: '' };
const exotic: Intent = { kind: 'valid', rigour: 'exotic', at: '' };
const invalid = (rule: string, accepted: 'error' | 'fine' = 'error'): Intent => ({
  kind: 'invalid',
  at: '',
  rule,
  part: 'query',
  subject: 'q',
  accepted,
});
const missing: Intent = { kind: 'missing', at: '', rigour: 'plain' };

const planned: readonly (readonly [
  phase: Phase,
  operation: 'a' | 'b',
  intents: readonly Intent[],
  worth: number,
])[] = [
  ['probe', 'a', [exotic], 0],
  ['read', 'b', [exotic], 0],
  ['boundary', 'a', [valid], 0],
  ['boundary', 'a', [valid], 2],
  ['boundary', 'b', [valid], 0],
  ['boundary', 'b', [exotic], 3],
  ['negative', 'a', [invalid('too long')], 1],
  ['negative', 'a', [invalid('too long')], 2],
  ['negative', 'a', [invalid('too short')], 1],
  ['negative', 'b', [invalid('too long')], 1],
  ['negative', 'b', [invalid('odd', 'fine')], 3],
  ['negative', 'a', [missing], 1],
  ['negative', 'a', [missing], 3],
  ['auth', 'a', [{ kind: 'credential', choice: 'none' }], 1],
  ['boundary', 'a', [{ kind: 'method', method: 'TRACE', wanted: 'refused' }], 3],
  ['sequence', 'a', [exotic, valid], 0],
  ['sequence', 'b', [exotic, exotic], 3],
  ['random', 'a', [valid], 3],
];

const stages = planned.map(([phase, operation, intents], place) => {
  const tried = operations.find(({ id }) => id === operation);
  if (tried === undefined) throw new Error('the test has no operation');
  const cases = intents.map((intent, step) =>
    makeCase({
      title: `${String(place)} ${String(step)}`,
      phase,
      operation: tried,
      request: { arguments: [], credential: 'given' },
      intent,
    }),
  );
  return { phase, sequences: [makeSequence(...cases)] };
});
const plan = prioritizePlan({ stages, skipped: [] });

test('the priority of a request depends on what it adds to the earlier ones', () => {
  const worths = stages.map(({ sequences }) =>
    sequences[0]?.cases.map(({ id }) => plan.worths?.get(id)),
  );
  expect(worths).toEqual(planned.map(([, , intents, worth]) => intents.map(() => worth)));
});

test('the most valuable requests come first, in turn for each operation', () => {
  const [, , ...later] = plan.stages;
  expect(
    later.map(({ sequences }) =>
      sequences.map(
        ({ cases }) =>
          `${cases.at(-1)?.operation.id ?? ''} ${String(plan.worths?.get(cases[0]?.id ?? ''))}`,
      ),
    ),
  ).toEqual([
    ['a 0', 'b 0', 'a 0'],
    ['a 1', 'b 1', 'a 1', 'a 1', 'a 1'],
    ['a 2', 'a 2'],
    ['b 3', 'a 3', 'b 3', 'a 3', 'b 3', 'a 3'],
  ]);
});
