import { expect, test } from 'vitest';
import { checks } from '../../src/check/topics/index.ts';
import type { RunEvent } from '../../src/check/model/event.ts';
import { sarif, type SarifLog, artifactLocation } from '../../src/report/sarif.ts';
import { hostileEvents } from './hostile-run.ts';
import { makeSarifJudge } from './json-schema.ts';
import { reportOf } from './report-of.ts';
import { bareEnd, sampleEvents, sampleSummary, wrongStatus } from './sample-run.ts';

const faultsOf = makeSarifJudge();

function read(events: readonly RunEvent[]): SarifLog {
  // The test says what the reporter promises.
  return JSON.parse(reportOf(sarif, events)) as SarifLog;
}

test.each([
  ['a run', sampleEvents],
  ['nothing but the end', bareEnd],
  ['hostile text everywhere', hostileEvents],
])('the log keeps the published schema: %s', (_name, events) => {
  expect(faultsOf(read(events))).toEqual([]);
});

test('the validator of this test detects', () => {
  expect(
    faultsOf({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'vouch' } },
          results: [
            {
              message: { text: 'a' },
              level: 'fatal',
              locations: [{ physicalLocation: { region: { startLine: 0 } } }],
            },
          ],
        },
      ],
    }),
  ).toEqual([
    '/runs/0/results/0/level must be equal to one of the allowed values',
    "/runs/0/results/0/locations/0/physicalLocation must have required property 'address'",
    "/runs/0/results/0/locations/0/physicalLocation must have required property 'artifactLocation'",
    '/runs/0/results/0/locations/0/physicalLocation must match a schema in anyOf',
    '/runs/0/results/0/locations/0/physicalLocation/region/startLine must be >= 1',
  ]);
});

test('a result is on the line of the contract, with a fingerprint', () => {
  const { ruleIndex, message, webRequest, webResponse, ...result } =
    read(sampleEvents).runs[0]!.results[0]!;
  expect(read(sampleEvents).runs[0]?.tool.driver.rules[ruleIndex]?.id).toBe('body-matches-schema');
  expect(message.text).toContain(
    'GET /pets and 1 more operation: the answer has a status that the contract does not ' +
      'know\nTried: a plain request',
  );
  expect(webRequest?.target).toBe('http://127.0.0.1:4010/v1/pets?status=sold');
  expect(webResponse).toMatchObject({
    statusCode: 200,
    body: { text: expect.stringContaining('"lost"') },
  });
  expect(result).toMatchObject({
    ruleId: 'body-matches-schema',
    level: 'error',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'openapi/petstore.v1.yaml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 366, startColumn: 7 },
        },
        logicalLocations: [
          { name: 'listPets', fullyQualifiedName: 'GET /pets' },
          { fullyQualifiedName: '/components/schemas/PetStatus/enum' },
        ],
      },
    ],
    partialFingerprints: { 'vouchFindingId/v1': 'f3a9c2', primaryLocationLineHash: 'f3a9c2:1' },
    occurrenceCount: 12,
    properties: { basis: 'contract', blame: 'server', evidence: wrongStatus.evidence },
  });
});

test('every check is a rule, with its level and purpose', () => {
  const rules = read(bareEnd).runs[0]?.tool.driver.rules ?? [];
  expect(rules.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
  expect(rules.map(({ defaultConfiguration }) => defaultConfiguration.level)).toEqual(
    checks.map(({ severity }) => severity),
  );
  expect(
    rules.filter(({ help, fullDescription }) => help.text === '' || fullDescription.text === ''),
  ).toEqual([]);
});

test('an inconclusive run differs from one without findings', () => {
  expect(read(bareEnd).runs[0]?.invocations[0]).toMatchObject({
    executionSuccessful: false,
    toolExecutionNotifications: [
      {
        level: 'warning',
        message: { text: 'Inconclusive. Nothing answered at http://127.0.0.1:4010/v1.' },
      },
    ],
  });
});

test('accepted findings of a baseline are unchanged and suppressed, others new', () => {
  const log = read([
    ...[
      wrongStatus,
      { ...wrongStatus, id: 'known', severity: 'note', accepted: 'error' } as const,
    ].map((finding): RunEvent => ({ type: 'finding-reported', finding })),
    { type: 'run-finished', summary: sampleSummary },
  ]);
  expect(faultsOf(log)).toEqual([]);
  expect(
    log.runs[0]?.results.map(({ baselineState, suppressions }) => [
      baselineState,
      suppressions?.length,
    ]),
  ).toEqual([
    ['new', undefined],
    ['unchanged', 1],
  ]);
});

test('at most 5,000 results, the worst first, within the limit of a service', () => {
  const events = Array.from({ length: 5100 }, (_, index): RunEvent => ({
    type: 'finding-reported',
    finding: { ...wrongStatus, id: String(index), severity: index < 100 ? 'note' : 'error' },
  }));
  const text = reportOf(sarif, [...events, { type: 'run-finished', summary: sampleSummary }]);
  const [run] = (JSON.parse(text) as SarifLog).runs;
  expect(run?.results.map(({ level }) => level)).toEqual(
    Array.from({ length: 5000 }, () => 'error'),
  );
  expect(run?.invocations[0]).toMatchObject({
    toolExecutionNotifications: [
      { message: { text: '100 findings are left out: a run may hold 5000.' } },
    ],
  });
  expect(text.length).toBeLessThan(30_000_000);
});

test.each([
  ['openapi/petstore.v1.yaml', { uri: 'openapi/petstore.v1.yaml', uriBaseId: '%SRCROOT%' }],
  ['./my contract#1.yaml', { uri: 'my%20contract%231.yaml', uriBaseId: '%SRCROOT%' }],
  ['/srv/contract.yaml', { uri: 'file:///srv/contract.yaml' }],
  ['C:\\work\\contract.yaml', { uri: 'file:///C:/work/contract.yaml' }],
  ['https://example.com/openapi.json', { uri: 'https://example.com/openapi.json' }],
])('the file %s', (file, location) => {
  expect(artifactLocation(file)).toEqual(location);
});
