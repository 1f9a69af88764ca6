import { describe, expect, test } from 'vitest';
import { checkTarget, type CheckReport } from '../../src/check/engine/check-target.ts';
import { separate } from '../../src/check/engine/judge/evidence.ts';
import { replayFindings } from '../../src/check/replay/replay-findings.ts';
import {
  papersContract,
  openPapers,
  type PaperDefect,
  type PaperHabit,
  type Papers,
} from './fixture/papers-server.ts';

/** The service of the last run. */
let papers: Papers = openPapers();

async function checked(how: {
  readonly defect?: PaperDefect;
  readonly habit?: PaperHabit;
}): Promise<CheckReport> {
  papers = openPapers(how);
  return checkTarget({
    ...papers.target,
    contract: papersContract(),
    seed: 'conditions',
    mode: 'read-write',
  });
}

describe('a service that supports entity tags, idempotency keys and patch tests', () => {
  test.each<[string, PaperHabit | undefined]>([
    ['as they are meant', undefined],
    ['with weak tags, which no If-Match is kept by', 'weak-tags'],
    ['and gives no tags at all', 'no-tags'],
    ['and shows something else each time', 'volatile'],
    ['and refuses a create that comes again', 'refuses-again'],
  ])('has no finding: %s', async (_name, habit) => {
    const { findings } = await checked(habit === undefined ? {} : { habit });
    expect(
      findings
        .filter(({ severity }) => severity !== 'note')
        .map(({ check, message }) => `${check}: ${message}`),
    ).toEqual([]);
    expect(papers.titles()).toEqual([]);
  });

  test('gets a new key for every create except repeated ones', async () => {
    const { summary } = await checked({});
    const keys = papers.keys;
    const repeated = keys.filter((key, index) => keys.indexOf(key) !== index);
    expect(new Set(repeated).size).toBe(1);
    expect(keys.length).toBeGreaterThan(20);
    const statuses = summary.operations.map(
      ({ id, statuses: seen }) => [id, Object.keys(seen)] as const,
    );
    expect(Object.fromEntries(statuses)).toMatchObject({
      getPaper: expect.arrayContaining(['304']) as string[],
      replacePaper: expect.arrayContaining(['412']) as string[],
      dropPaper: expect.arrayContaining(['412']) as string[],
      updatePaper: expect.arrayContaining(['409']) as string[],
      addPaper: expect.arrayContaining(['422']) as string[],
    });
  });

  test('keeps the records of other clients: a record found by a read is not replaced', async () => {
    await checked({ habit: 'somebody-elses-paper' });
    const titles = papers.titles() ?? [];
    expect(titles.length).toBeGreaterThan(0);
    expect(new Set(titles)).toEqual(new Set(['of somebody else']));
  });
});

describe('each defect is reported by its check', () => {
  const table: Record<PaperDefect, readonly RegExp[]> = {
    'no-304': [
      /^error condition-holds getPaper: The server answered 200 to a request in which If-None-Match is the ETag that the answer just had, and the contract documents 304 for that\.$/,
    ],
    'tag-each-time': [
      /^error condition-holds getPaper: .*; its ETag is now "v\d+", so that 304 is never possible\.$/,
      /^error condition-holds getPaper: The answer to replacePaper has the ETag "v\d+"; the next read, which shows the same, has "v\d+"\.$/,
      /^error condition-holds replacePaper: The server answered 412 to a request in which If-Match is the ETag that the record was read with, although that ETag is current\.$/,
      /^error condition-holds dropPaper: .*although that ETag is current\.$/,
    ],
    'tag-stays': [
      /^error condition-holds getPaper: The ETag of a record stayed "v1" when the record was changed\.$/,
      /^error condition-holds getPaper: The server answered 304 to a request in which If-None-Match is an ETag that the record had before it was changed, and a read without it shows the change\.$/,
    ],
    'answers-old-tag': [
      /^error condition-holds getPaper: The answer to replacePaper has the ETag "v1"; the next read, which shows the same, has "v2"\.$/,
    ],
    'stale-304': [
      /^error condition-holds getPaper: The server answered 304 to a request in which If-None-Match is an ETag that the record had before it was changed, and a read without it shows the change\.$/,
    ],
    'takes-stale': [
      /^error condition-holds replacePaper: The server answered 200 to a request in which If-Match is an ETag that the record had before it was changed, although the ETag is now "v2": a change in between may be lost\.$/,
    ],
    'deletes-stale': [
      /^error condition-holds dropPaper: The server answered 204 to a request in which If-Match is an ETag that the record had before it was changed, although the ETag is now "v2": a change in between may be lost\.$/,
    ],
    'refuses-current': [
      /^error condition-holds replacePaper: .*although that ETag is current\.$/,
      /^error condition-holds dropPaper: .*although that ETag is current\.$/,
    ],
    'forgets-key': [
      /^error created-once addPaper: Two creates with the same X-Idempotency-Key and body made two records: id "[^"]+" and id "[^"]+"\.$/,
    ],
    'takes-key-again': [],
    'creates-by-put': [
      /^error missing-refused replacePaper: The server answered 200 to a request in which paperId is that of no record; no record has that identifier\.$/,
    ],
    'passes-over-test': [
      /^error condition-holds updatePaper: The server answered 200 to a request in which the body is a JSON Patch whose test fails\.$/,
    ],
    'deletes-twice': [],
    'lost-location': [
      /^error http-semantics getPaper: The header Location of a 201 response is "\/api\/papers\/[^"]+", and reading it returned 404; the record can be read at the path in the contract\.$/,
    ],
  };

  test.each(Object.entries(table))('%s', async (defect, expected) => {
    // The keys of the table are defects, which Object.entries forgets.
    const { findings } = await checked({ defect: defect as PaperDefect });
    const told = findings
      .flatMap(separate)
      .filter(({ severity }) => severity !== 'note')
      .map(
        ({ severity, check, operation, message }) =>
          `${severity} ${check} ${operation.id}: ${message}`,
      );
    expect(told).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string));
    expect(papers.titles()).toEqual([]);
  });

  test('a key that is taken again with another body is a note: no header promises it', async () => {
    const { findings } = await checked({ defect: 'takes-key-again' });
    expect(
      findings
        .filter(({ check }) => check === 'created-once')
        .map(({ severity, message }) => `${severity}: ${message}`),
    ).toEqual([
      expect.stringMatching(/^note: The server answered 201 .* was used before with another body/),
    ]);
  });

  test('a second successful deletion is a note: HTTP allows it', async () => {
    const { findings } = await checked({ defect: 'deletes-twice' });
    expect(
      findings
        .filter(({ check }) => check === 'missing-refused')
        .map(({ severity, message }) => `${severity}: ${message}`),
    ).toEqual([
      'note: The server answered 204 to the deletion of a record that it had deleted before.',
    ]);
  });

  test.each<PaperDefect>([
    'takes-stale',
    'forgets-key',
    'creates-by-put',
    'lost-location',
    'no-304',
  ])('%s is shown again from a report', async (defect) => {
    const { findings } = await checked({ defect });
    const outcomes: string[] = [];
    for await (const { outcome } of replayFindings(
      findings.filter(({ severity }) => severity === 'error'),
      { ...papers.target, contract: papersContract(), seed: 'again', mode: 'read-write' },
    ))
      outcomes.push(outcome);
    expect(outcomes).toEqual(['still failing']);
  });
});
