import { describe, expect, test } from 'vitest';
import { junit } from '../../src/report/junit.ts';
import { hostileEvents } from './hostile-run.ts';
import { casesIn, junitFaults } from './junit-grammar.ts';
import { readXml } from './read-xml.ts';
import { reportOf } from './report-of.ts';
import { bareEnd, sampleEvents, sampleSummary } from './sample-run.ts';

describe('the document is well-formed and valid, with correct counts', () => {
  test.each([
    ['a run', sampleEvents],
    ['a run with only its last event', bareEnd],
    ['hostile text everywhere', hostileEvents],
    [
      'a contract without operations',
      [
        { type: 'run-finished', summary: { ...sampleSummary, operations: [], checks: [] } },
      ] as const,
    ],
  ])('%s', (_name, events) => {
    expect(junitFaults(readXml(reportOf(junit, events)))).toEqual([]);
  });
});

describe('the validator of this test detects', () => {
  test.each([
    ['<a>', 'no start tag'],
    ['<a></b>', '<a> is closed by </b>'],
    ['<a x="1" x="2"/>', 'x is given twice'],
    ['<a>&nbsp;</a>', 'a bare or unknown reference'],
    ['<a>a & b</a>', 'a bare or unknown reference'],
    ['<a>\u0001</a>', 'a character that XML forbids'],
    ['<a>&#1;</a>', 'a reference to a character that XML forbids'],
    ['<a>]]></a>', ']]> in text'],
    ['<a/><b/>', 'something after the root'],
  ])('%j', (body, message) => {
    expect(() => readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`)).toThrow(message);
  });

  test('violations of the schema', () => {
    const document =
      '<?xml version="1.0" encoding="UTF-8"?><testsuites><testsuite name="a" ' +
      'tests="2" failures="0"><testcase name="b" file="c"><flaky/></testcase></' +
      'testsuite></testsuites>';
    expect(junitFaults(readXml(document))).toEqual([
      '<testsuite> needs errors!',
      '<testsuite> says tests=2, but has 1',
      '<testcase> has no attribute file',
      '<flaky> in <testcase>',
      '<flaky> is no element of it',
    ]);
  });
});

test('a suite for each operation, a case for each check that applied', () => {
  const suites = readXml(reportOf(junit, sampleEvents)).children;
  const shown = suites.map((suite) => [
    suite.attributes['name'],
    ...suite.children.map(
      (each) =>
        (each.attributes['name'] ?? '') + each.children.map(({ name }) => ` ${name}`).join(''),
    ),
  ]);
  expect(shown).toEqual([
    [
      'GET /pets',
      'no-server-error',
      'body-matches-schema failure',
      'operation-answers',
      'answers-in-time system-out',
      'fields-documented system-out',
    ],
    ['POST /pets', 'no-server-error', 'operation-answers failure'],
    ['GET /pets/{petId}', 'no-server-error', 'body-matches-schema failure', 'operation-answers'],
    ['GET /store/orders', 'requests skipped'],
    ['POST /messages', 'requests skipped'],
    ['run', 'run system-out', 'internal error in sort-holds error'],
  ]);
});

test('every case has a unique name and at most one failure', () => {
  const more = sampleEvents.map((event) =>
    event.type === 'finding-reported' && event.finding.severity === 'error'
      ? {
          ...event,
          finding: { ...event.finding, check: 'body-matches-schema', operations: ['listPets'] },
        }
      : event,
  );
  const crash = {
    type: 'check-crashed',
    check: 'sort-holds',
    message: 'again',
    stack: '',
  } as const;
  const cases = casesIn(readXml(reportOf(junit, [crash, ...sampleEvents.slice(0, -1), ...more])));
  const names = cases.map(
    ({ attributes }) => `${attributes['classname'] ?? ''} ${attributes['name'] ?? ''}`,
  );
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(names.filter((name) => name.includes('['))).toContain(
    'listPets body-matches-schema [0b44de]',
  );
  expect(
    Math.max(
      ...cases.map(
        ({ children }) =>
          children.filter(({ name }) => name === 'failure' || name === 'error').length,
      ),
    ),
  ).toBe(1);
});

test('a failure has the text of the pretty report', () => {
  const failed = casesIn(readXml(reportOf(junit, sampleEvents))).find(
    ({ attributes }) =>
      attributes['name'] === 'operation-answers' && attributes['classname'] === 'createPet',
  );
  expect(failed?.children[0]?.attributes).toEqual({
    type: 'operation-answers',
    message:
      'POST /pets: the connection was reset before an answer came, while other ' +
      'operations answered all the time and went on doing so afterwards',
  });
  expect(failed?.children[0]?.text).toMatchInlineSnapshot(`
    "
    error operation-answers (by the contract, id 0b44de)
    POST /pets: the connection was reset before an answer came, while other operations
      ↳ answered all the
    time and went on doing so afterwards

    tried     name is a text of 10,000 characters
    expected  an answer
    actual    a reset connection
    blame     undecided: server or contract

    openapi/petstore.v1.yaml:120:5
      > 120 |     post:
            |     ^

    POST http://127.0.0.1:4010/v1/pets
    no complete response: connection.reset (read ECONNRESET) · 1.24 s

    reproduce:
    curl --path-as-is -X POST --data-raw '{}' 'http://127.0.0.1:4010/v1/pets'
    curl --path-as-is 'http://127.0.0.1:4010/v1/pets'

    confirmed: repeated twice
    "
  `);
});

test('a run with only its last event', () => {
  expect(reportOf(junit, bareEnd)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="vouch check" time="0.012" tests="1" failures="0" errors="1">
      <testsuite name="run" tests="1" failures="0" errors="1" skipped="0" time="0.012">
        <testcase name="run" classname="vouch" time="0">
          <error type="inconclusive" message="Inconclusive. Nothing answered at
      ↳ http://127.0.0.1:4010/v1."/>
          <system-out>
    Inconclusive. Nothing answered at http://127.0.0.1:4010/v1.
    0 requests
    </system-out>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});
