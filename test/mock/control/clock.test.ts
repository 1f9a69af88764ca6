import { expect, test } from 'vitest';
import { Clock } from '../../../src/mock/control/clock.ts';

const noon = Date.parse('2030-01-02T12:00:00Z');

/** A clock over one that can be moved on, and what it shows. */
function clockAt(given: { at: number }): { clock: Clock; shown(): string } {
  const clock = new Clock(() => new Date(given.at));
  return { clock, shown: () => clock.now().toISOString() };
}

test('the clock runs with an offset from the given one', () => {
  const given = { at: noon };
  const { clock, shown } = clockAt(given);
  expect([shown(), clock.setting]).toEqual(['2030-01-02T12:00:00.000Z', { kind: 'given' }]);
  expect(clock.shift(60_000)).toBe(true);
  expect(shown()).toBe('2030-01-02T12:01:00.000Z');
  given.at += 1_000;
  expect(clock.advance(-120_000)).toBe(true);
  expect([shown(), clock.setting]).toEqual([
    '2030-01-02T11:59:01.000Z',
    { kind: 'offset', milliseconds: -60_000 },
  ]);
  clock.reset();
  expect(shown()).toBe('2030-01-02T12:00:01.000Z');
});

test('the clock can be stopped and moved', () => {
  const given = { at: noon };
  const { clock, shown } = clockAt(given);
  const at = new Date('2031-05-05T00:00:00Z');
  expect(clock.fix(at)).toBe(true);
  at.setTime(0);
  given.at += 5_000;
  expect(shown()).toBe('2031-05-05T00:00:00.000Z');
  expect(clock.advance(1_000)).toBe(true);
  clock.now().setTime(0);
  expect(shown()).toBe('2031-05-05T00:00:01.000Z');
});

test.each([
  ['0000-01-01T00:00:00.000Z', -1],
  ['9999-12-31T23:59:59.999Z', 1],
])('it goes as far as %s, and no further', (edge, beyond) => {
  const { clock, shown } = clockAt({ at: noon });
  expect(clock.fix(new Date(edge))).toBe(true);
  expect([
    clock.advance(beyond),
    clock.fix(new Date(Date.parse(edge) + beyond)),
    clock.shift(Date.parse(edge) + beyond - noon),
  ]).toEqual([false, false, false]);
  expect(shown()).toBe(edge);
  expect(clock.shift(Date.parse(edge) - noon)).toBe(true);
  expect(shown()).toBe(edge);
});
