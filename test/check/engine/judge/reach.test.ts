import { describe, expect, test } from 'vitest';
import { reachOf } from '../../../../src/check/engine/judge/reach.ts';
import type { OperationSummary, RunSummary } from '../../../../src/check/model/run-summary.ts';
import { openingStep, shutClauses, verdictLine } from '../../../../src/report/verdict.ts';
import { sampleSummary } from '../../../report/sample-run.ts';

function operation(id: string, shut?: OperationSummary['shut']): OperationSummary {
  const counts = { requests: 1, errors: 0, warnings: 0, notes: 0, statuses: {}, checks: {} };
  const named = { id, method: 'GET', path: `/${id}`, ...counts };
  return shut === undefined ? named : { ...named, shut };
}

const operations = [
  operation('list'),
  operation('reset', { code: 'effect', opens: '--allow reset' }),
  operation('drop', { code: 'effect', opens: '--allow drop' }),
  operation('read', { code: 'not-found' }),
  operation('old', { code: 'excluded' }),
];

const summaryOf = (some: readonly OperationSummary[]): RunSummary => ({
  ...sampleSummary,
  verdict: 'passed',
  reason: 'All 9 responses conform.',
  operations: some,
  reach: reachOf(some),
});

describe('the reach of a run', () => {
  test('counts operations with a success, without those that the user excludes', () => {
    expect(reachOf(operations)).toMatchObject({ reached: 1, total: 4, isPartial: true });
    expect(reachOf(operations.slice(0, 2))).toMatchObject({
      reached: 1,
      total: 2,
      isPartial: false,
    });
    expect(reachOf([])).toEqual({ reached: 0, total: 0, isPartial: false, shut: [] });
  });

  test('groups the others by reason, the largest first, with a setting to change', () => {
    expect(reachOf(operations).shut).toEqual([
      { code: 'effect', operations: ['reset', 'drop'], opens: ['--allow reset', '--allow drop'] },
      { code: 'not-found', operations: ['read'], opens: [] },
    ]);
  });

  test('is part of the verdict, which is partial below half', () => {
    expect(verdictLine(summaryOf(operations))).toBe(
      'Mostly untested. Covered 1 of 4 operations. With --allow reset and the like, 2 more ' +
        "operations can be tested, which may change or delete other people's records. What was " +
        'tested passed. All 9 responses conform.',
    );
    expect(verdictLine(summaryOf([operation('list')]))).toBe('Passed. All 9 responses conform.');
  });

  test('says of an operation on another server how to name that', () => {
    const note = operation('note', { code: 'other-server', opens: '--server notes=URL' });
    expect(shutClauses(summaryOf([note]))).toEqual([
      '1 stands on another server (--server notes=URL)',
    ]);
  });

  test('explains why operations had no success, and what would change most of them', () => {
    const summary = summaryOf(operations);
    expect(shutClauses(summary)).toEqual([
      '2 may change or delete what the run did not create (--allow reset, --allow drop)',
      '1 answered 404 to every valid request',
    ]);
    expect(openingStep(summary)).toBe(
      'With --allow reset and the like, 2 more operations can be tested, ' +
        "which may change or delete other people's records.",
    );
    expect(openingStep(summaryOf([operation('list')]))).toBeUndefined();
  });

  test('advises what harms no record first, however little it opens', () => {
    const opens = 'check.values: POST /zones';
    const summary = summaryOf([...operations, operation('add', { code: 'refused', opens })]);
    expect(openingStep(summary)).toBe(
      'With check.values: POST /zones, 1 more operation can be tested.',
    );
    const act = { code: 'no-own-record', opens: 'targets.NAME.examples.act.id' } as const;
    expect(openingStep(summaryOf([operation('act', act)]))).toBe(
      'With targets.NAME.examples.act.id, 1 more operation can be tested, ' +
        'which acts on the records that you name.',
    );
  });
});
