import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import { blob, fromPlainData, toPlainData } from '../../../src/report/blob/blob.ts';
import { showEvents } from '../../../src/report/blob/merge-events.ts';
import { pretty } from '../../../src/report/pretty.ts';
import { hostileEvents } from '../hostile-run.ts';
import { reportOf } from '../report-of.ts';
import { sampleEvents } from '../sample-run.ts';
import { collect, readText, throughBlob } from './read-events.ts';

test.each([
  ['a run', sampleEvents],
  ['hostile text everywhere', hostileEvents],
])('what is read back is what happened: %s', async (_name, events) => {
  expect(await collect(throughBlob(events))).toEqual(events);
});

test.each([
  ['bytes of every value', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
  ['an integer beyond 2^53', { id: 9_007_199_254_740_993n }],
  ['a key that looks like a mark', { $bytes: 'AA==', $integer: '1', $pairs: [] }],
  ['a key that is no property', JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown],
  ['lone surrogates and controls', ['\ud800', '\u0000', '\u2028', '']],
  ['nothing', [null, [], {}, new Uint8Array()]],
])('JSON carries %s', (_name, value) => {
  expect(fromPlainData(JSON.parse(JSON.stringify(toPlainData(value))) as never)).toEqual(value);
});

test('a report rendered from a blob equals the report of the run', async () => {
  const shown = await collect(showEvents({ file: 'run.blob', events: throughBlob(sampleEvents) }));
  expect(reportOf(pretty, shown)).toBe(reportOf(pretty, sampleEvents));
});

test('a truncated blob has the events before the end, and is incomplete', async () => {
  const text = reportOf(blob, sampleEvents);
  const shown = await collect(
    showEvents({
      file: 'run.blob',
      events: readText(text.slice(0, text.lastIndexOf('"run-finished"'))),
    }),
  );
  expect(shown.slice(0, -1)).toEqual(sampleEvents.slice(0, -1));
  expect(shown.at(-1)).toMatchObject({
    summary: {
      verdict: 'failed',
      reason:
        'The deployment violates the contract: 2 findings of severity error. ' +
        'run.blob is incomplete: its job was stopped, or the file was truncated. ' +
        'Download it again from its job, or run it again with --seed 42.',
    },
  });
});

test('a blob without its findings is inconclusive', async () => {
  const lost = sampleEvents.filter(
    (event) => event.type !== 'finding-reported' || event.finding.severity !== 'error',
  );
  const shown = await collect(showEvents({ file: 'run.blob', events: throughBlob(lost) }));
  expect(shown.at(-1)).toMatchObject({
    summary: {
      verdict: 'inconclusive',
      reason:
        'run.blob is incomplete: its run ended with 2 findings of severity ' +
        'error, the file has none. Download it again from its job, or run it ' +
        'again with --seed 42.',
      findings: { error: 0 },
    },
  });
});

describe('blobs that are refused', () => {
  const head = '{"type":"vouch-blob","blob":1}\n';
  const whole = reportOf(blob, sampleEvents);
  const lines = whole.split('\n');
  const lineOf = (type: RunEvent['type']): string =>
    lines.find((line) => line.startsWith(`{"type":"${type}"`)) ?? '';
  test.each([
    ['an empty file', '', 'run.blob is not a blob: it is empty.'],
    [
      'another JSON document',
      '{"version":1}\n',
      'run.blob is not a blob: its first line is not a blob header.',
    ],
    ['no JSON', '<xml/>\n', 'run.blob is not a blob: its first line is not a blob header.'],
    [
      'a newer format',
      '{"type":"vouch-blob","blob":2}\n',
      'run.blob was written by another version of vouch: its format is 2, this version reads 1.',
    ],
    [
      'an unknown event',
      `${head}{"type":"planet-exploded"}\n`,
      'The blob run.blob is damaged: line 2 is an unknown event: "planet-exploded".',
    ],
    [
      'an event without a type',
      `${head}{}\n`,
      'The blob run.blob is damaged: line 2 is an unknown event: it has no type.',
    ],
    [
      'a torn line in the middle',
      `${head}{"type":"pl\n{"type":"plan-made","cases":1,"requests":1}\n`,
      'The blob run.blob is damaged: line 2 is not a JSON object.',
    ],
    [
      'an event without what it tells',
      `${head}${lineOf('run-started')}\n{"type":"finding-reported",` +
        '"finding":{"id":"f","check":"c"}}\n',
      'The blob run.blob is damaged: line 3 is finding-reported without finding.severity.',
    ],
    [
      'no beginning',
      whole.replace(`${lineOf('run-started')}\n`, ''),
      'The blob run.blob is damaged: line 2 is operation-skipped, but the run must start first.',
    ],
    [
      'more behind the end',
      `${whole}${lineOf('finding-reported')}\n`,
      `The blob run.blob is damaged: line ${String(lines.length)} is ` +
        'finding-reported, after the end of the run.',
    ],
    [
      'two blobs in one file',
      whole + whole,
      `run.blob contains more than one run: another starts in line ${String(lines.length)}.`,
    ],
  ])('%s', async (_name, text, message) => {
    await expect(collect(readText(text))).rejects.toMatchObject({
      code: 'usage',
      message,
      hint: expect.stringMatching(
        /^(Write one with|Download it again|Pass each blob|Use the same)/,
      ) as string,
    });
  });
});
