import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import { json, type JsonReport } from '../../src/report/json.ts';
import { writeJson } from '../../src/text/safe-text.ts';
import { hostile, hostileEvents } from './hostile-run.ts';
import { reportOf } from './report-of.ts';
import { bareEnd, extraField, sampleEvents, sampleSummary, wrongStatus } from './sample-run.ts';

function read(text: string): JsonReport {
  // The test says what the reporter promises.
  return JSON.parse(text) as JsonReport;
}

test('the document contains the complete run', () => {
  const report = read(reportOf(json, sampleEvents));
  expect(Object.keys(report)).toEqual([
    'version',
    'run',
    'summary',
    'findings',
    'gaps',
    'differences',
    'skipped',
    'left',
    'crashed',
  ]);
  expect(report.summary).toEqual(sampleSummary);
  expect(report.findings.map(({ id, severity }) => [id, severity])).toEqual([
    ['91c0de', 'note'],
    ['77aa01', 'warning'],
    ['f3a9c2', 'error'],
    ['0b44de', 'error'],
  ]);
  const { exchange: _, ...plain } = wrongStatus;
  expect(report.findings[2]).toMatchObject(plain);
  expect(
    report.gaps.length + report.skipped.length + report.left.length + report.crashed.length,
  ).toBe(4);
});

test('an exchange of a finding', () => {
  const [, , finding] = read(reportOf(json, sampleEvents)).findings;
  expect(JSON.stringify(finding?.exchange, null, 1)).toMatchInlineSnapshot(`
    "{
     "baseUrl": "http://127.0.0.1:4010/v1",
     "request": {
      "method": "GET",
      "target": "/v1/pets?status=sold",
      "headers": [
       [
        "authorization",
        "Bearer $VOUCH_TOKEN"
       ]
      ],
      "body": {
       "encoding": "utf8",
       "text": ""
      }
     },
     "response": {
      "status": 200,
      "headers": [
       [
        "Content-Type",
        "application/json; charset=utf-8"
       ]
      ],
      "body": {
       "encoding": "utf8",
       "text": "[{\\"id\\":1,\\"name\\":\\"Biscuit\\",\\"categoryId\\":1,
      ↳\\"status\\":\\"lost\\"}]"
      }
     },
     "durationMs": 3.2
    }"
  `);
});

test('the members of a finding have a fixed order', () => {
  const shuffled = sampleEvents.map((event) =>
    event.type === 'finding-reported'
      ? { ...event, finding: { ...event.finding, exchange: wrongStatus.exchange!, id: 'x' } }
      : event,
  );
  const orders = read(reportOf(json, shuffled)).findings.map((finding) =>
    Object.keys(finding).join(' '),
  );
  expect(new Set(orders)).toEqual(
    new Set([
      'id check basis severity blame operation operations message expected ' +
        'actual trying pointer place frame count evidence curl exchange',
    ]),
  );
});

test('a run with only its last event', () => {
  expect(read(reportOf(json, bareEnd))).toMatchObject({
    version: 1,
    summary: { verdict: 'inconclusive' },
    findings: [],
    gaps: [],
    skipped: [],
    left: [],
    crashed: [],
  });
  expect(read(reportOf(json, bareEnd))).not.toHaveProperty('run');
});

describe('text in the JSON report', () => {
  test('hostile text comes back exactly as it was', () => {
    const report = read(reportOf(json, hostileEvents));
    expect(report.run?.target).toBe(hostile);
    expect(report.findings[0]?.message).toBe(hostile);
    expect(report.findings[0]?.exchange?.response?.body.text).toBe(
      new TextDecoder().decode(new TextEncoder().encode(hostile)),
    );
  });

  test.each([
    ['\u009b\u202e'],
    ['\u{e0041}'],
    ['##[error]'],
    ['### a heading'],
    ['\ud800'],
    ['"\\'],
  ])('%j is escaped, and read back', (text) => {
    expect(JSON.parse(writeJson({ [text]: [text] }))).toEqual({ [text]: [text] });
    expect(writeJson(text)).toMatch(/^[\n -~]*$/);
  });
});

test('the change of the document is with the finding and the gap that it answers', () => {
  const overlayAction = { target: "$['components']", update: { schemas: { Tag: {} } } };
  const events = sampleEvents.map((event): RunEvent => {
    if (event.type === 'gap-observed') return { ...event, overlayAction };
    return event.type === 'finding-reported' && event.finding.id === extraField.id
      ? { ...event, finding: { ...event.finding, overlayAction } }
      : event;
  });
  const { findings, gaps } = read(reportOf(json, events));
  expect(findings.flatMap((finding) => (finding.overlayAction ? [finding.id] : []))).toEqual([
    extraField.id,
  ]);
  expect(gaps.map((gap) => gap.overlayAction)).toEqual([overlayAction]);
});
