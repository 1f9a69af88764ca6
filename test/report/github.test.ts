import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import { github } from '../../src/report/github.ts';
import { reportOf } from './report-of.ts';
import { sampleEvents, sampleSummary, wrongStatus } from './sample-run.ts';

test('an annotation on the line of the contract, errors first, then the summary', () => {
  expect(reportOf(github, sampleEvents)).toMatchInlineSnapshot(`
    "::error title=vouch%3A sort-holds crashed::Cannot read properties of undefined
    ::error file=openapi/petstore.v1.yaml,line=366,col=7,title=body-matches-schema%3A
      ↳ GET /pets and 1 more operation::the answer has a status that the contract does not
      ↳ know%0Aexpected: one of available, pending, sold%0Aactual: "lost" at
      ↳ /0/status%0Aconfirmed: a body that breaks its schema needs no control; it came in
      ↳ 12 of 12 answers%0Acurl --path-as-is -H "Authorization: Bearer $VOUCH_TOKEN" -H
      ↳ 'Accept: application/json, application/problem+json'
      ↳ 'http://127.0.0.1:4010/v1/pets?status=sold'
    ::error file=openapi/petstore.v1.yaml,line=120,col=5,title=operation-answers%3A POST
      ↳ /pets::the connection was reset before an answer came, while other operations
      ↳ answered all the time and went on doing so afterwards%0Aexpected: an
      ↳ answer%0Aactual: a reset connection%0Aconfirmed: repeated twice%0Acurl --path-as-is
      ↳ -X POST --data-raw '{}' 'http://127.0.0.1:4010/v1/pets'%0Acurl --path-as-is
      ↳ 'http://127.0.0.1:4010/v1/pets'
    ::warning file=openapi/petstore.v1.yaml,line=72,col=5,title=answers-in-time%3A GET
      ↳ /pets::one answer in twenty took longer than 2 s%0Aexpected: less than 2 s for 95
      ↳ of 100 answers%0Aactual: 2.41 s%0Aconfirmed: 112 answers were timed
    ::notice file=openapi/petstore.v1.yaml,line=72,col=5,title=fields-documented%3A GET
      ↳ /pets::the answer has the field tags, which the contract does not name%0Aexpected:
      ↳ less than 2 s for 95 of 100 answers%0Aactual: 2.41 s%0Aconfirmed: 112 answers were
      ↳ timed
    ::error title=vouch check::Failed. 2 errors in 2 of 5 operations. Findings: 2
      ↳ errors, 1 warning, 1 note; 1,301 requests in 1.24 s.
    "
  `);
});

test('the github report has at most 10 annotations of a kind, and counts the rest', () => {
  const events: RunEvent[] = [
    ...Array.from({ length: 13 }, (): RunEvent => ({
      type: 'finding-reported',
      finding: wrongStatus,
    })),
    { type: 'run-finished', summary: sampleSummary },
  ];
  const lines = reportOf(github, events).trimEnd().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toContain('Not shown as annotations: 3 errors.');
});

test('accepted findings of the baseline have no annotation', () => {
  const events: RunEvent[] = [
    { type: 'finding-reported', finding: { ...wrongStatus, severity: 'note', accepted: 'error' } },
    { type: 'run-finished', summary: sampleSummary },
  ];
  expect(reportOf(github, events).trimEnd().split('\n')).toHaveLength(1);
});
