import { expect, test } from 'vitest';
import type { Case, Intent } from '../../../../src/check/model/case.ts';
import type { Check } from '../../../../src/check/topics/check.ts';
import { CheckTable, checksOf } from '../../../../src/check/engine/judge/judge.ts';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

const contract = libraryContract();
const cases = planOf(
  resolveSettings({ url: 'http://127.0.0.1:1', contract, token: 'key', seed: 'table' }),
).stages.flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));

function caseOf(id: string, kind: Intent['kind']): Case {
  const found = cases.find(({ operation, intent }) => operation.id === id && intent.kind === kind);
  if (found === undefined) throw new Error(`No ${kind} request is planned for ${id}.`);
  return found;
}

function makeCheck(id: string, looks: Pick<Check, 'intents' | 'actions'> = {}): Check {
  return {
    id,
    basis: 'contract',
    severity: 'error',
    harm: 'form',
    rule: '',
    reason: '',
    example: [],
    confirm: 'once',
    inspect: () => [],
    ...looks,
  };
}

const checks = [
  makeCheck('all'),
  makeCheck('valid', { intents: ['valid'] }),
  makeCheck('lists', { actions: ['list'] }),
  makeCheck('valid lists', { intents: ['valid'], actions: ['list', 'read'] }),
];

test.each([
  ['listBooks', 'valid', ['all', 'valid', 'lists', 'valid lists']],
  ['listBooks', 'invalid', ['all', 'lists']],
  ['createBook', 'valid', ['all', 'valid']],
  ['createBook', 'invalid', ['all']],
] as const)(
  'of %s, a request that is %s is inspected by exactly the checks for its intent',
  (id, kind, expected) => {
    expect(checksOf({ contract, checks }, caseOf(id, kind)).map((check) => check.id)).toEqual(
      expected,
    );
  },
);

test('inspections are counted by operation, over all intents of its requests', () => {
  const table = new CheckTable({ contract, checks });
  for (const tried of [
    caseOf('listBooks', 'valid'),
    caseOf('listBooks', 'valid'),
    caseOf('listBooks', 'invalid'),
    caseOf('createBook', 'invalid'),
  ]) {
    for (const placed of table.of(tried))
      if (placed.check.id !== 'valid') table.count(tried.operation, placed);
  }
  expect([...table.counts()].map(([id, counts]) => [id, Object.fromEntries(counts)])).toEqual([
    ['listBooks', { all: 3, lists: 3, 'valid lists': 2 }],
    ['createBook', { all: 1 }],
  ]);
});
