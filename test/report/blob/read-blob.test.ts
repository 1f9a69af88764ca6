import { describe, expect, test } from 'vitest';
import { blob } from '../../../src/report/blob/blob.ts';
import { fromPlainData, toPlainData } from '../../../src/report/blob/plain-data.ts';
import { showEvents } from '../../../src/report/blob/show-events.ts';
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

test('a report made of a blob is the report of the run', async () => {
  const shown = await collect(showEvents({ file: 'run.blob', events: throughBlob(sampleEvents) }));
  expect(reportOf(pretty, shown)).toBe(reportOf(pretty, sampleEvents));
});

test('a blob that breaks off in a line tells what came before, and that it broke off', async () => {
  const text = reportOf(blob, sampleEvents);
  const shown = await collect(showEvents({ file: 'run.blob', events: readText(text.slice(0, text.lastIndexOf('"run-finished"'))) }));
  expect(shown.slice(0, -1)).toEqual(sampleEvents.slice(0, -1));
  expect(shown.at(-1)).toMatchObject({ summary: { verdict: 'broken', reason: 'The deployment breaks the contract: 2 findings of severity error. run.blob ends before its run did.' } });
});

describe('refused', () => {
  test.each([
    ['an empty file', '', 'run.blob is no blob of a run: it is empty.'],
    ['another JSON document', '{"version":1}\n', 'run.blob is no blob of a run: its first line does not say that it is one.'],
    ['no JSON', '<xml/>\n', 'run.blob is no blob of a run: its first line does not say that it is one.'],
    ['a newer format', '{"type":"vouch-blob","blob":2}\n', 'run.blob was written by another vouch: its format is 2, and this one reads 1.'],
    ['an unknown event', '{"type":"vouch-blob","blob":1}\n{"type":"planet-exploded"}\n', 'run.blob is no blob of a run: line 2 is an event that this vouch does not know: "planet-exploded".'],
    ['a torn line in the middle', '{"type":"vouch-blob","blob":1}\n{"type":"pl\n{"type":"plan-made","cases":1,"requests":1}\n', 'run.blob is no blob of a run: line 2 is no JSON object with a type.'],
  ])('%s', async (_name, text, message) => {
    await expect(collect(readText(text))).rejects.toThrow(message);
  });
});
