import { expect, test } from 'vitest';
import { compareRecords } from '../../../src/check/reading/compare-records.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

function differing(place: JsonObject, sent: JsonValue, shown: JsonObject): string[] {
  const body = jsonContent({ type: 'object', properties: { mooring: place } });
  const post = { requestBody: body, responses: { 201: { description: 'made' } } };
  const [operation] = makeContract({ paths: { '/boats': { post } } }).operations;
  const schema = operation!.requestBody!.content[0]!.schema!;
  const given = { schema, absent: 'different', except: [] } as const;
  return compareRecords({ mooring: sent }, shown, given).map(({ field }) => field);
}

test.each([
  'Ignored when the boat is new.',
  'Cleared as soon as the boat leaves.',
  'Only shown if it is asked for with include.',
])('a member whose own words are "%s" accuses nobody', (description) => {
  expect(differing({ type: 'string', description }, 'east 4', {})).toEqual([]);
  expect(differing({ type: 'string', description }, 'east 4', { mooring: 'west' })).toEqual([]);
});

test('a member without such words does', () => {
  const description = 'Where the boat lies.';
  expect(differing({ type: 'string', description }, 'east 4', {})).toEqual(['mooring']);
});

test('a record that is shown in place of its name is the same', () => {
  const place = { description: 'The mooring, or its name.' };
  expect(differing(place, 'm7', { mooring: { key: 'm7', depth: 3 } })).toEqual([]);
  expect(differing(place, ['m7'], { mooring: [{ key: 'm7', depth: 3 }] })).toEqual([]);
  expect(differing(place, 'm7', { mooring: { key: 'm8', depth: 3 } })).toEqual(['mooring']);
});
