import { describe, expect, test } from 'vitest';
import { VouchError } from '../../../src/errors.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import type { RequestView } from '../../../src/mock/scenarios/match-rule.ts';
import { ScenarioEngine } from '../../../src/mock/scenarios/scenario-engine.ts';
import { workshop } from '../workshop.ts';
import { scenarioOf } from './read-scenario.ts';

const [operation] = workshop.operations;
if (operation === undefined) throw new Error('The workshop has operations.');
const view: RequestView = {
  operation,
  headers: [],
  parameters: () => [],
  body: () => ({ kind: 'absent' }),
};

/** What an engine answers to so many requests of a session: statuses, `-` for nothing. */
function play(
  engine: ScenarioEngine,
  count: number,
  { session = 'default', seed = 's' }: { session?: string; seed?: string } = {},
): string {
  const statuses = Array.from(
    { length: count },
    () => engine.next(engine.scenariosOn(session), { session, seed, view })?.answer.status ?? '-',
  );
  return statuses.join(' ');
}

const rule = (more: { readonly [key: string]: JsonValue }, ...statuses: number[]): JsonValue => ({
  operation: '*',
  answers: statuses.map((status) => ({ status, times: status - 400 })),
  ...more,
});
const one = (name: string, ...rules: JsonValue[]): ScenarioEngine =>
  new ScenarioEngine([scenarioOf(name, ...rules)], [name]);

describe('answers of a scenario rule', () => {
  test.each<[string, string]>([
    ['last', '401 402 402 403 403 403 403 403'],
    ['repeat', '401 402 402 403 403 403 401 402'],
    ['pass', '401 402 402 403 403 403 - -'],
  ])('are given in order, then: %s', (then, given) => {
    expect(play(one('a', rule({ then }, 401, 402, 403)), 8)).toBe(given);
  });

  test('of a finished rule pass the request to the next rule', () => {
    expect(
      play(one('a', rule({ then: 'pass' }, 401), rule({ then: 'pass' }, 402), rule({}, 404)), 5),
    ).toBe('401 402 402 404 404');
  });

  test('are counted for each session, and from the start after a reset', () => {
    const engine = one('a', rule({}, 401, 402, 404));
    expect([play(engine, 2), play(engine, 2, { session: 'b' }), play(engine, 2)]).toEqual([
      '401 402',
      '401 402',
      '402 404',
    ]);
    engine.reset('b');
    expect([play(engine, 1), play(engine, 1, { session: 'b' })]).toEqual(['404', '401']);
    engine.reset();
    expect(play(engine, 1)).toBe('401');
  });
});

describe('the probability of a scenario rule', () => {
  const engine = (): ScenarioEngine =>
    one('a', { operation: '*', match: { probability: '30%' }, answers: [{ status: 500 }] });
  const failures = (run: string): number =>
    run.split(' ').filter((status) => status === '500').length;

  test('is observed over many requests', () => {
    expect(Math.abs(failures(play(engine(), 2000)) - 600)).toBeLessThan(60);
  });

  test('is equal for equal seeds, and differs for another seed or session', () => {
    const run = play(engine(), 30);
    expect(run).toBe(play(engine(), 30));
    expect(run).not.toBe(play(engine(), 30, { seed: 't' }));
    expect(run).not.toBe(play(engine(), 30, { session: 'b' }));
  });

  test('starts again after a reset', () => {
    const played = engine();
    const run = play(played, 30);
    played.reset();
    expect(play(played, 30)).toBe(run);
  });

  test('does not count an answer that was not given', () => {
    const played = one('a', {
      operation: '*',
      match: { probability: 0.3 },
      answers: [{ status: 500 }, { status: 501 }],
      then: 'pass',
    });
    expect(play(played, 40).replaceAll(/[- ]+/g, ' ').trim()).toBe('500 501');
  });
});

test('a random delay is drawn per answer, and is equal for equal seeds', () => {
  const run = (seed: string): number[] => {
    const engine = one('a', {
      operation: '*',
      answers: [{ status: 404, delay: { from: 0, to: 1000 } }],
    });
    return Array.from(
      { length: 5 },
      () => engine.next(engine.scenariosOn(), { session: 'x', seed, view })?.delayMs ?? NaN,
    );
  };
  expect(run('1')).toEqual(run('1'));
  expect(run('1')).not.toEqual(run('2'));
  expect(new Set(run('1')).size).toBeGreaterThan(3);
});

describe('several scenarios', () => {
  const all = [
    scenarioOf('a', rule({ then: 'pass' }, 401)),
    scenarioOf('b', rule({}, 402)),
    scenarioOf('c', rule({}, 403)),
  ];

  test('are tried in the order of activation', () => {
    expect(play(new ScenarioEngine(all, ['a', 'b', 'c']), 3)).toBe('401 402 402');
    expect(play(new ScenarioEngine(all, ['c', 'a']), 2)).toBe('403 403');
    expect(play(new ScenarioEngine(all), 2)).toBe('- -');
  });

  test('are activated and deactivated for all', () => {
    const engine = new ScenarioEngine(all, ['a']);
    engine.activate('b');
    expect([engine.names, engine.active(), engine.active('s')]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    engine.deactivate('a');
    expect([engine.active(), play(engine, 1)]).toEqual([['b'], '402']);
  });

  test('are activated and deactivated for one session, its own first', () => {
    const engine = new ScenarioEngine(all, ['a']);
    engine.activate('c', 's');
    engine.deactivate('a', 't');
    expect([engine.active(), engine.active('s'), engine.active('t')]).toEqual([
      ['a'],
      ['c', 'a'],
      [],
    ]);
    engine.deactivate('c', 's');
    engine.activate('a', 't');
    expect([engine.active('s'), engine.active('t')]).toEqual([['a'], ['a']]);
  });

  test('are equal for every session after a change for all', () => {
    const engine = new ScenarioEngine(all, ['a']);
    engine.deactivate('a', 's');
    engine.activate('b', 't');
    engine.activate('a');
    engine.deactivate('b');
    expect([engine.active(), engine.active('s'), engine.active('t')]).toEqual([
      ['a'],
      ['a'],
      ['a'],
    ]);
  });

  test('start again on activation', () => {
    const engine = new ScenarioEngine(all, ['a']);
    expect(play(engine, 2)).toBe('401 -');
    engine.activate('a', 'other');
    expect(play(engine, 1)).toBe('-');
    engine.activate('a');
    expect(play(engine, 1)).toBe('401');
  });

  test('have names; unknown names are refused with the nearest one', () => {
    const engine = new ScenarioEngine([scenarioOf('slow-list')]);
    const refusal = (work: () => void): unknown => {
      try {
        work();
        return undefined;
      } catch (error) {
        return error instanceof VouchError && `${error.code}: ${error.message} ${error.hint ?? ''}`;
      }
    };
    expect([
      refusal(() => engine.activate('slow-lst')),
      refusal(() => engine.deactivate('fast', 's')),
    ]).toEqual([
      'usage: There is no scenario slow-lst. Did you mean slow-list?',
      'usage: There is no scenario fast. Choose one of: slow-list.',
    ]);
  });
});
