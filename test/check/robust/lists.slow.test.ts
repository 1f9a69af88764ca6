import { describe, expect, test } from 'vitest';
import { alarms, findingsOf } from '../fixture/inline-service.ts';
import { taskContract, taskService, type Task, type TaskQuirks } from '../fixture/task-service.ts';

const run = async (quirks: TaskQuirks): Promise<string[]> =>
  alarms(await findingsOf(taskContract, taskService(quirks)));

const open: Task = { id: 1, title: 'Water the plants', state: 'open' };

describe('extreme integers', () => {
  test.each<[string, TaskQuirks]>([
    ['refuses what its bounds exclude', {}],
    [
      'refuses every number beyond its own range, as documented',
      {
        before: ({ query }) =>
          Math.abs(Number(query.get('shift'))) > 1e9 ? { status: 400, json: {} } : undefined,
      },
    ],
    ['starts with a record', { seeds: [open] }],
  ])('a sound service that %s raises no alarm', async (_, quirks) => {
    expect(await run(quirks)).toEqual([]);
  });

  test.each<[string, TaskQuirks, string]>([
    [
      'fails on a limit of 20 digits',
      {
        before: ({ query }) =>
          /^\d{18,}$/.test(query.get('limit') ?? '') ? { status: 500 } : undefined,
      },
      'error no-server-error listTasks: The server answered 500 to a request in which limit is ' +
        '99999999999999999999, which its schema excludes.',
    ],
    [
      'takes a negative limit for the last records',
      {
        before: ({ query }) =>
          query.get('limit') === '-1' ? { status: 200, json: [] } : undefined,
      },
      'error invalid-refused listTasks: The server accepted (200) a request in which limit is ' +
        '-1, which its schema excludes.',
    ],
    [
      'fails on a huge number without documented bounds',
      {
        before: ({ query }) =>
          (query.get('shift') ?? '').length > 16 ? { status: 500 } : undefined,
      },
      'error no-server-error listTasks: The server answered 500 to a request in which shift is ' +
        '99999999999999999999.',
    ],
    [
      'fails on a huge identifier',
      { before: ({ path }) => ((path[1] ?? '').length > 16 ? { status: 500 } : undefined) },
      'error no-server-error getTask: The server answered 500 to a request in which taskId is ' +
        '99999999999999999999.',
    ],
  ])('a service that %s is caught', async (_, quirks, expected) => {
    expect(await run(quirks)).toContain(expected);
  });
});

describe('empty lists before the run creates a record', () => {
  const hasCreated = (all: readonly Task[]): boolean =>
    all.some(({ title }) => title !== open.title);
  const whenEmpty =
    (answer: { readonly status: number; readonly json: unknown }): TaskQuirks['list'] =>
    (_call, found, all) =>
      found.length === 0 && !hasCreated(all) ? answer : undefined;

  test.each<[string, TaskQuirks['seeds']]>([
    ['without a record', []],
    ['with one record', [open]],
  ])('a sound service %s raises no alarm', async (_, seeds = []) => {
    expect(await run({ seeds })).toEqual([]);
  });

  test.each<[string, TaskQuirks, RegExp]>([
    [
      'answers null where a filter matches nothing',
      { seeds: [open], list: whenEmpty({ status: 200, json: null }) },
      /^error body-matches-schema listTasks: /,
    ],
    [
      'answers 404 where a filter matches nothing',
      { seeds: [open], list: whenEmpty({ status: 404, json: {} }) },
      /^error valid-accepted listTasks: .* 404 .* state is (done|dropped), before any create/,
    ],
    [
      'answers null for an empty collection',
      { list: whenEmpty({ status: 200, json: null }) },
      /^error body-matches-schema listTasks: /,
    ],
    [
      'answers 404 for an empty collection',
      { list: whenEmpty({ status: 404, json: {} }) },
      /^error stable-under-repeat listTasks: .* 404 to a plain request/,
    ],
  ])('a service that %s is caught', async (_, quirks, expected) => {
    expect(await run(quirks)).toContainEqual(expect.stringMatching(expected));
  });
});

test('a filter that accepts records without the field has a finding', async () => {
  const list: TaskQuirks['list'] = ({ query }, _found, all) => {
    const expected = query.get('state');
    const found = all.filter(({ state }) => expected === null || (state ?? expected) === expected);
    return { status: 200, json: found.slice(0, Number(query.get('limit') ?? 50)) };
  };
  expect(await run({ seeds: [open], list })).toContainEqual(
    expect.stringMatching(/^error filter-holds listTasks: .* holds \d+ records? without state\./),
  );
});

test('a list that never shows the field of its filter has no finding', async () => {
  const list: TaskQuirks['list'] = ({ query }, found) => ({
    status: 200,
    json: found.slice(0, Number(query.get('limit') ?? 50)).map(({ id, title }) => ({ id, title })),
  });
  expect(await run({ seeds: [open], list })).toEqual([]);
});
