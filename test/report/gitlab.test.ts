import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import { github } from '../../src/report/github.ts';
import { gitlab, type GitLabEntry } from '../../src/report/gitlab.ts';
import { junit } from '../../src/report/junit.ts';
import { sarif } from '../../src/report/sarif.ts';
import { hostileEvents } from './hostile-run.ts';
import { reportOf } from './report-of.ts';
import { bareEnd, sampleEvents, sampleSummary, wrongStatus } from './sample-run.ts';

/**
 * The table "Code Quality report format" of GitLab's documentation, with what GitLab's own schema
 * of the report requires (`app/validators/json_schemas/codeclimate.json`); stricter: nothing else.
 */
const validate = new Ajv({ allErrors: true }).compile({
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', minLength: 1, pattern: '^(?!\\./)' },
          lines: {
            type: 'object',
            additionalProperties: false,
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
});

function read(events: readonly RunEvent[]): GitLabEntry[] {
  // The first test says that it is what the reporter promises.
  return JSON.parse(reportOf(gitlab, events)) as GitLabEntry[];
}

test.each([
  ['a run', sampleEvents],
  ['nothing but the end', bareEnd],
  ['hostile text everywhere', hostileEvents],
])('the report of %s has the shape that GitLab publishes', (_name, events) => {
  expect(validate(read(events)), JSON.stringify(validate.errors)).toBe(true);
});

test('findings are entries on the line of the contract, worst first', () => {
  const entries = read(sampleEvents);
  expect(entries.map(({ check_name: check, severity }) => [check, severity])).toEqual([
    ['vouch-sort-holds-crashed', 'blocker'],
    ['body-matches-schema', 'critical'],
    ['operation-answers', 'critical'],
    ['answers-in-time', 'minor'],
    ['fields-documented', 'info'],
  ]);
  expect(entries[1]).toEqual({
    description:
      'GET /pets and 1 more operation: the answer has a status that the contract does not ' +
      'know (expected: one of ' +
      'available, pending, sold; actual: "lost" at /0/status)',
    check_name: 'body-matches-schema',
    fingerprint: 'openapi/petstore.v1.yaml f3a9c2',
    severity: 'critical',
    location: { path: 'openapi/petstore.v1.yaml', lines: { begin: 366 } },
  });
  expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(entries.length);
});

test('an inconclusive run differs from one without findings', () => {
  expect(read(bareEnd)).toMatchObject([
    { check_name: 'vouch-inconclusive', severity: 'blocker', location: { path: '.' } },
  ]);
  const summary = { ...sampleSummary, verdict: 'passed' } as const;
  expect(read([{ type: 'run-finished', summary }])).toEqual([]);
});

test('accepted findings of the baseline are no entries', () => {
  const finding = { ...wrongStatus, severity: 'note', accepted: 'error' } as const;
  expect(
    read([
      { type: 'finding-reported', finding },
      { type: 'run-finished', summary: sampleSummary },
    ]),
  ).toEqual([]);
});

describe('a run in a subfolder of the repository', () => {
  const repositoryPath = (file: string): string => `services/shop/${file}`;
  const related = { ...wrongStatus, id: 'related', place: { file: 'b.yaml', line: 1, column: 1 } };
  const events = sampleEvents.map((event): RunEvent =>
    event.type === 'finding-reported' && event.finding.id === wrongStatus.id
      ? { ...event, finding: { ...event.finding, alsoSeenAs: [related] } }
      : event,
  );
  const path = 'services/shop/openapi/petstore.v1.yaml';

  test.each([
    [github, `::error file=${path},line=366,col=7`],
    [gitlab, `"path": "${path}"`],
    [sarif, `"uri": "${path}"`],
    [junit, `file="${path}"`],
  ])('$id names files by their paths in the repository', (reporter, place) => {
    const text = reportOf(reporter, events, { repositoryPath });
    expect(text).toContain(place);
    expect(text).not.toMatch(/["=]openapi\/petstore/);
  });

  test('findings with the same cause have theirs too', () => {
    expect(reportOf(junit, events, { repositoryPath })).toContain('services/shop/b.yaml:1:1');
  });
});
