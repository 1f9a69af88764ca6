import { describe, expect, test } from 'vitest';
import { VouchError } from '../../../../src/errors.ts';
import type { JsonValue } from '../../../../src/json/value.ts';
import { parseScenario } from '../../../../src/mock/scenarios/parse/parse-scenario.ts';
import { validateScenario } from '../../../../src/mock/scenarios/judge/check-scenarios.ts';
import { makeContract } from '../../../contract/make-contract.ts';
import { mockOf, workshop } from '../../workshop.ts';
import { objections, withAnswer } from '../read-scenario.ts';

const tool = {
  id: 1,
  name: 'x',
  kind: 'saw',
  serial: 'AB-1234',
  createdAt: '2030-01-01T00:00:00Z',
};
const rules = (...list: JsonValue[]): JsonValue => ({ description: 'd', rules: list });
const matching = (operation: JsonValue, match: JsonValue): JsonValue =>
  rules({ operation, match, answers: [{ pass: true }] });

/**
 * A contract with what the workshop does not have: tags, cookies, examples of several answers,
 * choices.
 */
const choices = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        tags: ['things'],
        parameters: [
          { name: 'state', in: 'query', schema: { type: 'string', enum: ['new', 'old'] } },
          { name: 'full', in: 'query', schema: { type: 'boolean' } },
          { name: 'trace', in: 'cookie', schema: { type: 'string' } },
          { name: 'X-Mode', in: 'header', schema: { type: 'string', enum: ['fast', 'slow'] } },
        ],
        responses: {
          200: {
            description: 'Things',
            headers: { 'X-Total-Count': { schema: { type: 'integer' } } },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['things'],
                  properties: {
                    things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
                  },
                },
                examples: {
                  some: { value: { things: [{ name: 'a' }] } },
                  broken: { value: { things: 5 } },
                },
              },
            },
          },
          404: {
            description: 'None',
            content: {
              'application/json': {
                schema: { type: 'object' },
                examples: { lost: { value: { why: 'lost' } } },
              },
            },
          },
        },
      },
      post: {
        operationId: 'addThing',
        tags: ['things'],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
        },
        responses: {
          201: {
            description: 'Added',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 5 },
          mark: { type: 'string', deprecated: true },
          state: { type: 'string', enum: ['new', 'old'] },
          parts: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              properties: { weight: { type: 'integer' } },
            },
          },
        },
      },
    },
  },
});

describe('a scenario and a contract agree on', () => {
  test.each<[string, JsonValue]>([
    ['a documented status', { status: 404 }],
    ['a documented status and body', { status: 200, body: tool }],
    ['a body for the success', { body: tool }],
    ['what normally happens', { pass: true, delay: '1s' }],
    ['a change to what normally happens', { patch: { kind: 'axe', weight: 5 } }],
    ['a change step by step', { patch: [{ op: 'replace', path: '/kind', value: 'axe' }] }],
    ['every fault of the network', { fault: 'reset' }],
    [
      'a fault with a status that is not documented, where that is meant',
      { status: 503, fault: 'truncated', offContract: true },
    ],
    ['anything, where that is meant', { status: 418, body: 'teapot', offContract: true }],
    ['something allowed, though it need not be', { status: 200, body: tool, offContract: true }],
    ['a header that the contract does not name', { status: 404, headers: { 'Retry-After': '1' } }],
  ])('%s', (_what, answer) => {
    expect(validateScenario(parseScenario('x', withAnswer(answer)), workshop)).toEqual([]);
  });

  test.each<[string, JsonValue]>([
    [
      'a value of a parameter, as number and as text',
      matching('getTool', { path: { toolId: 1 }, parameters: { toolId: '2' } }),
    ],
    [
      'a value that no request can have, by its pattern',
      matching('getTool', { path: { toolId: { pattern: 'x' } } }),
    ],
    ['a parameter that some operation has', matching('*', { parameters: { cursor: 'x' } })],
    [
      'a parameter that is absent where an operation does not have it',
      matching(['listTools', 'getTool'], { query: { limit: { absent: true } } }),
    ],
    ['any header', matching('getTool', { headers: { 'User-Agent': { pattern: 'curl' } } })],
    [
      'part of a body',
      matching('createTool', {
        body: { kind: 'saw', tags: ['x'] },
        bodyAt: { '/name': { pattern: '^A' } },
      }),
    ],
    [
      'a rule after one that has an end',
      rules(
        { operation: 'getTool', answers: [{ status: 404 }], then: 'pass' },
        { operation: 'getTool', answers: [{ pass: true }] },
      ),
    ],
    [
      'a rule after one that leaves something',
      rules(
        { operation: 'getTool', answers: [{ status: 404 }] },
        { operation: '*', answers: [{ pass: true }] },
      ),
    ],
    ['records', { description: 'd', state: { tools: [tool], shelves: { add: [{ code: 'Z' }] } } }],
  ])('%s', (_what, value) => {
    expect(objections(value, workshop)).toBe('');
  });

  test('examples, tags and cookies', () => {
    expect(
      objections(
        rules(
          { tag: 'things', match: { cookies: { trace: 'x' } }, answers: [{ pass: true }] },
          {
            operation: 'listThings',
            answers: [{ example: 'some' }, { example: 'lost' }, { status: 404, example: 'lost' }],
          },
        ),
        choices,
      ),
    ).toBe('');
  });
});

describe('a scenario and a contract disagree on', () => {
  test('a text that is not a boolean', () => {
    const listing = (full: JsonValue): JsonValue => matching('listThings', { query: { full } });
    expect([true, 'true', 'false', 'no'].map((full) => objections(listing(full), choices))).toEqual(
      [
        '',
        '',
        '',
        '/rules/0/match/query/full `full` in the query must be a boolean, but is ' +
          'a string, so that it would never match. (Write a value that the ' +
          'contract allows. To answer requests that break the contract, use ' +
          'pattern.)',
      ],
    );
  });

  test('a change to a field that is rarely sent', () => {
    const patching = (value: JsonValue): JsonValue =>
      rules({
        operation: 'addThing',
        answers: [{ patch: [{ op: 'replace', path: '/mark', value }] }],
      });
    expect([patching('x'), patching(5)].map((scenario) => objections(scenario, choices))).toEqual([
      '',
      '/rules/0/answers/0/patch The 201 of addThing, patched: `mark` in the ' +
        'body must be a string, but is an integer. (Say offContract: true if ' +
        'that is meant.)',
    ]);
  });

  test('operations and answers', () => {
    expect(
      objections(
        rules(
          { operation: 'getTol', answers: [{ status: 404 }] },
          {
            operation: ['getTool', 'listTool'],
            match: { session: 'a' },
            answers: [{ status: 404 }],
          },
          { tag: 'tols', answers: [{ status: 404 }] },
          {
            operation: 'getTool',
            match: { session: 'b' },
            answers: [
              { status: 404 },
              { status: 503 },
              { status: 200, body: { ...tool, kind: 'hammer', extra: 1 } },
              { example: 'one' },
            ],
          },
          { operation: 'deleteTool', answers: [{ status: 204, body: {} }] },
          {
            operation: 'getTool',
            match: { session: 'c' },
            answers: [{ status: 200, body: tool, headers: { 'Content-Type': 'text/html' } }],
          },
          {
            operation: 'listTools',
            match: { session: 'd' },
            answers: [
              { status: 200, headers: { 'X-Total-Count': 'many', 'X-Request-Id': 'none' } },
              { pass: true, headers: { 'X-Total-Cuont': '5' } },
            ],
          },
          {
            operation: 'getTool',
            match: { session: 'e' },
            answers: [
              { patch: { kind: 'hammer' } },
              { patch: { id: null } },
              {
                patch: [
                  { op: 'repalce', path: '/kind', value: 'axe' },
                  { op: 'add', path: '/kind' },
                  'x',
                  { op: 'remove', path: 'kind' },
                  { op: 'remove' },
                ],
              },
            ],
          },
          { operation: 'getLogo', answers: [{ patch: { a: 1 } }] },
          { operation: '*', match: { session: 'f' }, answers: [{ status: 404 }] },
        ),
        workshop,
      ),
    ).toMatchInlineSnapshot(`
      "/rules/0/operation The contract has no operation getTol. (Did you mean getTool?)
      /rules/1/operation/1 The contract has no operation listTool. (Did you mean
        ↳ listTools?)
      /rules/2/tag No operation of the contract has the tag tols. (There is none to choose
        ↳ from.)
      /rules/3/answers/1/status getTool documents no 503, only 200, 404. (Say offContract:
        ↳ true if that is meant.)
      /rules/3/answers/2/body The 200 of getTool: The body must not have the property
        ↳ extra, which the contract does not name. (Say offContract: true if that is meant.)
      /rules/3/answers/2/body/kind The 200 of getTool: \`kind\` in the body must be one of
        ↳ saw, axe, file, but is \`hammer\`. (Say offContract: true if that is meant.)
      /rules/3/answers/3/example getTool has no example one. (There is none to choose
        ↳ from.)
      /rules/4/answers/0/body The 204 of deleteTool: an answer of this status has no body.
        ↳ (Say offContract: true if that is meant.)
      /rules/5/answers/0/headers The 200 of getTool: the media type text/html is none of
        ↳ those that are documented: application/json. (Say offContract: true if that is
        ↳ meant.)
      /rules/6/answers/0/headers/X-Total-Count The 200 of listTools: the header
        ↳ X-Total-Count must be an integer, but is \`many\`. (Say offContract: true if that
        ↳ is meant.)
      /rules/6/answers/0/headers/X-Request-Id The 200 of listTools: the header
        ↳ X-Request-Id must have the format uuid. (Say offContract: true if that is meant.)
      /rules/6/answers/1/headers/X-Total-Cuont The 200 of listTools documents no header
        ↳ X-Total-Cuont. (Did you mean X-Total-Count? Say offContract: true if that is
        ↳ meant.)
      /rules/7/answers/0/patch/kind The 200 of getTool, patched: \`kind\` in the body must
        ↳ be one of saw, axe, file, but is \`hammer\`. (Say offContract: true if that is
        ↳ meant.)
      /rules/7/answers/1/patch The 200 of getTool, patched: The body must have the
        ↳ property id. (Say offContract: true if that is meant.)
      /rules/7/answers/2/patch/0/op repalce is no step of a patch. (Did you mean replace?)
      /rules/7/answers/2/patch/1 The step add must have the member value.
      /rules/7/answers/2/patch/2 A step of a patch must be an object. (Write one such as {
        ↳ op: replace, path: /name, value: x }.)
      /rules/7/answers/2/patch/3/path The path of a step must be a JSON Pointer. (Begin
        ↳ with a slash: /kind)
      /rules/7/answers/2/patch/4 The step remove must have the member path.
      /rules/8/answers/0/patch The 200 is image/svg+xml, which cannot be patched. (Write a
        ↳ body of your own.)
      /rules/9/answers/0/status createTool documents no 404, only 201, 401, 422. (Say
        ↳ offContract: true if that is meant.)
      /rules/9/answers/0/status replaceTool documents no 404, only 200, 201, 400. (Say
        ↳ offContract: true if that is meant.)
      /rules/9/answers/0/status listShelves documents no 404, only 200. (Say offContract:
        ↳ true if that is meant.)
      /rules/9/answers/0/status createShelf documents no 404, only 200, 400, 409. (Say
        ↳ offContract: true if that is meant.)
      /rules/9/answers/0/status getShelf documents no 404, only 200, 400. (Say
        ↳ offContract: true if that is meant.)
      /rules/9/answers/0/status getReport documents no 404, only 200, 401. (Say
        ↳ offContract: true if that is meant.)
      /rules/9/answers/0/status orderRepair documents no 404, only 400, 2XX. (Say
        ↳ offContract: true if that is meant.)
      /rules/9/answers/0/status getLogo documents no 404, only 200. (Say offContract: true
        ↳ if that is meant.)
      /rules/9/answers/0/status getNever documents no 404, only 200. (Say offContract:
        ↳ true if that is meant.)"
    `);
  });

  test('examples and members with misspelled names', () => {
    expect(
      objections(
        rules(
          {
            operation: 'listThings',
            match: { session: 'a' },
            answers: [
              { example: 'smoe' },
              { status: 200, example: 'lost' },
              { example: 'broken' },
              { status: 404, example: 'lost', offContract: true },
              { status: 404, example: 'lsot', offContract: true },
            ],
          },
          {
            operation: 'addThing',
            answers: [
              { body: { name: 'a', statee: 'new' } },
              { patch: { staet: 'old' } },
              { body: { nothingLikeIt: 1 } },
            ],
          },
          { operation: 'listThings', answers: [{ body: { things: [{ namee: 'x' }] } }] },
        ),
        choices,
      ),
    ).toMatchInlineSnapshot(`
      "/rules/0/answers/0/example listThings has no example smoe. (Did you mean some?)
      /rules/0/answers/1/example The 200 of listThings has no example lost. (Choose one
        ↳ of: some, broken.)
      /rules/0/answers/2/example The 200 of listThings: \`things\` in the body must be an
        ↳ array, but is an integer. (Say offContract: true if that is meant.)
      /rules/0/answers/4/example The 404 of listThings has no example lsot. (Did you mean
        ↳ lost?)
      /rules/1/answers/0/body/statee The 201 of addThing: the contract names no member
        ↳ statee there. (Did you mean state? Say offContract: true if that is meant.)
      /rules/1/answers/1/patch/staet The 201 of addThing: the contract names no member
        ↳ staet there. (Did you mean state? Say offContract: true if that is meant.)
      /rules/2/answers/0/body/things/0/namee The 200 of listThings: the contract names no
        ↳ member namee there. (Did you mean name? Say offContract: true if that is meant.)"
    `);
  });

  test('the possible values of a request', () => {
    expect(
      objections(
        rules(
          {
            operation: 'getTool',
            match: { parameters: { toolid: 1 } },
            answers: [{ status: 404 }],
          },
          { operation: 'getTool', match: { query: { toolId: 1 } }, answers: [{ status: 404 }] },
          {
            operation: ['getTool', 'listTools'],
            match: { query: { limit: 1 } },
            answers: [{ pass: true }],
          },
          { operation: 'getTool', match: { path: { toolId: 'x' } }, answers: [{ status: 404 }] },
          {
            operation: 'getTool',
            match: { path: { toolId: { absent: true } } },
            answers: [{ status: 404 }],
          },
          { operation: 'getTool', match: { body: {} }, answers: [{ status: 404 }] },
          {
            operation: 'listTools',
            match: { query: { order: 'up', limit: { oneOf: [1, 500] } } },
            answers: [{ pass: true }],
          },
          { operation: 'createTool', match: { body: { knid: 'saw' } }, answers: [{ pass: true }] },
          {
            operation: 'createTool',
            match: { body: { kind: 'hammer', weight: 'heavy' } },
            answers: [{ pass: true }],
          },
          {
            operation: 'createTool',
            match: {
              bodyAt: { '/kind': { oneOf: ['saw', 'hammer'] }, '/tags/0/x': 1, '/nmae': 'x' },
            },
            answers: [{ pass: true }],
          },
          { operation: '*', match: { parameters: { pagesize: 1 } }, answers: [{ pass: true }] },
        ),
        workshop,
      ),
    ).toMatchInlineSnapshot(`
      "/rules/0/match/parameters/toolid getTool has no parameter toolid, so that it would
        ↳ never match. (Did you mean toolId?)
      /rules/1/match/query/toolId getTool has no query parameter toolId, so that it would
        ↳ never match. (There is none to choose from.)
      /rules/2/match/query/limit getTool has no query parameter limit, so that it would
        ↳ never match. (There is none to choose from.)
      /rules/3/match/path/toolId \`toolId\` in the path must be an integer, but is a
        ↳ string, so that it would never match. (Write a value that the contract allows. To
        ↳ answer requests that break the contract, use pattern.)
      /rules/4/match/path/toolId \`toolId\` in the path is in every request, so that it
        ↳ would never match. (Write a value that the contract allows. To answer requests that
        ↳ break the contract, use pattern.)
      /rules/5/match/body getTool takes no body, so that it would never match. (Leave out
        ↳ what the body must hold.)
      /rules/6/match/query/order \`order\` in the query must be one of asc, desc, but is
        ↳ \`up\`, so that it would never match. (Write a value that the contract allows. To
        ↳ answer requests that break the contract, use pattern.)
      /rules/6/match/query/limit \`limit\` in the query must be 50 or less, but is
        ↳ \`500\`, so that it would never match. (Write a value that the contract allows. To
        ↳ answer requests that break the contract, use pattern.)
      /rules/7/match/body/knid The body of createTool: the contract names no member knid
        ↳ there, so that it would never match. (Did you mean kind?)
      /rules/8/match/body/kind The body of createTool: \`kind\` in the body must be one of
        ↳ saw, axe, file, but is \`hammer\`, so that it would never match. (Write a value
        ↳ that the contract allows. To answer requests that break the contract, use bodyAt
        ↳ with pattern.)
      /rules/8/match/body/weight The body of createTool: \`weight\` in the body must be
        ↳ one of an integer, null, but is a string, so that it would never match. (Write a
        ↳ value that the contract allows. To answer requests that break the contract, use
        ↳ bodyAt with pattern.)
      /rules/9/match/bodyAt/~1kind The body of createTool: \`kind\` in the body must be
        ↳ one of saw, axe, file, but is \`hammer\`, so that it would never match. (Write a
        ↳ value that the contract allows. To answer requests that break the contract, use
        ↳ bodyAt with pattern.)
      /rules/9/match/bodyAt/~1nmae The body of createTool: the contract names no member
        ↳ nmae there, so that it would never match. (Did you mean name?)
      /rules/10/match/parameters/pagesize listShelves has no parameter pagesize, so that
        ↳ it would never match. (Did you mean page_size?)"
    `);
    expect(
      objections(
        rules(
          {
            operation: 'listThings',
            match: {
              cookies: { tracee: 'x' },
              headers: { 'x-mode': 'medium' },
              query: { state: { pattern: '^x' } },
            },
            answers: [{ pass: true }],
          },
          {
            operation: 'addThing',
            match: { body: { statee: 'x', parts: [{ weigth: 1 }] } },
            answers: [{ pass: true }],
          },
        ),
        choices,
      ),
    ).toMatchInlineSnapshot(`
      "/rules/0/match/query/state No value of \`state\` in the query matches the pattern
        ↳ ^x, so that it would never match. (Write a value that the contract allows. To
        ↳ answer requests that break the contract, use pattern.)
      /rules/0/match/cookies/tracee listThings has no cookie parameter tracee, so that it
        ↳ would never match. (Did you mean trace?)
      /rules/0/match/headers/x-mode \`X-Mode\` in the header must be one of fast, slow,
        ↳ but is \`medium\`, so that it would never match. (Write a value that the contract
        ↳ allows. To answer requests that break the contract, use pattern.)
      /rules/1/match/body/statee The body of addThing: the contract names no member statee
        ↳ there, so that it would never match. (Did you mean state?)
      /rules/1/match/body/parts/0/weigth The body of addThing: the contract names no
        ↳ member weigth there, so that it would never match. (Did you mean weight?)"
    `);
  });

  test('rules that are never reached', () => {
    expect(
      objections(
        rules(
          { operation: '*', answers: [{ pass: true }] },
          { operation: 'getTool', match: { path: { toolId: 1 } }, answers: [{ status: 404 }] },
        ),
        workshop,
      ),
    ).toMatchInlineSnapshot(
      `
      "/rules/1 This rule is never reached: rules[0] matches every request that it could
        ↳ match, and comes first. (Put the rule with the match before the one without.)"
    `,
    );
  });

  test('records', () => {
    expect(
      objections(
        {
          description: 'd',
          state: {
            tolls: [],
            tools: [{ ...tool, kind: 'hammer' }, tool, { ...tool, name: 'y' }],
            shelves: { add: ['A', { room: 'x' }] },
          },
        },
        workshop,
      ),
    ).toMatchInlineSnapshot(`
      "/state/tolls The contract has no resource tolls. (Did you mean tools?)
      /state/tools/0/kind This record of tools, at /kind, must be one of saw, axe, file.
        ↳ (Fix the record, or the contract.)
      /state/tools/2/id Two records of tools have the id 1. (Give each record a unique
        ↳ identifier.)
      /state/shelves/add/0 This record of shelves must be an object, but is a string. (Fix
        ↳ the record, or the contract.)
      /state/shelves/add/1 This record of shelves must have the property code. (Fix the
        ↳ record, or the contract.)"
    `);
  });

  test('anything, and the mock does not start', async () => {
    const refusal = async (
      scenarios: readonly JsonValue[],
      scenario?: string | readonly string[],
    ): Promise<string> => {
      const parsed = scenarios.map((value, index) =>
        parseScenario(`probe${String(index || '')}`, value),
      );
      const error: unknown = await mockOf({
        scenarios: parsed,
        ...(scenario === undefined ? {} : { scenario }),
      }).catch((thrown: unknown) => thrown);
      return error instanceof VouchError
        ? `${error.code}: ${error.message} (${error.hint ?? ''})`
        : 'started';
    };
    const twice = [
      parseScenario('same', { description: 'a' }),
      parseScenario('same', { description: 'b' }),
    ];
    await expect(mockOf({ scenarios: twice })).rejects.toThrow('Two scenarios are called same.');
    expect(
      [
        await refusal([withAnswer({ status: 418 })]),
        await refusal([{ description: 'a' }], 'prob'),
        await refusal([], 'prob'),
        await refusal([{ description: 'a' }, { description: 'b' }], ['probe1', 'prob']),
        await refusal([{ description: 'a' }, { description: 'b' }], ['probe1', 'probe']),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "scenario-invalid: Scenario probe, /rules/0/answers/0/status: getTool documents no
        ↳ 418, only 200, 404. (Say offContract: true if that is meant.)
      scenario-invalid: There is no scenario prob. (Did you mean probe?)
      scenario-invalid: There is no scenario prob. (None is loaded. Name the folder of
        ↳ their files: mock.scenarios in vouch.config.yaml, or scenarios: './scenarios' in
        ↳ code.)
      scenario-invalid: There is no scenario prob. (Did you mean probe?)
      started"
    `);
  });
});
