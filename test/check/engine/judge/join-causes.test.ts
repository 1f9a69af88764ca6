import { describe, expect, test } from 'vitest';
import {
  compareBaseline,
  entryOf,
  formatBaseline,
  parseBaseline,
} from '../../../../src/check/engine/baseline/baseline.ts';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { joinCauses } from '../../../../src/check/engine/judge/join-causes.ts';
import { withEvidence, separate } from '../../../../src/check/engine/judge/evidence.ts';
import type { Finding } from '../../../../src/check/model/finding.ts';
import { readReport } from '../../../../src/check/replay/read-report.ts';
import { joinFindings } from '../../../../src/report/blob/merge-events.ts';
import { findingOf } from '../../../../src/report/json.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { openLibrary } from '../../fixture/library-server.ts';

const library = await openLibrary({ defect: 'limits-before-filtering' });
const report = await checkTarget({
  ...library.target,
  contract: libraryContract(),
  seed: 'causes',
});
await library.close();
const [leader, ...more] = report.findings.filter(({ severity }) => severity === 'error');
if (leader === undefined) throw new Error('the defect was not found');
const alone = separate(leader);

function join(findings: readonly Finding[]): string[] {
  return joinCauses(findings, libraryContract()).map(({ check, alsoSeenAs = [] }) =>
    [check, ...alsoSeenAs.map((other) => other.check)].join(' + '),
  );
}

describe('one cause, one finding', () => {
  test('includes the findings that it explains, complete and with their names', () => {
    expect(more).toEqual([]);
    expect(alone.map(({ check }) => check).sort()).toEqual([
      'filter-holds',
      'limit-holds',
      'total-holds',
    ]);
    expect(leader.check).toBe('limit-holds');
    expect(leader.evidence).toMatch(
      /^Seen .+ Also seen as .*filter-holds on GET \/books \(The list filtered by .+\)\.$/,
    );
    for (const finding of alone)
      expect(finding).toMatchObject({
        evidence: expect.stringMatching(/^Seen [^(]+\.$/),
        replay: { version: 1 },
        curl: expect.any(Array),
      });
  });

  test('is counted once, for the check that reports it', () => {
    expect(report.summary.findings.error).toBe(1);
    expect(
      report.summary.checks.filter(({ findings }) => findings > 0).map(({ id }) => id),
    ).toEqual(expect.arrayContaining(['filter-holds', 'limit-holds', 'total-holds']));
  });

  test('separating and joining again gives the same findings', () => {
    expect(joinCauses(alone, libraryContract())).toEqual([leader]);
    const count = leader.count * 2;
    expect(
      joinFindings([leader, leader]).map(({ alsoSeenAs = [], ...joined }) => [
        alsoSeenAs.length,
        joined.count,
        joined.evidence,
      ]),
    ).toEqual([[2, count, withEvidence({ ...leader, count }).evidence]]);
    expect(withEvidence({ ...leader, count }).evidence).toMatch(
      new RegExp(`^Seen ${String(count)} times in the run, and again`),
    );
  });

  test('a finding of another operation, severity or baseline state is reported separately', () => {
    const [limit, ...others] = alone;
    if (limit === undefined) throw new Error('nothing is left');
    expect(
      join([
        limit,
        ...others.map((other) => ({
          ...other,
          operation: { ...other.operation, id: 'another' },
        })),
      ]),
    ).toHaveLength(3);
    expect(join([{ ...limit, severity: 'warning' }, ...others])).toHaveLength(3);
    expect(join([{ ...limit, severity: 'note', accepted: 'error' }, ...others])).toHaveLength(3);
    expect(
      join([limit, ...others.map((other): Finding => ({ ...other, severity: 'note' }))]),
    ).toHaveLength(3);
  });

  test('is one finding where many operations break one keyword, and the others are counted', () => {
    const [limit] = alone;
    if (limit === undefined) throw new Error('nothing is left');
    const taken = (operation: string, field: string, keyword = 'type'): Finding => ({
      ...limit,
      id: `${operation} ${field} ${keyword}`,
      check: 'invalid-refused',
      cause: '',
      operation: { ...limit.operation, id: operation, path: `/${operation}` },
      operations: [operation],
      pointer: `/components/schemas/${operation}/properties/${field}/${keyword}`,
    });
    const everywhere = ['one', 'two', 'three', 'four'].flatMap((operation) =>
      ['a', 'b'].map((field) => taken(operation, field)),
    );
    const [folded, ...rest] = joinCauses(
      [...everywhere, taken('five', 'c', 'maxLength')],
      libraryContract(),
    );
    expect(folded?.alsoSeenAs).toHaveLength(7);
    expect(folded?.evidence).toContain('; 2 more, on 4 operations, which the JSON report holds.');
    expect(rest.map(({ pointer }) => pointer.split('/').at(-1))).toEqual(['maxLength']);
    expect(join(['one', 'two'].map((name) => taken(name, 'a')))).toHaveLength(2);
    const shown = (actual: string, fields: string): Finding[] =>
      everywhere.map((one) => ({
        ...one,
        id: `${one.id} ${actual}`,
        check: 'body-matches-schema',
        actual,
        pointer: one.pointer.replace('/properties/', `/properties/${fields}`),
      }));
    // A null for an object and a number for a text have two causes.
    expect(joinCauses([...shown('null', 'n'), ...shown('7', 't')], libraryContract())).toHaveLength(
      2,
    );
  });

  test('a baseline contains and accepts all joined findings', () => {
    const { updated } = compareBaseline([leader], [], report.summary);
    expect(updated.map(({ id }) => id).sort()).toEqual(alone.map(({ id }) => id).sort());
    expect(
      compareBaseline(
        [leader],
        parseBaseline(formatBaseline(alone.map(entryOf))) ?? [],
        report.summary,
      ),
    ).toMatchObject({ accepted: 3, fixed: [] });
  });

  test('a baseline that accepts a warning accepts no error of the same cause', () => {
    const [limit] = alone;
    if (limit === undefined) throw new Error('nothing is left');
    const known = formatBaseline([entryOf({ ...limit, severity: 'warning' })]);
    const entries = parseBaseline(known) ?? [];
    expect(compareBaseline([limit], entries, report.summary)).toMatchObject({ accepted: 0 });
    const warning: Finding = { ...limit, severity: 'warning' };
    expect(compareBaseline([warning], entries, report.summary)).toMatchObject({ accepted: 1 });
    // Of an earlier version, which did not say how severe it was.
    const plain = parseBaseline(known.replace(/,\s*"severity": "warning"/, '')) ?? [];
    expect(compareBaseline([limit], plain, report.summary)).toMatchObject({ accepted: 1 });
  });

  test('a report can be replayed by each joined finding', () => {
    const text = JSON.stringify({
      run: { target: library.url, contract: { file: 'library.yaml' } },
      findings: [findingOf(leader)],
    });
    expect(readReport(text)?.findings.map(({ id, replay }) => [id, replay?.version])).toEqual(
      alone.map(({ id }) => [id, 1]),
    );
  });
});
