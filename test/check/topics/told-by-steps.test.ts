import { checkInputOf } from '../../../src/check/engine/judge/judge.ts';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../../src/check/topics/check.ts';
import { methodRefused } from '../../../src/check/topics/validity/method-refused.ts';
import { refusalIsHarmless } from '../../../src/check/topics/records/refusal-is-harmless.ts';
import { stableUnderRepeat } from '../../../src/check/topics/lists/stable-under-repeat.ts';
import { readAnswer } from '../../../src/check/reading/read-answer.ts';
import { gatherKnowledge } from '../../../src/check/engine/judge/gather-knowledge.ts';
import { type Intent, makeCase } from '../../../src/check/model/case.ts';
import type { Step } from '../../../src/check/model/step.ts';
import { parseContract } from '../../../src/contract/load.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';

const contract = parseContract(
  `openapi: 3.1.0
info: { title: Cups, version: '1' }
components:
  schemas:
    CupBody:
      type: object
      required: [name]
      properties: { name: { type: string }, size: { type: integer }, updatedAt: { type: string } }
    Cup: { allOf: [{ $ref: '#/components/schemas/CupBody' }, { type: object, required: [id],
        properties: { id: { type: integer, readOnly: true } } }] }
    Cups: { type: object, required: [total, items], properties: { total: { type: integer },
        items: { type: array, items: { $ref: '#/components/schemas/Cup' } } } }
paths:
  /cups:
    get: { operationId: list, responses: { '200': { description: ok, content: {
        application/json: { schema: { $ref: '#/components/schemas/Cups' } } } } } }
    post:
      operationId: create
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/CupBody' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Cup' } } } } }
  /cups/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: read, responses: { '200': { description: ok, content: {
        application/json: { schema: { $ref: '#/components/schemas/Cup' } } } } } }
    put:
      operationId: replace
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/CupBody' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: {
          $ref: '#/components/schemas/Cup' } } } } }
`,
  'cups.yaml',
);

const valid: Intent = { kind: 'valid', rigour: 'plain', at: '' };
const invalid: Intent = {
  kind: 'invalid',
  at: '',
  rule: 'size is "x", not an integer',
  part: 'body',
  subject: 'the body',
  accepted: 'error',
};

interface Told {
  readonly status?: number;
  readonly intent?: Intent;
  readonly sent?: JsonObject;
  readonly id?: number;
}

/** A step of an operation: what it got, and what it sent. */
function step(
  id: string,
  got: JsonValue,
  { status = 200, intent = valid, sent, id: cup = 7 }: Told = {},
): Step {
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`The contract of the test has no ${id}.`);
  const response = {
    status,
    headers: [['Content-Type', 'application/json']] as const,
    body: new TextEncoder().encode(JSON.stringify(got)),
  };
  const given = new Map(operation.parameters.map((parameter) => [parameter, cup]));
  const body =
    sent === undefined
      ? {}
      : { body: { kind: 'json', mediaType: 'application/json', value: sent } as const };
  return {
    case: makeCase({
      title: 'rule' in intent ? intent.rule : 'a plain request',
      phase: 'sequence',
      operation,
      request: { arguments: [], credential: 'given', ...body },
      intent,
    }),
    sent: { arguments: given, ...(sent === undefined ? {} : { body: sent }) },
    exchange: {
      baseUrl: 'http://a.example',
      request: {
        method: intent.kind === 'method' ? intent.method : operation.method,
        target: operation.path,
        headers: [],
        body: new Uint8Array(),
      },
      response,
      durationMs: 1,
    },
    answer: readAnswer(response),
  };
}

function told(check: Check, steps: readonly Step[]): string[] | undefined {
  const last = steps.at(-1);
  if (last === undefined) throw new Error('The test has no steps.');
  return check
    .inspect(
      checkInputOf(
        { contract, knowledge: gatherKnowledge(contract, steps, 'vouch-test') },
        steps,
        last,
      ),
    )
    ?.map(({ message, severity = check.severity }) => `${severity}: ${message}`);
}

const cup = (more: JsonObject = {}): JsonObject => ({
  id: 7,
  name: 'A',
  size: 2,
  updatedAt: '1',
  ...more,
});
const refused = (sent: JsonObject, more: Told = {}): Step =>
  step('replace', {}, { status: 400, intent: invalid, sent, ...more });

describe('a change that was refused', () => {
  const after = (
    record: JsonObject,
    sent: JsonObject = { name: 'B', size: 'x' },
  ): string[] | undefined =>
    told(refusalIsHarmless, [step('read', cup()), refused(sent), step('read', record)]);

  test.each<[string, JsonObject, string[]]>([
    ['leaves the record', cup(), []],
    ['may be noted by the server', cup({ updatedAt: '2' }), []],
    [
      'is stored in the field that was right',
      cup({ name: 'B' }),
      [
        'error: The server answered 400 to replace, in which size is "x", not an ' +
          'integer, and yet the record has changed: name was "A" and is "B".',
      ],
    ],
    [
      'changes what was not sent',
      cup({ size: 3 }),
      [
        'error: The server answered 400 to replace, in which size is "x", not an ' +
          'integer, and yet the record has changed: size was 2 and is 3.',
      ],
    ],
  ])('%s', (_name, record, expected) => {
    expect(after(record)).toEqual(expected);
  });

  test(
    'shows nothing of another record, after a success, or where an earlier ' +
      'change is only now seen',
    () => {
      expect(
        told(refusalIsHarmless, [
          step('read', cup()),
          refused({ name: 'B' }, { id: 8 }),
          step('read', cup({ name: 'B' })),
        ]),
      ).toBeUndefined();
      expect(
        told(refusalIsHarmless, [
          step('read', cup()),
          step('replace', cup(), { sent: { name: 'B' } }),
          step('read', cup({ name: 'B' })),
        ]),
      ).toBeUndefined();
      expect(
        told(refusalIsHarmless, [
          step('replace', cup(), { sent: { name: 'B' } }),
          step('read', cup()),
          refused({ name: 'C', size: 'x' }),
          step('read', cup({ name: 'B' })),
        ]),
      ).toEqual([]);
    },
  );
});

const list = (total: number, ...ids: readonly number[]): Step =>
  step('list', { total, items: ids.map((id) => ({ id, name: `cup ${String(id)}` })) });

describe('a refused create after which the list counts one more', () => {
  const create = (): Step =>
    step('create', {}, { status: 400, intent: invalid, sent: { name: 'B', size: 'x' } });
  const counting = (
    ...totals: readonly [number, number, number, number, number]
  ): string[] | undefined => {
    const [first, quiet, one, two, last] = totals;
    return told(refusalIsHarmless, [
      list(first, 1),
      list(quiet, 1),
      create(),
      list(one, 1),
      create(),
      list(two, 1),
      list(last, 1),
    ]);
  };

  test('is reported if it happens twice without other requests', () => {
    expect(counting(5, 5, 6, 7, 7)).toEqual([
      'error: The server answered 400 to a create in which size is "x", not an ' +
        'integer, and yet the list counts one record more after each of 2 such ' +
        'creates.',
    ]);
  });

  test.each<{ readonly totals: readonly [number, number, number, number, number] }>([
    { totals: [5, 5, 5, 5, 5] },
    { totals: [5, 6, 7, 8, 8] },
    { totals: [5, 5, 6, 7, 8] },
    { totals: [5, 5, 6, 6, 6] },
    { totals: [5, 5, 7, 8, 8] },
  ])('is not reported if the list counts $totals', ({ totals }) => {
    expect(counting(...totals)).toEqual([]);
  });
});

describe('a list that is empty in between', () => {
  test('is reported if the same records return', () => {
    expect(told(stableUnderRepeat, [list(3, 1, 2, 3), list(0), list(3, 1, 2, 3)])).toEqual([
      'error: The same request got a list of 3 records, then an empty one, and ' +
        'then the same records again.',
    ]);
    expect(
      told(stableUnderRepeat, [list(3, 1, 2, 3), list(0), list(0), list(2, 2, 3)])?.length,
    ).toBe(1);
  });

  test('is not reported if the list has other records, stays empty or was never full', () => {
    expect(told(stableUnderRepeat, [list(3, 1, 2, 3), list(0), list(3, 4, 5, 6)])).toEqual([]);
    expect(told(stableUnderRepeat, [list(3, 1, 2, 3), list(0), list(0)])).toEqual([]);
    expect(told(stableUnderRepeat, [list(0), list(0), list(1, 1)])).toEqual([]);
  });
});

describe('an undeclared method', () => {
  const asked = (got: JsonValue, status = 200): Step =>
    step('list', got, {
      status,
      intent: { kind: 'method', method: 'PROPFIND', wanted: 'refused' },
    });

  test('is an error where the list comes back, and a warning where something else does', () => {
    expect(told(methodRefused, [asked({ total: 0, items: [] })])).toEqual([
      'error: The server answered 200 to PROPFIND /cups with the list, as it does to GET: ' +
        'it may also confirm a PUT or a DELETE without doing anything.',
    ]);
    expect(told(methodRefused, [asked({ fine: true })])).toEqual([
      'warning: The server answered 200 to PROPFIND /cups, which the contract does not declare.',
    ]);
    expect(told(methodRefused, [asked({}, 405)])).toEqual([]);
  });
});
