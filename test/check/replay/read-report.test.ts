import { expect, test } from 'vitest';
import { readReport } from '../../../src/check/replay/read-report.ts';
import type { JsonObject } from '../../../src/json/value.ts';

const form = {
  version: 1,
  check: 'invalid-refused',
  at: '/paths',
  cause: '',
  mark: 'm',
  contract: 'c',
  alone: true,
  times: 1,
  steps: [{}],
};
const finding = {
  id: '1',
  message: 'Said.',
  severity: 'warning',
  operation: { method: 'GET', path: '/a' },
  replay: form,
};
const report = {
  run: {
    id: 'vouch-1',
    startedAt: '2030-06-01T09:30:00.000Z',
    folder: '/srv',
    target: 'http://a.example',
    servers: { notes: 'http://b.example', odd: 1 },
    contract: { file: 'api.yaml', path: '/home/api.yaml' },
    failOn: 'note',
  },
  findings: [finding],
  summary: { verdict: 'failed', reason: 'It is.' },
};

const read = (value: unknown): unknown => readReport(JSON.stringify(value));

test('a report is read back as far as a replay needs it', () => {
  expect(read(report)).toEqual({
    run: { id: 'vouch-1', startedAt: '2030-06-01T09:30:00.000Z', folder: '/srv' },
    target: 'http://a.example',
    servers: { notes: 'http://b.example' },
    contract: { file: 'api.yaml', path: '/home/api.yaml' },
    findings: [
      { id: '1', message: 'Said.', operation: 'GET /a', severity: 'warning', replay: form },
    ],
    failOn: 'note',
    summary: { verdict: 'failed', reason: 'It is.' },
  });
});

test('missing members are left out, and a missing severity is an error', () => {
  expect(
    read({
      run: { target: 'http://a.example', contract: { file: 1, path: 1 } },
      findings: [
        { ...finding, id: 7 },
        { ...finding, message: 1, severity: 'mild', alsoSeenAs: [{ ...finding, id: '2' }, 'x'] },
      ],
      summary: { verdict: 'passed' },
    }),
  ).toEqual({
    run: {},
    target: 'http://a.example',
    servers: {},
    contract: { file: '' },
    findings: [
      { id: '1', message: '', operation: 'GET /a', severity: 'error', replay: form },
      { id: '2', message: 'Said.', operation: 'GET /a', severity: 'warning', replay: form },
    ],
    failOn: 'error',
  });
});

test.each<[string, JsonObject]>([
  ...Object.keys(form).map((name): [string, JsonObject] => [
    `without ${name}`,
    Object.fromEntries(Object.entries(form).filter(([other]) => other !== name)),
  ]),
  ['of another version', { ...form, version: 2 }],
  ['with a step that is none', { ...form, steps: [{}, 1] }],
])('a finding whose requests are written %s has none that can be sent', (_name, replay) => {
  expect(
    readReport(JSON.stringify({ ...report, findings: [{ ...finding, replay }] }))?.findings,
  ).toEqual([{ id: '1', message: 'Said.', operation: 'GET /a', severity: 'warning' }]);
});

test.each<[string, unknown]>([
  ['a list', [report]],
  ['no run', { findings: [] }],
  ['no findings', { run: report.run }],
  ['no target', { ...report, run: { contract: {} } }],
  ['no contract', { ...report, run: { target: 'http://a.example' } }],
])('%s is no report', (_name, value) => {
  expect(read(value)).toBeUndefined();
});

test('text that is not JSON is not a report', () => {
  expect(readReport('<html>')).toBeUndefined();
});
