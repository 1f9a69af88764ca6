import { describe, expect, test } from 'vitest';
import { formatProof, formatProofStart, isProved } from '../../../src/cli/check/run-proof.ts';
import type { ProofSummary } from '../../../src/prove/proof.ts';
import type { MutationResult } from '../../../src/prove/run-mutation.ts';

function result(given: Partial<MutationResult>): MutationResult {
  return {
    mutator: 'ignores-limit',
    title: 'listThings ignores limit',
    status: 'killed',
    changedResponses: 3,
    findings: [],
    requests: 200,
    ...given,
  };
}

const survived = [
  result({
    mutator: 'trims-text',
    title: 'createThing takes spaces off the ends',
    status: 'survived',
    findings: [
      { check: 'created-is-returned', severity: 'note', message: 'A text came back trimmed.' },
    ],
  }),
  result({
    mutator: 'creates-twice',
    title: 'createThing makes two records',
    status: 'survived',
    changedResponses: 12,
  }),
];
const noCoverage = [
  result({
    mutator: 'null-for-empty',
    title: 'listThings answers null where no record matches',
    status: 'noCoverage',
    changedResponses: 0,
  }),
];
const equivalent = [
  result({
    mutator: 'lacks-newest',
    title: 'listThings lacks the newest record',
    status: 'equivalent',
    reason: 'listThings has no way by which the newest one could be asked for',
    changedResponses: 0,
  }),
];

const summary: ProofSummary = {
  kinds: { planted: 4, known: 143 },
  killed: 2,
  survived,
  noCoverage,
  equivalent,
  mutationScore: 40,
  falsePositives: [],
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

  test('lists killed and survived mutations, with reasons', () => {
    expect(
      formatProof(
        summary,
        [
          result({}),
          result({ mutator: 'leaves-enum', title: 'getThing answers with another enum' }),
          ...survived,
          ...noCoverage,
          ...equivalent,
        ],
        page,
      ),
    ).toMatchInlineSnapshot(`
      "  lists, filters and pages          1 of    2 killed
        response bodies                   1 of    1 killed
        stored records                    0 of    2 killed

      Survived
        trims-text: createThing takes spaces off the ends. Reported only as a note, by
        created-is-returned.
        creates-twice: createThing makes two records. 12 responses changed, and no
        check reported it.

      No coverage: counted as not killed
        null-for-empty: listThings answers null where no record matches; no request of
        the run triggers it.

      Equivalent: not counted
        lacks-newest: listThings lacks the newest record; cannot be observed, because
        listThings has no way by which the newest one could be asked for.

      PASSED  2 of 5 mutations killed (40.0 %), 1 without coverage, of 4 kinds; no
              false positives. 1,000 requests in 2.50 s.
      "
    `);
  });

  test('lists the conforming variants with false positives', () => {
    const falsePositives = [
      {
        variant: 'newest-first',
        rule: 'A list begins with its newest record.',
        findings: [
          { check: 'sort-holds', severity: 'error' as const, message: 'The list is not in order.' },
        ],
        requests: 200,
      },
    ];
    expect(
      formatProof(
        {
          ...summary,
          survived: [],
          noCoverage: [],
          equivalent: [],
          mutationScore: 100,
          falsePositives,
        },
        [result({})],
        { ...page, minScore: 95 },
      ),
    ).toMatchInlineSnapshot(`
      "  lists, filters and pages          1 of    1 killed

      False positives
        newest-first: A list begins with its newest record. Reported: error
        sort-holds: The list is not in order.

      FAILED  2 of 2 mutations killed (100.0 %; required: 95 %), of 4 kinds; false
              positives on 1 variant. 1,000 requests in 2.50 s.
      "
    `);
  });

  test.each([
    { name: 'enough killed', mutationScore: 95, min: 95, positives: 0, proved: true },
    { name: 'too few killed', mutationScore: 94.9, min: 95, positives: 0, proved: false },
    { name: 'no required score', mutationScore: 10, min: undefined, positives: 0, proved: true },
    { name: 'a false positive', mutationScore: 100, min: 95, positives: 1, proved: false },
  ])('isProved returns $proved with $name', ({ mutationScore, min, positives, proved }) => {
    const falsePositives = Array.from({ length: positives }, () => ({
      variant: 'gzip',
      rule: 'Answers are compressed.',
      findings: [{ check: 'body-parses', severity: 'error' as const, message: 'No.' }],
      requests: 1,
    }));
    expect(isProved({ ...summary, mutationScore, falsePositives }, min)).toBe(proved);
  });
});
