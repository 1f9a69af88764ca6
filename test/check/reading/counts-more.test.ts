import { expect, test } from 'vitest';
import { countsMore } from '../../../src/check/reading/list-total.ts';
import type { Step } from '../../../src/check/model/step.ts';
import type { JsonValue } from '../../../src/json/value.ts';

const shows = (value: JsonValue, headers: readonly (readonly [string, string])[] = []): Step =>
  ({
    answer: { kind: 'json', mediaType: 'application/json', value },
    exchange: { response: { status: 200, headers, body: new Uint8Array() } },
  }) as unknown as Step;

test.each<[string, boolean, Step]>([
  ['a count above the records', true, shows({ itemCount: 70, berths: [{}, {}] })],
  ['a total in an envelope', true, shows({ meta: { total: 70 }, berths: [{}, {}] })],
  ['a header', true, shows([{}, {}], [['X-Total-Count', '70']])],
  ['a count of what is shown', false, shows({ count: 2, berths: [{}, {}] })],
  ['a count within a record', false, shows({ berths: [{ boatCount: 70 }, {}] })],
  [
    'a count of all beside that of the filtered',
    false,
    shows({ filtered_count: 2, total_count: 9, berths: [{}, {}] }),
  ],
  ['another number', false, shows({ version: 70, berths: [{}, {}] })],
])('%s says that there is more: %s', (_, expected, step) => {
  expect(countsMore(step, 2)).toBe(expected);
});
