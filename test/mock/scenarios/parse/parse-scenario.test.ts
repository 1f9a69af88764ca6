import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSchema } from '../../../../src/contract/schema/standalone-schema.ts';
import { VouchError } from '../../../../src/errors.ts';
import type { JsonValue } from '../../../../src/json/value.ts';
import { parseScenario } from '../../../../src/mock/scenarios/parse/parse-scenario.ts';
import { complaint, withAnswer, withRule } from '../read-scenario.ts';

/** The schema that editors use. */
const schema = parseSchema(
  readFileSync(new URL('../../../../schemas/scenario.schema.json', import.meta.url), 'utf8'),
);

test('a scenario is read with every default filled in', () => {
  const { fault: _fault, ...scenario } = parseScenario('full', {
    $schema: '../schemas/scenario.schema.json',
    description: 'All of it',
    clock: '2030-12-06',
    state: { tools: [{ id: 1 }], shelves: { add: [] } },
    rules: [
      {
        operation: ['getTool', '*'],
        match: { parameters: { toolId: 4711 }, headers: { 'X-Key': 'k' }, body: { name: 'x' } },
        answers: [
          {
            status: 503,
            headers: { 'Retry-After': 1 },
            body: { a: 1 },
            delay: '1.5s',
            times: 2,
            offContract: true,
          },
          { pass: true },
        ],
        then: 'repeat',
      },
      {
        tag: 'x',
        match: {
          query: { a: { oneOf: [1, 2] } },
          bodyAt: { '/b': { pattern: '^c' } },
          session: 's',
          probability: '30%',
        },
        answers: [{ fault: { kind: 'dribble' } }, { fault: 'empty' }],
      },
    ],
  });
  expect(scenario).toMatchInlineSnapshot(`
    {
      "clock": "2030-12-06",
      "description": "All of it",
      "name": "full",
      "rules": [
        {
          "answers": [
            {
              "body": {
                "a": 1,
              },
              "delay": {
                "kind": "fixed",
                "ms": 1500,
              },
              "headers": [
                [
                  "Retry-After",
                  "1",
                ],
              ],
              "offContract": true,
              "status": 503,
              "times": 2,
            },
            {
              "delay": {
                "kind": "fixed",
                "ms": 0,
              },
              "offContract": false,
              "pass": true,
              "times": 1,
            },
          ],
          "match": {
            "body": {
              "name": "x",
            },
            "bodyAt": {},
            "headers": {
              "X-Key": {
                "kind": "equal",
                "values": [
                  "k",
                ],
              },
            },
            "parameters": [
              {
                "condition": {
                  "kind": "equal",
                  "values": [
                    4711,
                  ],
                },
                "group": "parameters",
                "name": "toolId",
              },
            ],
            "probability": 1,
          },
          "operations": [
            "getTool",
            "*",
          ],
          "tags": [],
          "then": "repeat",
        },
        {
          "answers": [
            {
              "delay": {
                "kind": "fixed",
                "ms": 0,
              },
              "fault": {
                "bytes": 1,
                "everyMs": 100,
                "kind": "dribble",
              },
              "offContract": false,
              "pass": true,
              "times": 1,
            },
            {
              "delay": {
                "kind": "fixed",
                "ms": 0,
              },
              "fault": {
                "kind": "empty",
              },
              "offContract": false,
              "times": 1,
            },
          ],
          "match": {
            "bodyAt": {
              "/b": {
                "kind": "pattern",
                "pattern": {
                  "decide": [Function],
                  "source": "^c",
                  "toString": [Function],
                },
              },
            },
            "headers": {},
            "parameters": [
              {
                "condition": {
                  "kind": "equal",
                  "values": [
                    1,
                    2,
                  ],
                },
                "group": "query",
                "name": "a",
              },
            ],
            "probability": 0.3,
            "session": {
              "kind": "equal",
              "values": [
                "s",
              ],
            },
          },
          "operations": [],
          "tags": [
            "x",
          ],
          "then": "last",
        },
      ],
      "state": {
        "shelves": {
          "kind": "add",
          "records": [],
        },
        "tools": {
          "kind": "replace",
          "records": [
            {
              "id": 1,
            },
          ],
        },
      },
    }
  `);
  expect(parseScenario('least', { description: 'Nothing' })).toMatchObject({
    name: 'least',
    description: 'Nothing',
    rules: [],
  });
});

test.each<[JsonValue, JsonValue]>([
  [250, { kind: 'fixed', ms: 250 }],
  ['200ms', { kind: 'fixed', ms: 200 }],
  ['2s', { kind: 'fixed', ms: 2000 }],
  ['0', { kind: 'fixed', ms: 0 }],
  ['1.5s', { kind: 'fixed', ms: 1500 }],
  [600_000, { kind: 'fixed', ms: 600_000 }],
  [
    { from: '100ms', to: '2s' },
    { kind: 'uniform', from: 100, to: 2000 },
  ],
  [
    { mean: 300, deviation: '50ms' },
    { kind: 'normal', mean: 300, deviation: 50 },
  ],
  [
    { p50: '200ms', p95: '2s' },
    {
      kind: 'percentiles',
      points: [
        { z: 0, ms: 200 },
        { z: 1.6448536269514722, ms: 2000 },
      ],
    },
  ],
  [
    { p99: '3s', p50: '200ms' },
    {
      kind: 'percentiles',
      points: [
        { z: 0, ms: 200 },
        { z: 2.3263478740408408, ms: 3000 },
      ],
    },
  ],
])('a delay of %j is %j', (delay, read) => {
  expect(parseScenario('x', withAnswer({ pass: true, delay })).rules[0]?.answers[0]?.delay).toEqual(
    read,
  );
});

test.each<[JsonValue, JsonValue]>([
  ['reset', { kind: 'reset' }],
  [
    { kind: 'reset', after: 10 },
    { kind: 'reset', after: 10 },
  ],
  ['hang', { kind: 'hang', forMs: 60_000 }],
  [
    { kind: 'hang', for: '2s' },
    { kind: 'hang', forMs: 2000 },
  ],
  ['truncated', { kind: 'truncated' }],
  [
    { kind: 'malformed-chunk', after: 0 },
    { kind: 'malformed-chunk', after: 0 },
  ],
  ['wrong-length', { kind: 'wrong-length', by: -1 }],
  [
    { kind: 'wrong-length', by: 5 },
    { kind: 'wrong-length', by: 5 },
  ],
  ['dribble', { kind: 'dribble', bytes: 1, everyMs: 100 }],
  [
    { kind: 'dribble', bytes: 20, every: '1s' },
    { kind: 'dribble', bytes: 20, everyMs: 1000 },
  ],
])('the fault of %j is %j', (fault, read) => {
  expect(parseScenario('x', withAnswer({ fault })).rules[0]?.answers[0]?.fault).toEqual(read);
});

test.each<[JsonValue, boolean]>([
  ['reset', false],
  ['empty', false],
  ['hang', false],
  ['garbage', false],
  [{ kind: 'reset', after: 3 }, true],
  ['truncated', true],
  ['dribble', true],
  ['wrong-length', true],
])('the fault %j alone lets the request pass: %s', (fault, passes) => {
  expect(parseScenario('x', withAnswer({ fault })).rules[0]?.answers[0]?.pass ?? false).toBe(
    passes,
  );
});

/** Right in every word, whatever a contract says of it. */
const right: readonly JsonValue[] = [
  { description: 'd' },
  { description: 'd', clock: '2030-12-06', state: { a: [], b: { add: [{}] } }, rules: [] },
  withRule({ operation: ['a', 'b'], then: 'pass' }),
  withRule({
    match: {
      path: { a: 1 },
      query: { b: { absent: true } },
      cookies: { c: { present: true } },
      parameters: { d: { oneOf: [1] } },
      headers: { e: { pattern: 'x' } },
      body: [1],
      bodyAt: { '': 1, '/a~1b': null },
      session: { equal: 's' },
      probability: 1,
    },
  }),
  withAnswer({
    example: 'x',
    status: 404,
    times: 2,
    delay: { p50: '1s', p90: '2s', p95: '3s', p99: '4s' },
  }),
  withAnswer({ patch: { a: null } }),
  withAnswer({ patch: [{ op: 'remove', path: '/a' }], headers: { A: 1 } }),
  withAnswer({ body: null, fault: { kind: 'truncated', after: 3 } }),
];

/** Wrong in a way that a schema can see. */
const wrong: readonly JsonValue[] = [
  null,
  [],
  {},
  { description: 5 },
  { description: 'd', rulez: [] },
  { description: 'd', rules: {} },
  { description: 'd', state: { pets: 5 } },
  { description: 'd', state: { pets: { ad: [] } } },
  { description: 'd', rules: ['x'] },
  { description: 'd', rules: [{ answers: [{ pass: true }] }] },
  { description: 'd', rules: [{ operation: 'getTool' }] },
  withRule({ tag: 'x' }),
  withRule({ answers: [] }),
  withRule({ operation: 7 }),
  withRule({ operation: [] }),
  withRule({ then: 'stop' }),
  withRule({ when: {} }),
  withRule({ match: { header: {} } }),
  withRule({ match: { query: { a: { equals: 1 } } } }),
  withRule({ match: { query: { a: { pattern: 'a', present: true } } } }),
  withRule({ match: { query: { a: {} } } }),
  withRule({ match: { query: { a: { present: false } } } }),
  withRule({ match: { query: { a: { oneOf: [] } } } }),
  withRule({ match: { bodyAt: { 'a.b': 1 } } }),
  withRule({ match: { probability: 0 } }),
  withRule({ match: { probability: '0%' } }),
  withRule({ match: { probability: 1.5 } }),
  withAnswer({}),
  withAnswer({ delay: '2s' }),
  withAnswer({ statsu: 404 }),
  withAnswer({ status: 99 }),
  withAnswer({ status: '404' }),
  withAnswer({ status: 101 }),
  withAnswer({ patch: 5 }),
  withAnswer({ status: 200, times: 0 }),
  withAnswer({ status: 200, delay: '2 hours' }),
  withAnswer({ status: 200, delay: -1 }),
  withAnswer({ status: 200, delay: 600_001 }),
  withAnswer({ status: 200, delay: { from: '1s' } }),
  withAnswer({ status: 200, delay: { p50: '1s' } }),
  withAnswer({ status: 200, delay: { p50: '1s', p96: '2s' } }),
  withAnswer({ status: 200, headers: { 'X-A': null } }),
  withAnswer({ status: 200, offContract: 'yes' }),
  withAnswer({ fault: 'reste' }),
  withAnswer({ fault: {} }),
  withAnswer({ fault: { kind: 'reset', bytes: 5 } }),
  withAnswer({ fault: { kind: 'wrong-length', by: 0 } }),
  withAnswer({ fault: { kind: 'dribble', every: 'second' } }),
];

/** Wrong in a way that takes more than a schema to see. */
const contrary: readonly JsonValue[] = [
  { description: 'd', clock: 'tomorrow' },
  { description: 'd', clock: '2030-02-30' },
  { description: 'd', clock: '2030-12-06T10:00' },
  withRule({ match: { headers: { 'X Y': 'z' } } }),
  withRule({ match: { query: { a: { pattern: '(' } } } }),
  withAnswer({ pass: true, status: 200 }),
  withAnswer({ pass: true, body: {} }),
  withAnswer({ pass: true, example: 'x' }),
  withAnswer({ status: 200, patch: {} }),
  withAnswer({ fault: 'reset', patch: {}, pass: false }),
  withAnswer({ body: {}, example: 'x' }),
  withAnswer({ pass: false }),
  withAnswer({ status: 200, headers: { 'X-A': 'line\nbreak' } }),
  withAnswer({ status: 200, headers: { 'X-A': '日本' } }),
  withAnswer({ status: 200, delay: { from: '2s', to: '1s' } }),
  withAnswer({ status: 200, delay: { p50: '2s', p95: '1s' } }),
  withAnswer({ status: 200, delay: { p50: 0, p95: '1s' } }),
];

describe('an invalid scenario', () => {
  test('is refused with the place and the nearest valid word', () => {
    expect([...wrong, ...contrary].map(complaint).join('\n')).toMatchInlineSnapshot(`
      "Scenario probe, top level: A scenario must be an object.
      Scenario probe, top level: A scenario must be an object.
      Scenario probe, top level: A scenario must have the member description.
      Scenario probe, /description: description must be a text.
      Scenario probe, /rulez: A scenario has no member rulez. (Did you mean rules?)
      Scenario probe, /rules: rules must be a list.
      Scenario probe, /state/pets: The records of a resource must be a list. (Write a list
        ↳ of records, or add: with a list below it.)
      Scenario probe, /state/pets/ad: pets has no member ad. (Write a list of records, or
        ↳ add: with a list below it.)
      Scenario probe, /rules/0: A rule must be an object.
      Scenario probe, /rules/0: A rule must have the member operation.
      Scenario probe, /rules/0: A rule must have the member answers.
      Scenario probe, /rules/0/tag: A rule is about operations or about a tag, not both.
        ↳ (Write two rules.)
      Scenario probe, /rules/0/answers: A rule needs one answer or more.
      Scenario probe, /rules/0/operation: operation must be a text, or a list of texts.
      Scenario probe, /rules/0/operation: operation must be a text, or a list of texts.
      Scenario probe, /rules/0/then: then must be last, repeat or pass.
      Scenario probe, /rules/0/when: A rule has no member when. (Did you mean then?)
      Scenario probe, /rules/0/match/header: match has no member header. (Did you mean
        ↳ headers?)
      Scenario probe, /rules/0/match/query/a/equals: a has no member equals. (Did you mean
        ↳ equal?)
      Scenario probe, /rules/0/match/query/a: A condition has one word, not 2. (Write one
        ↳ of: equal, oneOf, pattern, present, absent.)
      Scenario probe, /rules/0/match/query/a: A condition has one word, not 0. (Write one
        ↳ of: equal, oneOf, pattern, present, absent.)
      Scenario probe, /rules/0/match/query/a/present: present must be true, or be left
        ↳ out.
      Scenario probe, /rules/0/match/query/a/oneOf: oneOf needs one value or more.
      Scenario probe, /rules/0/match/bodyAt: a.b is no JSON Pointer. (Begin with a slash:
        ↳ /a/b)
      Scenario probe, /rules/0/match/probability: probability must be above 0 and up to 1,
        ↳ such as 0.3, or a share such as 30%.
      Scenario probe, /rules/0/match/probability: probability must be above 0 and up to 1,
        ↳ such as 0.3, or a share such as 30%.
      Scenario probe, /rules/0/match/probability: probability must be above 0 and up to 1,
        ↳ such as 0.3, or a share such as 30%.
      Scenario probe, /rules/0/answers/0/status: An answer needs a status, an example or a
        ↳ body, or else pass: true, headers, a patch or a fault.
      Scenario probe, /rules/0/answers/0/status: An answer needs a status, an example or a
        ↳ body, or else pass: true, headers, a patch or a fault.
      Scenario probe, /rules/0/answers/0/statsu: An answer has no member statsu. (Did you
        ↳ mean status?)
      Scenario probe, /rules/0/answers/0/status: status must be an integer from 200 to
        ↳ 599.
      Scenario probe, /rules/0/answers/0/status: status must be an integer from 200 to
        ↳ 599.
      Scenario probe, /rules/0/answers/0/status: status must be an integer from 200 to
        ↳ 599.
      Scenario probe, /rules/0/answers/0/patch: patch must be an object of the members to
        ↳ change, or a list of steps (RFC 6902).
      Scenario probe, /rules/0/answers/0/times: times must be an integer from 1 to
        ↳ 1000000.
      Scenario probe, /rules/0/answers/0/delay: delay must be such as 200ms, 2s or a
        ↳ number of milliseconds, and ten minutes at most. (Or let it vary: { from: 100ms,
        ↳ to: 2s }, { mean: 300ms, deviation: 50ms }, { p50: 200ms, p95: 2s }.)
      Scenario probe, /rules/0/answers/0/delay: delay must be such as 200ms, 2s or a
        ↳ number of milliseconds, and ten minutes at most. (Or let it vary: { from: 100ms,
        ↳ to: 2s }, { mean: 300ms, deviation: 50ms }, { p50: 200ms, p95: 2s }.)
      Scenario probe, /rules/0/answers/0/delay: delay must be such as 200ms, 2s or a
        ↳ number of milliseconds, and ten minutes at most. (Or let it vary: { from: 100ms,
        ↳ to: 2s }, { mean: 300ms, deviation: 50ms }, { p50: 200ms, p95: 2s }.)
      Scenario probe, /rules/0/answers/0/delay: delay must have the member to.
      Scenario probe, /rules/0/answers/0/delay/p50: p50 alone says nothing of how slow the
        ↳ slow ones are. (Add p95 or p99: { p50: 200ms, p95: 2s }.)
      Scenario probe, /rules/0/answers/0/delay/p96: delay has no member p96. (Did you mean
        ↳ p90?)
      Scenario probe, /rules/0/answers/0/headers: The header X-A must be a text of Latin-1
        ↳ characters, without a line break, or a list of such texts.
      Scenario probe, /rules/0/answers/0/offContract: offContract must be true or false.
      Scenario probe, /rules/0/answers/0/fault: reste is no fault. (Did you mean reset?)
      Scenario probe, /rules/0/answers/0/fault/kind: A fault must have the member kind.
        ↳ (Choose one of: reset, empty, garbage, hang, truncated, truncated-chunks,
        ↳ malformed-chunk, wrong-length, dribble.)
      Scenario probe, /rules/0/answers/0/fault/bytes: fault has no member bytes. (Choose
        ↳ one of: kind, after.)
      Scenario probe, /rules/0/answers/0/fault/by: by must not be 0, with which the length
        ↳ would be right.
      Scenario probe, /rules/0/answers/0/fault/every: every must be such as 200ms, 2s or a
        ↳ number of milliseconds, and ten minutes at most.
      Scenario probe, /clock: clock must be a date such as 2030-12-06 or a timestamp with
        ↳ its zone, not tomorrow.
      Scenario probe, /clock: clock must be a date such as 2030-12-06 or a timestamp with
        ↳ its zone, not 2030-02-30.
      Scenario probe, /clock: clock must be a date such as 2030-12-06 or a timestamp with
        ↳ its zone, not 2030-12-06T10:00.
      Scenario probe, /rules/0/match/headers: X Y cannot be the name of a header.
      Scenario probe, /rules/0/match/query/a/pattern: ( is not a regular expression:
        ↳ Unterminated group.
      Scenario probe, /rules/0/answers/0/status: An answer that passes has the status that
        ↳ the mock gives it. (Leave out pass, or status.)
      Scenario probe, /rules/0/answers/0/body: An answer that passes has the body that the
        ↳ mock gives it. (Leave out pass, or body. To change the body that the mock gives,
        ↳ say patch.)
      Scenario probe, /rules/0/answers/0/example: An answer that passes has the body that
        ↳ the mock gives it. (Leave out pass, or example.)
      Scenario probe, /rules/0/answers/0/patch: Only an answer that passes has a body to
        ↳ patch. (Write what you want into body, or leave out status, example and body.)
      Scenario probe, /rules/0/answers/0/patch: Only an answer that passes has a body to
        ↳ patch. (Leave out pass, or say pass: true.)
      Scenario probe, /rules/0/answers/0/example: An answer has a body or an example, not
        ↳ both.
      Scenario probe, /rules/0/answers/0/status: An answer needs a status, an example or a
        ↳ body, or else pass: true, headers, a patch or a fault.
      Scenario probe, /rules/0/answers/0/headers: The header X-A must be a text of Latin-1
        ↳ characters, without a line break, or a list of such texts.
      Scenario probe, /rules/0/answers/0/headers: The header X-A must be a text of Latin-1
        ↳ characters, without a line break, or a list of such texts.
      Scenario probe, /rules/0/answers/0/delay/to: to must not be shorter than from.
      Scenario probe, /rules/0/answers/0/delay/p95: p95 must not be shorter than p50.
      Scenario probe, /rules/0/answers/0/delay/p50: p50 must be longer than nothing."
    `);
  });

  test('may be refused by a given error', () => {
    const refuse = (): unknown =>
      parseScenario(
        'x',
        { description: 1 },
        (pointer) => new VouchError('scenario-invalid', `at ${pointer}`),
      );
    expect(refuse).toThrow('at /description');
  });

  test('may have a name that the header Prefer cannot hold', () => {
    expect(() => parseScenario('two words', { description: 'd' })).toThrow(
      'A scenario cannot be called "two words".',
    );
  });
});

describe('the schema for editors', () => {
  test.each(right.map((value) => [JSON.stringify(value), value] as const))(
    'allows %s',
    (_text, value) => {
      expect(complaint(value)).toBe('no complaint');
      expect(schema.validate(value, 'request')).toEqual([]);
    },
  );

  test.each(wrong.map((value) => [JSON.stringify(value), value] as const))(
    'refuses %s',
    (_text, value) => {
      expect(schema.validate(value, 'request')).not.toEqual([]);
    },
  );
});
