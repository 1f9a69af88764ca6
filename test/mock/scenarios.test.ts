import { describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import type { JsonValue } from '../../src/json/value.ts';
import { parseScenario } from '../../src/mock/parse-scenario.ts';
import { validateScenario } from '../../src/mock/validate-scenario.ts';
import { bytes, converse, mockOf, send, workshop, type Sending } from './workshop.ts';

/** What parsing says of a value: the error's message and hint. */
function complaint(value: JsonValue): string {
  try {
    parseScenario('probe', value);
  } catch (error) {
    if (error instanceof VouchError && error.code === 'scenario-invalid') return `${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`;
    throw error;
  }
  return 'no complaint';
}

const rule = (more: Record<string, JsonValue>): JsonValue => ({ description: 'd', rules: [{ operation: 'getTool', answers: [{ status: 404 }], ...more }] });
const answer = (more: JsonValue): JsonValue => ({ description: 'd', rules: [{ operation: 'getTool', answers: [more] }] });

describe('the text of a scenario', () => {
  test('is read with every default filled in', () => {
    expect(parseScenario('full', {
      description: 'All of it',
      clock: '2030-12-06',
      rules: [
        { operation: '*', match: { parameters: { toolId: 4711 }, headers: { 'X-Key': 'k' }, body: { name: 'x' } }, answers: [{ status: 503, headers: { 'Retry-After': 1 }, body: { a: 1 }, delay: '1.5s', times: 2, offContract: true }, { pass: true }] },
      ],
    })).toMatchInlineSnapshot(`
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
                "delayMs": 1500,
                "headers": {
                  "Retry-After": "1",
                },
                "offContract": true,
                "status": 503,
                "times": 2,
              },
              {
                "delayMs": 0,
                "offContract": false,
                "pass": true,
                "times": 1,
              },
            ],
            "match": {
              "body": {
                "name": "x",
              },
              "headers": {
                "X-Key": "k",
              },
              "parameters": {
                "toolId": 4711,
              },
            },
            "operation": "*",
          },
        ],
      }
    `);
    expect(parseScenario('least', { description: 'Nothing' })).toEqual({ name: 'least', description: 'Nothing', rules: [] });
  });

  test.each([[250, 250], ['200ms', 200], ['2s', 2000], ['0', 0], ['1.5s', 1500], [600_000, 600_000]])('a delay of %j is %d milliseconds', (delay, milliseconds) => {
    expect(parseScenario('x', answer({ pass: true, delay })).rules[0]?.answers[0]?.delayMs).toBe(milliseconds);
  });

  test('is refused with the place and the nearest right word', () => {
    const wrong: JsonValue[] = [
      null,
      [],
      {},
      { description: 5 },
      { description: 'd', rulez: [] },
      { description: 'd', rules: {} },
      { description: 'd', clock: 'tomorrow' },
      { description: 'd', clock: '2030-02-30' },
      { description: 'd', clock: '2030-12-06T10:00' },
      { description: 'd', rules: ['x'] },
      { description: 'd', rules: [{ answers: [{ pass: true }] }] },
      { description: 'd', rules: [{ operation: 'getTool' }] },
      rule({ answers: [] }),
      rule({ operation: 7 }),
      rule({ when: {} }),
      rule({ match: { header: {} } }),
      rule({ match: { headers: { 'X Y': 'z' } } }),
      rule({ match: { body: [] } }),
      answer({}),
      answer({ delay: '2s' }),
      answer({ statsu: 404 }),
      answer({ status: 99 }),
      answer({ status: '404' }),
      answer({ status: 101 }),
      answer({ pass: true, status: 200 }),
      answer({ pass: true, body: {} }),
      answer({ status: 200, times: 0 }),
      answer({ status: 200, delay: '2 hours' }),
      answer({ status: 200, delay: -1 }),
      answer({ status: 200, delay: 600_001 }),
      answer({ status: 200, headers: { 'X-A': 'line\nbreak' } }),
      answer({ status: 200, headers: { 'X-A': '日本' } }),
      answer({ status: 200, headers: { 'X-A': null } }),
      answer({ status: 200, offContract: 'yes' }),
    ];
    expect(wrong.map(complaint).join('\n')).toMatchInlineSnapshot(`
      "Scenario probe, top level: A scenario must be an object.
      Scenario probe, top level: A scenario must be an object.
      Scenario probe, top level: A scenario must have the member description.
      Scenario probe, /description: description must be a text.
      Scenario probe, /rulez: A scenario has no member rulez. (Did you mean rules?)
      Scenario probe, /rules: rules must be a list.
      Scenario probe, /clock: clock must be a date such as 2030-12-06 or a timestamp with its zone, not tomorrow.
      Scenario probe, /clock: clock must be a date such as 2030-12-06 or a timestamp with its zone, not 2030-02-30.
      Scenario probe, /clock: clock must be a date such as 2030-12-06 or a timestamp with its zone, not 2030-12-06T10:00.
      Scenario probe, /rules/0: A rule must be an object.
      Scenario probe, /rules/0: A rule must have the member operation.
      Scenario probe, /rules/0: A rule must have the member answers.
      Scenario probe, /rules/0/answers: A rule needs one answer or more.
      Scenario probe, /rules/0/operation: operation must be a text.
      Scenario probe, /rules/0/when: A rule has no member when. (Choose one of: operation, match, answers.)
      Scenario probe, /rules/0/match/header: match has no member header. (Did you mean headers?)
      Scenario probe, /rules/0/match/headers: X Y cannot be the name of a header.
      Scenario probe, /rules/0/match/body: body must be an object.
      Scenario probe, /rules/0/answers/0/status: An answer needs a status or a body, or else pass: true.
      Scenario probe, /rules/0/answers/0/status: An answer needs a status or a body, or else pass: true.
      Scenario probe, /rules/0/answers/0/statsu: An answer has no member statsu. (Did you mean status?)
      Scenario probe, /rules/0/answers/0/status: status must be an integer from 200 to 599.
      Scenario probe, /rules/0/answers/0/status: status must be an integer from 200 to 599.
      Scenario probe, /rules/0/answers/0/status: status must be an integer from 200 to 599.
      Scenario probe, /rules/0/answers/0/status: An answer that passes has the status that the mock gives it. (Leave out pass, or status.)
      Scenario probe, /rules/0/answers/0/body: An answer that passes has the body that the mock gives it. (Leave out pass, or body.)
      Scenario probe, /rules/0/answers/0/times: times must be an integer from 1 to 1000000.
      Scenario probe, /rules/0/answers/0/delay: delay must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most.
      Scenario probe, /rules/0/answers/0/delay: delay must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most.
      Scenario probe, /rules/0/answers/0/delay: delay must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most.
      Scenario probe, /rules/0/answers/0/headers: The header X-A must be a text of Latin-1 characters, without a line break.
      Scenario probe, /rules/0/answers/0/headers: The header X-A must be a text of Latin-1 characters, without a line break.
      Scenario probe, /rules/0/answers/0/headers: The header X-A must be a text of Latin-1 characters, without a line break.
      Scenario probe, /rules/0/answers/0/offContract: offContract must be true or false."
    `);
  });

  test('may be refused by the file’s own words', () => {
    const refuse = (): unknown => parseScenario('x', { description: 1 }, (pointer) => new VouchError('scenario-invalid', `at ${pointer}`));
    expect(refuse).toThrow('at /description');
  });
});

const tool = { id: 1, name: 'x', kind: 'saw', serial: 'AB-1234', createdAt: '2030-01-01T00:00:00Z' };

describe('a scenario and a contract', () => {
  test.each([
    ['a documented status', { status: 404 }],
    ['a documented status and body', { status: 200, body: tool }],
    ['a body for the success', { body: tool }],
    ['what normally happens', { pass: true, delay: '1s' }],
    ['anything, where that is meant', { status: 418, body: 'teapot', offContract: true }],
    ['something allowed, though it need not be', { status: 200, body: tool, offContract: true }],
  ])('agree on %s', (_what, given) => {
    expect(validateScenario(parseScenario('x', answer(given)), workshop)).toEqual([]);
  });

  test('disagree with the reason and the place', () => {
    const given: JsonValue = {
      description: 'd',
      rules: [
        { operation: 'getTol', answers: [{ status: 404 }] },
        { operation: 'getTool', match: { parameters: { toolid: 1 } }, answers: [{ status: 404 }] },
        { operation: 'getTool', answers: [{ status: 404 }, { status: 503 }, { status: 200, body: { ...tool, kind: 'hammer', extra: 1 } }] },
        { operation: 'deleteTool', answers: [{ status: 204, body: {} }] },
        { operation: 'getTool', answers: [{ status: 200, body: tool, headers: { 'Content-Type': 'text/html' } }] },
        { operation: 'listTools', answers: [{ status: 200, headers: { 'X-Total-Count': 'many', 'X-Request-Id': 'none' } }] },
        { operation: '*', answers: [{ status: 401 }] },
      ],
    };
    const faults = validateScenario(parseScenario('x', given), workshop);
    expect(faults.map(({ rule: index, answer: position, message }) => `${String(index)}.${String(position ?? '-')} ${message}`).join('\n')).toMatchInlineSnapshot(`
      "0.- The contract has no operation getTol. Did you mean getTool?
      1.- No parameter is called toolid, so that the rule would never match. Did you mean toolId?
      2.1 getTool documents no 503, only 200, 404. Say offContract: true if that is meant.
      2.2 The 200 of getTool: The body must not have the property extra, which the contract does not name. Say offContract: true if that is meant.
      2.2 The 200 of getTool: \`kind\` in the body must be one of saw, axe, file, but is \`hammer\`. Say offContract: true if that is meant.
      3.0 The 204 of deleteTool: an answer of this status has no body. Say offContract: true if that is meant.
      4.0 The 200 of getTool: the media type text/html is none of those that are documented: application/json. Say offContract: true if that is meant.
      5.0 The 200 of listTools: the header X-Total-Count must be an integer, but is \`many\`. Say offContract: true if that is meant.
      5.0 The 200 of listTools: the header X-Request-Id must have the format uuid. Say offContract: true if that is meant.
      6.0 getTool documents no 401, only 200, 404. Say offContract: true if that is meant.
      6.0 replaceTool documents no 401, only 200, 201, 400. Say offContract: true if that is meant.
      6.0 deleteTool documents no 401, only 204, 404. Say offContract: true if that is meant.
      6.0 updateTool documents no 401, only 200, 400, 404, 409. Say offContract: true if that is meant.
      6.0 listShelves documents no 401, only 200. Say offContract: true if that is meant.
      6.0 createShelf documents no 401, only 200, 400, 409. Say offContract: true if that is meant.
      6.0 getShelf documents no 401, only 200, 400. Say offContract: true if that is meant.
      6.0 orderRepair documents no 401, only 400, 2XX. Say offContract: true if that is meant.
      6.0 getLogo documents no 401, only 200. Say offContract: true if that is meant.
      6.0 getNever documents no 401, only 200. Say offContract: true if that is meant."
    `);
  });

  test('that disagree stop the mock before it starts', async () => {
    const refusal = async (scenarios: readonly JsonValue[], scenario?: string): Promise<string> => {
      const parsed = scenarios.map((value) => parseScenario('probe', value));
      const error: unknown = await mockOf({ scenarios: parsed, ...(scenario === undefined ? {} : { scenario }) }).catch((thrown: unknown) => thrown);
      return error instanceof VouchError ? `${error.code}: ${error.message} (${error.hint ?? ''})` : 'started';
    };
    expect([await refusal([answer({ status: 418 })]), await refusal([{ description: 'a' }, { description: 'b' }]), await refusal([{ description: 'a' }], 'prob'), await refusal([], 'prob'), await refusal([{ description: 'a' }], 'probe')].join('\n')).toMatchInlineSnapshot(`
      "scenario-invalid: Scenario probe, rules[0].answers[0]: getTool documents no 418, only 200, 404. Say offContract: true if that is meant. (Mend the scenario, or the contract.)
      scenario-invalid: Two scenarios are called probe. (Rename one of them.)
      scenario-invalid: There is no scenario prob. (Did you mean probe?)
      scenario-invalid: There is no scenario prob. (There is none to choose from.)
      started"
    `);
  });
});

describe('a scenario at play', () => {
  const scenarios = [
    parseScenario('steps', {
      description: 'Fails twice, then once more, then works',
      rules: [{ operation: 'getTool', answers: [{ status: 503, times: 2, offContract: true }, { status: 404 }, { pass: true, delay: '1s', headers: { 'X-Told': 'yes' } }] }],
    }),
    parseScenario('picky', {
      description: 'Answers only what matches',
      rules: [
        { operation: 'getTool', match: { parameters: { toolId: 2 } }, answers: [{ status: 404, body: { error: { code: 'OTHER', text: 'Two is gone.', http_status: 404 } } }] },
        { operation: 'createTool', match: { body: { tags: ['x'], kind: 'saw' } }, answers: [{ status: 422 }] },
        { operation: '*', match: { headers: { 'X-Mood': 'bad' } }, answers: [{ status: 500, body: 'bad', headers: { 'Content-Type': 'text/plain' }, offContract: true }] },
      ],
    }),
    parseScenario('later', { description: 'It is 2031', clock: '2031-01-01', rules: [] }),
    parseScenario('created', { description: 'A body alone', rules: [{ operation: 'createTool', answers: [{ body: tool, headers: { Location: '/elsewhere' } }] }] }),
  ];
  const prefer = (name: string, more: Sending = {}): Sending => ({ ...more, headers: [['Prefer', `scenario=${name}`], ...(more.headers ?? [])] });

  test('gives its answers in order, the last one for ever', async () => {
    const mock = await mockOf({ scenarios });
    expect(await converse(mock, Array.from({ length: 5 }, () => ['GET /v2/tools/1', prefer('steps'), 'X-Told'] as const))).toMatchInlineSnapshot(`
      "GET /v2/tools/1 → 503 {"error":{"code":"OTHER","text":"Service Unavailable: a scenario answers so.","http_status":503}}
      GET /v2/tools/1 → 503 {"error":{"code":"OTHER","text":"Service Unavailable: a scenario answers so.","http_status":503}}
      GET /v2/tools/1 → 404 {"error":{"code":"NOT_FOUND","text":"Not Found: a scenario answers so.","http_status":404}}
      GET /v2/tools/1 → 200 yes {"id":1,"name":"Rip","kind":"saw","weight":700,"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}
      GET /v2/tools/1 → 200 yes {"id":1,"name":"Rip","kind":"saw","weight":700,"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}"
    `);
    const last = await send(mock, 'GET /v2/tools/1', prefer('steps'));
    expect(last.delayMs).toBe(1000);
    expect((await send(mock, 'GET /v2/tools/1')).status).toBe(200);
  });

  test('counts for each session, and from the start after a reset', async () => {
    const mock = await mockOf({ scenarios, scenario: 'steps' });
    const statuses = async (session: string): Promise<number[]> => {
      const found: number[] = [];
      for (let index = 0; index < 4; index += 1) found.push((await send(mock, 'GET /v2/tools/1', { headers: [['Vouch-Session', session]] })).status);
      return found;
    };
    expect(await statuses('a')).toEqual([503, 503, 404, 200]);
    expect(await statuses('b')).toEqual([503, 503, 404, 200]);
    await mock.reset();
    expect(await statuses('a')).toEqual([503, 503, 404, 200]);
  });

  test('answers what matches and leaves the rest alone', async () => {
    const mock = await mockOf({ scenarios, scenario: 'picky' });
    expect(await converse(mock, [
      ['GET /v2/tools/1'],
      ['GET /v2/tools/2'],
      ['GET /v2/tools/2', { key: false }],
      ['POST /v2/tools', { body: { name: 'a', kind: 'saw', tags: ['x'] } }],
      ['POST /v2/tools', { body: { name: 'a', kind: 'saw', tags: ['x', 'y'] } }],
      ['POST /v2/tools', { body: bytes('{') }],
      ['GET /v2/shelves', { headers: [['X-Mood', 'bad']] }, 'Content-Type'],
      ['GET /v2/nothing', { headers: [['X-Mood', 'bad']] }],
    ])).toMatchInlineSnapshot(`
      "GET /v2/tools/1 → 200 {"id":1,"name":"Rip","kind":"saw","weight":700,"tags":["wood"],"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z"}
      GET /v2/tools/2 → 404 {"error":{"code":"OTHER","text":"Two is gone.","http_status":404}}
      GET /v2/tools/2 → 404 {"error":{"code":"OTHER","text":"Two is gone.","http_status":404}}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"Unprocessable Content: a scenario answers so.","http_status":422}}
      POST /v2/tools → 201 {"id":9007199254740994,"name":"a","kind":"saw","tags":["x","y"],"serial":"JN-7039","createdAt":"2030-01-02T03:04:05.000Z","updatedAt":"2030-01-02T03:04:05.000Z"}
      POST /v2/tools → 422 {"error":{"code":"VALIDATION","text":"The body is not valid JSON: expected a member name in double quotes or \`}\`, found the end of the text, at line 1, column 2.","http_status":422}}
      GET /v2/shelves → 500 text/plain bad
      GET /v2/nothing → 404 {"error":{"code":"NOT_FOUND","text":"There is no path \`/v2/nothing\`.","http_status":404}}"
    `);
  });

  test('moves the clock', async () => {
    const mock = await mockOf({ scenarios });
    expect(await converse(mock, [['GET /v2/reports'], ['GET /v2/reports', prefer('later')], ['POST /v2/repairs', prefer('later', { body: { toolId: 1 } })], ['POST /v2/repairs', { body: { toolId: 1 } }]])).toMatchInlineSnapshot(`
      "GET /v2/reports → 401 {"error":{"code":"UNAUTHORIZED","text":"The header Authorization is missing. Send Authorization: Basic BASE64.","http_status":401}}
      GET /v2/reports → 410 {"error":{"code":"OTHER","text":"getReport was removed on 2030-03-01. Use listTools instead.","http_status":410}}
      POST /v2/repairs → 200 {"id":"made-1","toolId":1,"note":"A short text for this record.","state":"waiting","price":24,"createdAt":"2031-01-01T00:00:00.000Z"}
      POST /v2/repairs → 200 {"id":"made-2","toolId":1,"note":"A short text for this record.","state":"waiting","price":24,"createdAt":"2030-01-02T03:04:05.000Z"}"
    `);
  });

  test('gives a body in the place of the success’s, and changes nothing', async () => {
    const mock = await mockOf({ scenarios, scenario: 'created' });
    expect(await converse(mock, [['POST /v2/tools', { body: {} }, 'Location'], ['GET /v2/tools/9007199254740994']])).toMatchInlineSnapshot(`
      "POST /v2/tools → 201 /elsewhere {"id":1,"name":"x","kind":"saw","serial":"AB-1234","createdAt":"2030-01-01T00:00:00Z"}
      GET /v2/tools/9007199254740994 → 404 {"error":{"code":"NOT_FOUND","text":"No record of tools has the id \`9007199254740994\`.","http_status":404}}"
    `);
  });

  test('that is preferred counts before the one that is on', async () => {
    const mock = await mockOf({ scenarios, scenario: 'steps' });
    expect((await send(mock, 'GET /v2/tools/1', prefer('later'))).status).toBe(200);
    expect((await send(mock, 'GET /v2/tools/1')).status).toBe(503);
  });
});
