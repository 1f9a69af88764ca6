import { describe, expect, test } from 'vitest';
import { formatProof, formatProofStart, isProved } from '../../../src/cli/check/run-proof.ts';
import type { ProofSummary } from '../../../src/prove/proof.ts';
import type { MutationResult } from '../../../src/prove/run-mutation.ts';

function result(given: Partial<MutationResult>): MutationResult {
  return {
    operator: 'ignores-limit',
    title: 'listThings ignores limit',
    fate: 'caught',
    fired: 3,
    findings: [],
    requests: 200,
    ...given,
  };
}

const missed = [
  result({
    operator: 'trims-text',
    title: 'createThing takes spaces off the ends',
    fate: 'missed',
    findings: [
      { check: 'created-is-returned', severity: 'note', message: 'A text came back trimmed.' },
    ],
  }),
  result({
    operator: 'creates-twice',
    title: 'createThing makes two records',
    fate: 'missed',
    fired: 12,
  }),
];
const unmet = [
  result({
    operator: 'null-for-empty',
    title: 'listThings answers null where no record matches',
    fate: 'dormant',
    fired: 0,
  }),
];
const dormant = [
  result({
    operator: 'lacks-newest',
    title: 'listThings lacks the newest record',
    fate: 'dormant',
    hidden: 'listThings has no way by which the newest one could be asked for',
    fired: 0,
  }),
];

const summary: ProofSummary = {
  kinds: { planted: 4, known: 143 },
  caught: 2,
  missed,
  unmet,
  dormant,
  caughtPercent: 40,
  falseAlarms: [],
  requests: 1000,
  durationMs: 2500,
};
const page = { color: false, width: 80 };

describe('a proof', () => {
  test('announces what it will do', () => {
    expect(
      formatProofStart(
        {
          type: 'proof-started',
          contract: { title: 'Things', file: 'things.yaml' },
          mutations: 185,
          variants: 20,
          requests: 262,
          workers: 2,
        },
        page,
      ),
    ).toMatchInlineSnapshot(`
      "
      vouch check --prove things.yaml

      185 mutations of the mock and 20 conforming variants, about 262 requests each,
      all in this process.

      "
    `);
  });

  test('lists detected and missed mutations, with reasons', () => {
    expect(
      formatProof(
        summary,
        [
          result({}),
          result({ operator: 'leaves-enum', title: 'getThing answers with another enum' }),
          ...missed,
          ...unmet,
          ...dormant,
        ],
        page,
      ),
    ).toMatchInlineSnapshot(`
      "  lists, filters and pages          1 of    2 caught
        response bodies                   1 of    1 caught
        stored records                    0 of    2 caught

      Missed
        trims-text: createThing takes spaces off the ends. Reported only as a note, by
        created-is-returned.
        creates-twice: createThing makes two records. 12 responses changed, and no
        check reported it.

      Not triggered, and so not caught
        null-for-empty: listThings answers null where no record matches; no request of
        the run triggers it.

      Not observable, and not counted
        lacks-newest: listThings lacks the newest record; cannot be shown, because
        listThings has no way by which the newest one could be asked for.

      PROVED  2 of 5 mutations caught (40.0 %), 1 never triggered by a request, of 4
              kinds; no false positives. 1,000 requests in 2.50 s.
      "
    `);
  });

  test('lists the conforming variants with false positives', () => {
    const falseAlarms = [
      {
        temper: 'newest-first',
        rule: 'A list begins with its newest record.',
        alarms: [
          { check: 'sort-holds', severity: 'error' as const, message: 'The list is not in order.' },
        ],
        requests: 200,
      },
    ];
    expect(
      formatProof(
        { ...summary, missed: [], unmet: [], dormant: [], caughtPercent: 100, falseAlarms },
        [result({})],
        { ...page, minCaught: 95 },
      ),
    ).toMatchInlineSnapshot(`
      "  lists, filters and pages          1 of    1 caught

      False positives
        newest-first: A list begins with its newest record. Reported: error
        sort-holds: The list is not in order.

      NOT PROVED  2 of 2 mutations caught (100.0 %; required: 95 %), of 4 kinds; false
                  positives on 1 variant. 1,000 requests in 2.50 s.
      "
    `);
  });

  test.each([
    { name: 'enough caught', caughtPercent: 95, min: 95, alarms: 0, proved: true },
    { name: 'too little caught', caughtPercent: 94.9, min: 95, alarms: 0, proved: false },
    { name: 'nothing asked for', caughtPercent: 10, min: undefined, alarms: 0, proved: true },
    { name: 'a false alarm', caughtPercent: 100, min: 95, alarms: 1, proved: false },
  ])('with $name: $proved', ({ caughtPercent, min, alarms, proved }) => {
    const falseAlarms = Array.from({ length: alarms }, () => ({
      temper: 'gzip',
      rule: 'Answers are compressed.',
      alarms: [{ check: 'body-parses', severity: 'error' as const, message: 'No.' }],
      requests: 1,
    }));
    expect(isProved({ ...summary, caughtPercent, falseAlarms }, min)).toBe(proved);
  });
});
